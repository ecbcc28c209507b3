"""The goals P1 to P6 against what was measured."""
from comparing import ratio
from engines import distinct_devices
from setting import EVENTS
from table import table

CORES = {1: "on one core", 2: "on two"}


def speed_rows(engines):
    """P1: against DuckDB on JSON Lines, against Polars on Parquet, and against what reading alone costs."""
    def times(ours, peer):
        return engines[peer].seconds / engines[ours].seconds

    for form, of_floor in (("jsonl", 9), ("txt", 4.5)):
        for jobs, goal in ((1, 5), (2, 4.5)):
            factor = times(f"scenario, {form}, {jobs}", f"DuckDB, jsonl, {jobs}")
            yield f"P1, {form}: × DuckDB on JSON Lines, {CORES[jobs]}", f"≥ {goal}", factor, factor >= goal
        scaling = times(f"scenario, {form}, 2", f"scenario, {form}, 1")
        yield f"P1, {form}: × as fast on two cores as on one", "≥ 1.7", scaling, scaling >= 1.7
        work, floor = engines[f"scenario, {form}, 1"], engines[f"read and count lines, {form}, 1"]
        factor = work.processor_seconds / floor.processor_seconds
        yield f"P1, {form}: processor time, × that of counting lines", f"≤ {of_floor}", factor, factor <= of_floor
    factor = times("scenario, jsonl, 2", "Polars, parquet, 2")
    yield "P1, jsonl: × Polars on Parquet, on two", "≥ 2", factor, factor >= 2


def memory_rows(engines, growth):
    """P2: against the devices, against the length, and from standard input."""
    # Each of two workers keeps at most this number of values of the few attributes that have many.
    allowed = 60 + 64 * distinct_devices(engines) / 1e6 + 16 * 2 * 3 * 65_536 / 1e6
    for name in ("scenario, txt, 2", "scenario, jsonl, 2", "scenario, jsonl on standard input, 2"):
        resident = engines[name].resident_megabytes
        yield f"P2: MB resident, {name}", f"≤ {allowed:.0f}", resident, resident <= allowed
    work = growth["shapes"]["every device and every value once", EVENTS]
    yield ("P2: MB resident, 1 000 000 devices", "≤ 130", work.resident_megabytes, work.resident_megabytes <= 130)
    once, twice = (growth["events"][events, 2].resident_megabytes for events in (EVENTS, 2 * EVENTS))
    # Blocks are taken by whichever worker is free, so equal runs differ by some of them.
    yield "P2: MB more for twice the length", "≤ 2", twice - once, twice - once <= 2


def decision_rows(decisions):
    """P3, from the table of the command `decisions`."""
    full = decisions["25 filters: 12 exact, 10 regexes, 3 conjunctions"]
    yield "P3: ns a decision with 25 filters", "≤ 70", full[0], full[0] <= 70
    yield "P3: allocations a decision", "0", full[1], full[1] == 0
    sampling = (decisions["sampling, after each device's first of a day"][0]
                - decisions["a filtered policy, no sampling"][0])
    yield "P3: ns that sampling adds after the first of a day", "≤ 20", sampling, sampling <= 20


def growth_rows(growth):
    """P6: by events and by regexes."""
    for jobs in (1, 2):
        quarter, twice = (growth["events"][events, jobs].seconds / events for events in (EVENTS // 4, 2 * EVENTS))
        factor = twice / quarter
        yield f"P6: time an event, 2 M against 0.25 M, {CORES[jobs]}", "≤ 1.1", factor, factor <= 1.1
    for key in ("app-version", "device", "ip"):
        factor = growth["regexes"][key, 10].seconds / growth["regexes"][key, 1].seconds
        yield f"P6: 10 × the regexes, {key}", "< 1.2", factor, factor < 1.2


def all_rows(engines, comparison, starts, growth, decisions):
    yield from speed_rows(engines)
    yield from memory_rows(engines, growth)
    yield from decision_rows(decisions)
    for form in ("txt", "jsonl"):
        for jobs in (1, 2):
            factor = ratio(comparison, form, jobs)
            yield f"P4: a comparison against a replay, {form}, {CORES[jobs]}", "≤ 1.5", factor, factor <= 1.5
    runs, _, first_byte = starts
    yield "P5: seconds for 10 000 scenarios, on two cores", "< 1", runs[1].seconds, runs[1].seconds < 1
    yield "P5: ms to the first byte of `--version`", "≤ 10", first_byte, first_byte <= 10
    yield from growth_rows(growth)


def text(*measured):
    """The chapter."""
    rows = [[name, goal, f"{value:.2f}", "yes" if reached else "**no**"]
            for name, goal, value, reached in all_rows(*measured)]
    return "\n\n".join(["## The goals", table(["goal", "aim", "measured", "reached"], rows)])
