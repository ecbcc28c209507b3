#!/usr/bin/env python3
"""Compares replays on Apache Spark in `local[2]` with the command alone, and with DuckDB: seconds, and those of processors.

    spark.py COMMAND --data FOLDER [--count N] [--duckdb PYTHON] [--rounds N]

Runs in the Python of `make spark`, .build/spark/venv/bin/python, with JAVA_HOME set. Writes N attestations into the folder as
JSON Lines, unless they are there, about half a gigabyte for each million. Spark is started, and has done a small job, before
anything is measured. All reports must be the same bytes, and DuckDB must give the same figures."""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "Integrations" / "python"
PEERS = HERE / "peers"
sys.path += [str(PACKAGE), str(PEERS)]
# The processes that Spark starts need them, too.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")]))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

import generate  # noqa: E402
import rules  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

from policy_scenario import spark as distributed  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def capture(folder, count):
    """The attestations that `generate.py` writes, in JSON Lines, and the account."""
    folder.mkdir(parents=True, exist_ok=True)
    path, account = folder / f"events-{count}.jsonl", folder / "account.yaml"
    account.write_text(rules.account(), encoding="utf-8")
    if not path.exists():
        partial = path.with_suffix(".partial")
        with open(partial, "w", encoding="utf-8") as file:
            for second, _, fields in generate.records(Random(20200723), count):
                file.write(generate.json_record(generate.START + timedelta(seconds=second), fields))
        partial.rename(path)
    return str(path), str(account)


def processor_seconds():
    """What this process, those below it and those that ended below it have used."""
    times, children = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            # It has ended.
            continue
        times[int(name)] = sum(map(int, fields[11:15]))
        children.setdefault(int(fields[1]), []).append(int(name))
    total, waiting = 0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        total += times.get(process, 0)
        waiting += children.get(process, [])
    return total / TICKS


def measure(work):
    """What some work gives, its seconds, and those of the processors."""
    clock, processor = time.monotonic(), processor_seconds()
    result = work()
    return result, time.monotonic() - clock, processor_seconds() - processor


def output(*words):
    return subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, check=True).stdout


def check(name, found, report):
    """Whether the report is that of the command; of DuckDB, whether all figures are."""
    if name != "DuckDB":
        return found == report
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, "report.json"), Path(folder, "duckdb.tsv")]
        for path, content in zip(paths, (report, found)):
            path.write_bytes(content)
        return subprocess.run([sys.executable, str(PEERS / "agree.py"), *paths], stdout=subprocess.DEVNULL).returncode == 0


def ways(spark, command, path, account, duckdb):
    """What is compared, by name; the command comes first."""
    def on_spark(**options):
        return lambda: distributed.replay(spark, path, account, binary=command, **options).bytes

    found = {
        "`scenario replay --jobs 2`":
            lambda: output(command, "replay", path, "--account", account, "--format", "json", "--jobs", 2),
        "`local[2]`, by default": on_spark(),
        "`local[2]`, `shards=2`": on_spark(shards=2),
        "`local[2]`, `shards=8, split=True`": on_spark(shards=8, split=True),
    }
    if duckdb:
        found["DuckDB"] = lambda: output(duckdb, PEERS / "duckdb_work.py", path, 2)
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("command")
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--count", type=int, default=200_000)
    options.add_argument("--duckdb", metavar="PYTHON")
    options.add_argument("--rounds", type=int, default=1)
    given = options.parse_args()
    path, account = capture(given.data, given.count)
    command = os.path.abspath(given.command)
    spark = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false").getOrCreate())
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as small, open(path, "rb") as file:
        small.writelines(line for line, _ in zip(file, range(1000)))
        small.flush()
        for work in ways(spark, command, small.name, account, given.duckdb).values():
            work()
    compared = ways(spark, command, path, account, given.duckdb)
    first = next(iter(compared))
    # It reads the capture into memory, too.
    report = compared[first]()
    found = {name: [] for name in compared}
    for _ in range(given.rounds):
        for name, work in compared.items():
            result, *seconds = measure(work)
            if not check(name, result, report):
                raise SystemExit(f"{name}: another report")
            found[name].append(seconds)
    spark.stop()
    print(f"{given.count:,} attestations, {os.path.getsize(path) / 1e9:.2f} GB, medians of {given.rounds}\n")
    print("| way | seconds | ratio | of processors | ratio |\n| --- | --- | --- | --- | --- |")
    bases = [statistics.median(column) for column in zip(*found[first])]
    for name, rounds in found.items():
        clock, processor = (statistics.median(column) for column in zip(*rounds))
        print(f"| {name} | {clock:.2f} | {clock / bases[0]:.2f} | {processor:.2f} | {processor / bases[1]:.2f} |")


if __name__ == "__main__":
    main()
