"""A comparison against a replay of the same capture: P4."""
import json

from replays import replay, report, require
from setting import EVENTS
from table import COST_HEADS, cost_cells, table
from work import Work, alternate

CHANGE = ["--change", "policy -set default,strict,risk"]


def diff(setting, form, jobs):
    command = [setting.scenario, "diff", setting.events(form), "--account", setting.account, *CHANGE,
               "--format", "json", "--jobs", jobs]
    return Work(f"diff, {form}, {jobs}", command, setting.scratch / f"diff-{form}-{jobs}.json")


def measure(setting):
    """Times replays, replays of the changed account, and comparisons in turn."""
    kinds = [(form, jobs) for form in ("txt", "jsonl") for jobs in (1, 2)]
    works = []
    for form, jobs in kinds:
        capture = setting.events(form)
        works.append(replay(setting, f"replay, {form}, {jobs}", capture, jobs, setting.account))
        works.append(diff(setting, form, jobs))
    changed = replay(setting, "replay of the change", setting.events("txt"), 2, setting.account, more=CHANGE)

    def check():
        changed.run()
        sides = [report(works[0]), report(changed)]
        for work in works[1::2]:
            compared = json.loads(work.output.read_text())
            for side in ("before", "after"):
                compared[side].pop("reproduced", None)
            require([compared["before"], compared["after"]] == sides, f"{work.name} differs from two replays")

    return {work.name: work for work in alternate(works, setting.runs, check)}


def ratio(works, form, jobs):
    return works[f"diff, {form}, {jobs}"].seconds / works[f"replay, {form}, {jobs}"].seconds


def text(works):
    """The chapter."""
    rows = [[work.name, *cost_cells(work, EVENTS)] for work in works.values()]
    return "\n\n".join([
        "## A comparison, against one replay",
        "Its two sides are the same as what two replays report.",
        table(["command, input, threads", *COST_HEADS], rows),
    ])
