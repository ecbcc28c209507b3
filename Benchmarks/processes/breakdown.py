"""Where the time of a replay goes, by what is saved when a part is left out."""
from setting import EVENTS
from table import table


def nanoseconds(work):
    # On one core as good as the clock's, and steadier.
    return work.processor_seconds / EVENTS * 1e9


def parts(form, engines, filters):
    """Nanoseconds an attestation on one core, by part; they add up to the whole."""
    floor = nanoseconds(engines[f"read and count lines, {form}, 1"])
    none, regexes, both, whole = (
        nanoseconds(filters[name, form]) for name in ("no filter", "10 regexes", "22 of both kinds", "all 25"))
    return {
        "reading and finding lines (the floor)": floor,
        "records, devices, flags, verdicts, figures": none - floor,
        "10 regexes, and the numbers of their values": regexes - none,
        "12 exact filters, and the numbers of their values": both - regexes,
        "3 conjunctions": whole - both,
        "the whole": whole,
    }


def text(engines, growth, decisions):
    """The chapter."""
    columns = [parts(form, engines, growth["filters"]) for form in ("txt", "jsonl")]
    rows = [[name, *(f"{column[name]:.0f}" for column in columns)] for name in columns[0]]
    decided = decisions["25 filters: 12 exact, 10 regexes, 3 conjunctions"][0]
    more = [engines[f"scenario, {form}, 2"].processor_seconds / engines[f"scenario, {form}, 1"].processor_seconds
            for form in ("txt", "jsonl")]
    return "\n\n".join([
        "## Where the time goes",
        "Processor time on one core, in nanoseconds an attestation; each part by what is saved without it.",
        table(["part", "txt", "jsonl"], rows),
        f"The engine alone, with every value numbered already, takes {decided:.0f} ns of these. On two cores the work "
        f"takes {more[0]:.2f} × (txt) and {more[1]:.2f} × (jsonl) the processor time that it takes on one.",
    ])
