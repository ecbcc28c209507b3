#!/usr/bin/env python3
"""Compares replays of tables in Python with the command on the same rows as JSON Lines, by seconds of processors.

    python.py COMMAND CAPTURE.jsonl --account ACCOUNT [--rounds N]

Runs in the Python of `make python`, .build/python/venv/bin/python. The table is held in polars, as text, as categories, and as categories and
times, and in pyarrow, as dictionaries; figures must be those of the file. Each way is measured in turn; the least counts.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integrations" / "python"))


def processor_seconds():
    return sum(used.ru_utime + used.ru_stime for used in map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("capture")
    parser.add_argument("--account", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    os.environ["POLICY_SCENARIO_COMMAND"] = os.path.abspath(given.command)

    import polars
    import policy_scenario as ps

    text = polars.read_ndjson(given.capture, infer_schema_length=10_000)
    names = [name for name, form in text.schema.items() if form == polars.String and name != "time"]
    categories = text.with_columns(polars.col(names).cast(polars.Categorical))
    times = categories.with_columns(polars.col("time").str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="ms", time_zone="UTC"))
    arrow = text.to_arrow()
    dictionaries = arrow
    for number, name in enumerate(arrow.column_names):
        if name in names:
            dictionaries = dictionaries.set_column(number, name, arrow[name].dictionary_encode())
    lines = tempfile.NamedTemporaryFile(suffix=".jsonl")
    text.write_ndjson(lines.name)

    def command():
        subprocess.run([given.command, "replay", lines.name, f"--account={given.account}", "--jobs=1", "--format=json"],
                       check=True, stdout=subprocess.DEVNULL)

    def replayed(table):
        return lambda: ps.replay(table, given.account, jobs=1, progress=False)

    ways = {
        "the command, JSON Lines": command, "polars, text": replayed(text), "polars, categories": replayed(categories),
        "polars, categories and times": replayed(times), "pyarrow, dictionaries": replayed(dictionaries)}
    expected = ps.replay(lines.name, given.account).metrics
    for name, work in list(ways.items())[1:]:
        assert work().metrics == expected, name
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(given.rounds):
        for name, work in ways.items():
            before = processor_seconds()
            work()
            least[name] = min(least[name], processor_seconds() - before)
    base = least["the command, JSON Lines"]
    print(f"{text.height:,} attestations\n| way | of the processor | × the command |\n| --- | ---: | ---: |")
    for name, seconds in least.items():
        print(f"| {name} | {seconds:.2f} s | {seconds / base:.2f} |")


if __name__ == "__main__":
    main()
