"""The whole work by every engine: P1 and P2."""
import os

from replays import replay, report, require_agreement, require_same
from setting import EVENTS
from table import COST_HEADS, cost_cells, table
from work import Work, alternate


def floors(setting):
    """What reading costs without understanding."""
    works = [
        Work(f"read and count lines, {form}, {threads}", [setting.floor, setting.events(form), threads],
             setting.scratch / f"floor-{form}-{threads}")
        for form in ("txt", "jsonl") for threads in (1, 2)
    ]
    for suffix, command in (("gz", "gzip"), ("zst", "zstd")):
        packed = f"{setting.events('txt')}.{suffix}"
        works.append(Work(f"{command} -dc, txt, 1", [command, "-dcq", packed], setting.scratch / "unpacked"))
    return works


def plain_replays(setting):
    return [
        replay(setting, f"scenario, {form}, {jobs}", setting.events(form), jobs, setting.account)
        for form in ("txt", "jsonl") for jobs in (1, 2)
    ]


def other_replays(setting):
    """The same from standard input, compressed, and with every decision written."""
    works = [
        replay(setting, f"scenario, {form} on standard input, 2", None, 2, setting.account, setting.events(form))
        for form in ("txt", "jsonl")
    ]
    for form in ("txt", "jsonl"):
        for suffix in ("gz", "zst"):
            packed = f"{setting.events(form)}.{suffix}"
            works.append(replay(setting, f"scenario, {form}.{suffix}, 2", packed, 2, setting.account))
    decisions = ["--decisions", setting.scratch / "decisions.jsonl"]
    works.append(replay(
        setting, "scenario, txt, every decision written, 2", setting.events("txt"), 2, setting.account, more=decisions))
    return works


def duckdb(setting, form, threads):
    command = [setting.python, "-B", setting.peers / "duckdb_work.py", setting.events(form), threads]
    return Work(f"DuckDB, {form}, {threads}", command, setting.scratch / f"duck-{form}-{threads}.tsv")


def polars(setting, form, threads):
    command = [setting.python, "-B", setting.peers / "polars_work.py", setting.events(form)]
    environment = os.environ | {"POLARS_MAX_THREADS": str(threads)}
    return Work(f"Polars, {form}, {threads}", command, setting.scratch / f"polars-{form}-{threads}.tsv",
                environment=environment)


def measure(setting):
    """Times every engine and returns the works by name."""
    ours = plain_replays(setting) + other_replays(setting)
    peers = [make(setting, form, threads)
             for make in (duckdb, polars) for form, threads in (("jsonl", 1), ("jsonl", 2), ("parquet", 2))]

    def check():
        require_same(ours)
        for peer in peers:
            require_agreement(setting, ours[0], peer)

    works = alternate(floors(setting) + ours + peers, setting.runs, check)
    return {work.name: work for work in works}


def text(works):
    """The chapter."""
    rows = [[work.name, *cost_cells(work, EVENTS)] for work in works.values()]
    return "\n\n".join([
        "## The whole work, by engine",
        "1 000 000 attestations (0.49 GB) through an account with 25 filters, the whole report. The last figure of a "
        "name is the number of threads. Every engine found the same figures; files, compressed files and standard "
        "input gave the same report.",
        table(["engine, input, threads", *COST_HEADS], rows),
    ])


def distinct_devices(works):
    return report(works["scenario, txt, 1"])["devices"]["unique"]
