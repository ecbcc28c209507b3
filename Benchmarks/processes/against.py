"""Two builds of the command on the same captures, in turn."""
import json
from dataclasses import dataclass

from replays import require
from setting import run
from table import table, thousands
from work import Work, alternate

CHANGE = ["--change", "policy -set default,strict,risk"]


@dataclass(frozen=True)
class Question:
    """A command line that both builds carry out; `aim` is how many times as fast the new one is meant to be."""
    name: str
    words: list
    aim: float | None = None
    jobs: int = 1


def questions(setting):
    """What is asked of both builds."""
    plain, packed, lines = setting.packed("plain"), setting.packed("zstd"), setting.events("jsonl")
    written = setting.scratch / "written.arrow"
    account = ["--account", setting.account]
    return [
        Question("replay, plain columns", ["replay", plain, *account], 2.4),
        Question("replay, zstd columns", ["replay", packed, *account], 2.1),
        Question("replay, JSON Lines", ["replay", lines, *account], 1),
        Question("replay, device information", ["replay", setting.events("txt"), *account], 1),
        Question("diff, plain columns", ["diff", plain, *account, *CHANGE], 2.8),
        Question("diff, JSON Lines", ["diff", lines, *account, *CHANGE], 1.35),
        Question("whatif, plain columns", ["whatif", plain, *account], 5),
        Question("pack, zstd, from JSON Lines", ["pack", lines, "--output", written]),
        Question("decisions as columns, plain columns",
                 ["replay", plain, *account, "--decisions", written]),
        Question("replay, plain columns, two threads", ["replay", plain, *account], jobs=2),
    ]


def works(setting, commands):
    """For each question the work of each build, and the build that made it."""
    for question in questions(setting):
        words = question.words
        forms = [] if words[0] == "pack" else ["--format", "json"]
        yield question, [
            Work(f"{question.name}, {name}", [command, *words, *forms, "--jobs", question.jobs],
                 setting.scratch / f"{name}-{len(question.name)}-{question.jobs}-{words[0]}.json")
            for name, command in commands]


def measure(setting, old):
    """Packs the capture, and runs every question by both builds in turn."""
    if not setting.events("jsonl").exists():
        run(setting.python, "-B", setting.peers / "generate.py", setting.count, setting.data)
    for name, options in (("zstd", []), ("plain", ["--plain"])):
        run(setting.scenario, "pack", setting.events("jsonl"), "--output", setting.packed(name), *options)
    asked = []
    for question, pair in works(setting, [("old", old), ("new", setting.scenario)]):
        def check(pair=pair):
            require(agree(*pair), f"{pair[1].name} differs")
        alternate(pair, setting.runs, check)
        asked.append((question, pair))
    return asked


def agree(old, new):
    """True if all members that both reports have are the same, but for the sentence: one build may report more than the other."""
    def same(one, other):
        if isinstance(one, dict) and isinstance(other, dict):
            return all(same(one[name], other[name]) for name in (one.keys() & other.keys()) - {"sentence"})
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(map(same, one, other))
        return one == other

    texts = [work.output.read_text() for work in (old, new)]
    return not texts[1].startswith("{") or same(*map(json.loads, texts))


def text(asked, count):
    """The chapter."""
    rows = []
    for question, (old, new) in asked:
        factor = least(old) / least(new)
        reached = "" if question.aim is None else "yes" if factor >= 0.9 * question.aim else "**no**"
        rows.append([
            question.name, f"{1000 * least(old):.0f}", f"{1000 * least(new):.0f}", f"{factor:.2f}",
            question.aim or "", reached, f"{old.resident_megabytes:.0f}", f"{new.resident_megabytes:.0f}",
        ])
    heads = ["work", "old, ms", "new, ms", "times as fast", "aim", "reached", "old, MB", "new, MB"]
    return "\n\n".join([
        f"## Against an earlier build, {thousands(count)} attestations",
        "Milliseconds of the processor, the least of all runs, both builds in turn; they report the same figures. An aim counts as "
        "reached when less than a tenth is missing.",
        table(heads, rows),
    ])


def least(work):
    """The least processor seconds of a run: what else the machine does only adds to them."""
    return min(cost.processor_seconds for cost in work.costs)
