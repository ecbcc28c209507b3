"""Many small scenarios, and starting up: P5."""
import json
import statistics
import subprocess
import time

from captures import write_scenarios
from replays import require
from table import table, thousands
from work import Work, alternate

SCENARIOS = 10_000
STARTS = 100


def scenario_runs(setting):
    folder = write_scenarios(setting.scratch / "scenarios", SCENARIOS)
    return [
        Work(
            f"run of {thousands(SCENARIOS)} scenario files, {jobs}",
            [setting.scenario, "run", folder, "--format", "json", "--jobs", jobs],
            setting.scratch / f"run-{jobs}.json")
        for jobs in (1, 2)
    ]


def first_byte(command):
    """Seconds until a command has printed its first byte."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        process.stdout.read(1)
        seconds = time.perf_counter() - start
    return seconds


def measure(setting):
    """Times both; returns the runs, and the milliseconds to the first byte of a trivial command and of ours."""
    works = scenario_runs(setting)

    def check():
        for work in works:
            summary = json.loads(work.output.read_text())["summary"]
            require((summary["scenarios"], summary["passed"]) == (SCENARIOS, SCENARIOS), f"{work.name}: {summary}")

    alternate(works, setting.runs, check)
    trivial, ours = [], []
    for _ in range(STARTS):
        trivial.append(first_byte(["echo"]))
        ours.append(first_byte([setting.scenario, "--version"]))
    return works, statistics.median(trivial) * 1000, statistics.median(ours) * 1000


def text(works, trivial, ours):
    """The chapter."""
    rows = [[work.name, f"{work.seconds:.2f}", f"{work.processor_seconds:.2f}", f"{work.resident_megabytes:.0f}"]
            for work in works]
    return "\n\n".join([
        "## Many small scenarios, and starting up",
        table(["command, threads", "seconds", "processor seconds", "resident MB"], rows),
        f"First byte of `scenario --version` after {ours:.1f} ms, of `echo` after {trivial:.1f} ms "
        f"(medians of {STARTS}).",
    ])
