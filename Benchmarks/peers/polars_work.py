"""The whole work in Polars, printed as figures (agree.py says in which form).

usage: POLARS_MAX_THREADS=N polars_work.py FILE.jsonl|FILE.parquet
"""
import sys

import polars
from polars import col

import rules

ENGINE = "streaming"


def attestations(path):
    """The attestations of a file, and how its times become hours and days."""
    if path.endswith(".jsonl"):
        frame = polars.scan_ndjson(path, schema={name: polars.String for name in rules.COLUMNS})
        return frame, col("time").str.slice(0, 13), col("hour").str.slice(0, 10)
    return polars.scan_parquet(path), col("time").dt.truncate("1h"), col("hour").dt.truncate("1d")


def decided(frame, hour):
    """What the rules say of each attestation: filters, risk and verdict."""
    tests = [(col(key) == value).fill_null(False).alias(name) for name, key, value, _ in rules.EXACT]
    tests += [col(key).str.contains(value).fill_null(False).alias(name) for name, key, value, _ in rules.REGEXES]
    conjunctions = [polars.all_horizontal(*inputs).alias(name) for name, inputs, _ in rules.CONJUNCTIONS]
    rejecting = col("flags").str.contains(rules.flag_pattern(rules.REJECTING)).alias("rejecting")
    risk = col("flags").str.contains(rules.flag_pattern(rules.RISKY)).alias("risk")
    rows = frame.select(hour.alias("hour"), "device-id", "appid", "flags", rejecting, risk, *tests)
    rows = rows.with_columns(*conjunctions).with_columns(
        polars.any_horizontal("rejecting", *rules.names_of("reject")).alias("fails"),
        polars.any_horizontal("risk", *rules.names_of("risky")).alias("risky"))
    # Five questions are asked of these rows, which are worked out once.
    return rows.collect(engine=ENGINE).lazy()


def questions(rows, day):
    fails, passes = col("fails"), ~col("fails")
    totals = rows.select(
        passes.sum().alias("passes"), fails.sum().alias("failures"),
        (passes & col("risky")).sum().alias("risky passes"), (fails & col("risky")).sum().alias("risky failures"),
        *[col(name).sum() for name in rules.NAMES])
    lists = rows.filter(col("flags") != "").group_by("flags", "fails").len()
    flags = lists.with_columns(col("flags").str.split(",")).explode("flags").group_by("flags").agg(
        col("len").filter(passes).sum().alias("passes"), col("len").filter(fails).sum().alias("failures"))
    apps = rows.group_by("appid").agg(passes.sum().alias("passes"), fails.sum().alias("failures"))
    device_hours = rows.group_by("hour", "device-id").agg(
        passes.any().alias("passes"), fails.any().alias("failures"))
    hours = device_hours.group_by("hour").agg(col("passes").sum(), col("failures").sum())
    device_days = device_hours.group_by(day.alias("day"), "device-id").agg(col("passes").any(), col("failures").any())
    days = device_days.group_by("day").agg(col("passes").sum(), col("failures").sum())
    return polars.collect_all([totals, flags, apps, hours, days], engine=ENGINE)


def show(kind, name, passes, failures=0):
    print(kind, name, passes, failures, sep="\t")


def time_text(time, form):
    return time.replace("T", " ") if isinstance(time, str) else time.strftime(form)


def main():
    frame, hour, day = attestations(sys.argv[1])
    totals, flags, apps, hours, days = questions(decided(frame, hour), day)
    total = totals.row(0, named=True)
    show("total", "all", total["passes"], total["failures"])
    show("lifetime", "120", total["risky passes"], total["risky failures"])
    show("lifetime", "300", total["passes"] - total["risky passes"], total["failures"] - total["risky failures"])
    for name in rules.NAMES:
        show("filter", name, total[name])
    for flag, passes, failures in flags.iter_rows():
        show("flag", flag, passes, failures)
        if flag in rules.REJECTING:
            show("rejection", flag, passes + failures)
    for app, passes, failures in apps.iter_rows():
        show("app", app, passes, failures)
    for time, passes, failures in hours.iter_rows():
        show("hour", time_text(time, "%Y-%m-%d %H"), passes, failures)
    for time, passes, failures in days.iter_rows():
        show("day", time_text(time, "%Y-%m-%d"), passes, failures)


main()
