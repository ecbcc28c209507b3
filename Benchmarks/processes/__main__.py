"""Times the command against its peers and writes the results in Markdown; ../README.md says how to use it."""
import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

# Leaves the checkout as it is.
sys.dont_write_bytecode = True

import against
import breakdown
import columns
import comparing
import engines
import goals
import growth
import machine
import overview
import starting
from setting import EVENTS, Setting


def read_arguments():
    parser = argparse.ArgumentParser(prog="processes", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder for captures, which are kept; needs 6 GB")
    parser.add_argument("--python", default=sys.executable, help="a Python with duckdb and polars")
    parser.add_argument("--date", required=True, help="the day, for the heading")
    parser.add_argument("--output", type=Path, default=Path("/dev/stdout"), help="by default standard output")
    parser.add_argument("--note", default="", help="what else a reader of the figures must know")
    parser.add_argument("--runs", type=int, default=5, help="runs of everything; by default 5")
    parser.add_argument("--columns", type=int, metavar="COUNT", help="only the chapter of columns, for some attestations")
    parser.add_argument("--overview", type=int, metavar="COUNT", help="only the table of the README, for some attestations")
    parser.add_argument("--against", type=Path, metavar="COMMAND", help="only another build, in turn with this one")
    return parser.parse_args()


def decisions(setting):
    """The table of the command `decisions`, and from it median nanoseconds and allocations by name."""
    done = subprocess.run([setting.decisions], capture_output=True, text=True, check=True)
    cells = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()[2:]]
    return done.stdout.strip(), {name: (float(median), float(allocations)) for name, median, _, _, allocations in cells}


def chapter(name, measure, *inputs):
    print(name, file=sys.stderr)
    return measure(*inputs)


def results(setting, date, note):
    """Measures everything and returns the document."""
    machine_line = machine.describe(date, setting.root, setting.python)
    chapter("preparing", setting.prepare)
    table, figures = chapter("decisions", decisions, setting)
    by_engine = chapter("engines", engines.measure, setting)
    compared = chapter("comparing", comparing.measure, setting)
    started = chapter("starting", starting.measure, setting)
    grown = chapter("growth", growth.measure, setting)
    packed = chapter("columns", columns.measure, setting)
    return "\n\n".join([
        "# Results",
        machine_line,
        f"Medians of {setting.runs} (decisions: of 7), engines in turn, page cache warm. This file is made by the "
        f"command in [README.md](README.md). {note}".strip(),
        goals.text(by_engine, compared, started, grown, figures),
        engines.text(by_engine),
        breakdown.text(by_engine, grown, figures),
        "## Decisions in memory\n\nFlags, devices and values were seen before, unless a name says otherwise.",
        table,
        comparing.text(compared),
        starting.text(*started),
        growth.text(grown),
        columns.text(*packed, setting.count),
    ]) + "\n"


def main():
    arguments = read_arguments()
    arguments.data.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=arguments.data) as scratch:
        setting = Setting(
            root=Path(__file__).resolve().parents[2], data=arguments.data.resolve(),
            scratch=Path(scratch).resolve(), python=arguments.python, runs=arguments.runs,
            count=arguments.overview or arguments.columns or EVENTS)
        if arguments.against:
            document = against.text(against.measure(setting, arguments.against), setting.count) + "\n"
        elif arguments.overview:
            document = overview.text(overview.measure(setting), setting) + "\n"
        elif arguments.columns:
            document = columns.text(*columns.measure(setting), setting.count) + "\n"
        else:
            document = results(setting, arguments.date, arguments.note)
    # Written at the end, so that a run that fails leaves the results as they were.
    arguments.output.write_text(document, encoding="utf-8")


main()
