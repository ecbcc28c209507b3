"""Tables in Markdown."""


def table(heads, rows):
    """A table whose first column is text and whose others are figures."""
    rules = ["---"] + ["---:"] * (len(heads) - 1)
    lines = [heads, rules, *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def thousands(number):
    """A whole number with spaces between its thousands."""
    return f"{number:,}".replace(",", " ")


def rate(events, seconds):
    """Millions of events a second."""
    return f"{events / seconds / 1e6:.2f}"


def cost_cells(work, events):
    """What a work cost, as the cells that most tables end with."""
    return [
        f"{work.seconds:.2f}", rate(events, work.seconds), f"{work.processor_seconds:.2f}",
        f"{work.resident_megabytes:.0f}",
    ]


COST_HEADS = ["seconds", "million a second", "processor seconds", "resident MB"]
