"""The questions that are asked most, and the whole work by other engines: the table of the README."""
import json

from comparing import CHANGE, diff
from engines import duckdb, polars
from replays import replay, report, require, require_agreement, require_same
from setting import run
from table import COST_HEADS, cost_cells, table, thousands
from work import Work, alternate

THREADS = 2


def whatif(setting, form):
    command = [setting.scenario, "whatif", setting.events(form), "--account", setting.account, "--format", "json",
               "--jobs", THREADS]
    return Work(f"whatif, {form}", command, setting.scratch / f"whatif-{form}.json")


def sides(work):
    """The reports before and after the change of a comparison."""
    compared = json.loads(work.output.read_text())
    for side in ("before", "after"):
        compared[side].pop("reproduced", None)
    return [compared["before"], compared["after"]]


def measure(setting):
    """Times all works in turn and returns them."""
    columns = setting.events("arrow")
    if not columns.exists():
        run(setting.scenario, "pack", setting.events("jsonl"), "--output", columns)
    forms = [("JSON Lines", "jsonl"), ("columns", "arrow")]
    replays, diffs, edits = [], [], []
    for name, form in forms:
        replays.append(replay(setting, f"`scenario replay`, {name}", setting.events(form), THREADS, setting.account))
        diffs.append(diff(setting, form, THREADS))
        edits.append(whatif(setting, form))
        diffs[-1].name, edits[-1].name = f"`scenario diff`, {name}", f"`scenario whatif`, {name}"
    peers = [make(setting, form, THREADS) for make in (duckdb, polars) for form in ("jsonl", "parquet")]

    def check():
        require_same(replays)
        for peer in peers:
            require_agreement(setting, replays[0], peer)
        for work in diffs:
            require(sides(work)[0] == report(replays[0]), f"{work.name} differs from a replay")
        require(sides(diffs[0]) == sides(diffs[1]), "the forms of the capture differ for a comparison")
        require_same(edits)

    works = alternate(replays + diffs + edits + peers, setting.runs, check)
    for peer in peers:
        engine, form, _ = peer.name.split(", ")
        peer.name = f"{engine}, {'JSON Lines' if form == 'jsonl' else 'Parquet'}"
    return works


def text(works, setting):
    """The chapter."""
    rows = [[work.name, *cost_cells(work, setting.count)] for work in works]
    return "\n\n".join([
        f"## Questions by engine, {thousands(setting.count)} attestations",
        f"A whole report with 25 filters, on two threads; medians of {setting.runs}, in turn, page cache warm. `diff` has the change "
        f"`{CHANGE[1]}`, and `whatif` tries every single edit. Every engine found the same figures, and both forms of the "
        "capture gave the same answers.",
        table(["question or engine, input", *COST_HEADS], rows),
    ])
