"""The whole work in one statement of DuckDB, printed as figures (agree.py says in which form).

usage: duckdb_work.py FILE.jsonl|FILE.parquet|FILE.duckdb THREADS

A file of DuckDB has the attestations of Parquet in a table of its own.
"""
import sys

import duckdb

import rules


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def any_of(names):
    return " OR ".join(names)


def statement(path):
    """The statement for a file."""
    if path.endswith(".jsonl"):
        columns = ", ".join(f"{quoted(name)}: 'VARCHAR'" for name in rules.COLUMNS)
        source = f"read_json({quoted(path)}, format='newline_delimited', columns={{{columns}}})"
        hour, day, hour_name, day_name = "left(time, 13)", "left(hour, 10)", "replace(hour, 'T', ' ')", "day"
    else:
        source = "attestations" if path.endswith(".duckdb") else f"read_parquet({quoted(path)})"
        hour, day = "date_trunc('hour', time)", "date_trunc('day', hour)"
        hour_name, day_name = "strftime(hour, '%Y-%m-%d %H')", "strftime(day, '%Y-%m-%d')"
    tests = [f'coalesce("{key}" = {quoted(value)}, false) AS {name}' for name, key, value, _ in rules.EXACT]
    tests += [f'coalesce(regexp_matches("{key}", {quoted(value)}), false) AS {name}'
              for name, key, value, _ in rules.REGEXES]
    conjunctions = [f"({' AND '.join(inputs)}) AS {name}" for name, inputs, _ in rules.CONJUNCTIONS]
    counts = ", ".join(f"count_if({name}) AS {name}" for name in rules.NAMES)
    pairs = ", ".join(f"{{'name': '{name}', 'count': {name}}}" for name in rules.NAMES)
    rejecting = ", ".join(map(quoted, rules.REJECTING))
    return f"""
WITH matched AS (
  SELECT {hour} AS hour, "device-id" AS device, appid, flags,
    regexp_matches(flags, {quoted(rules.flag_pattern(rules.REJECTING))}) AS rejecting,
    regexp_matches(flags, {quoted(rules.flag_pattern(rules.RISKY))}) AS risk,
    {", ".join(tests)}
  FROM {source}),
joined AS (SELECT *, {", ".join(conjunctions)} FROM matched),
decided AS MATERIALIZED (
  SELECT *, (rejecting OR {any_of(rules.names_of("reject"))}) AS fails,
    (risk OR {any_of(rules.names_of("risky"))}) AS risky
  FROM joined),
totals AS MATERIALIZED (
  SELECT count_if(NOT fails) AS passes, count_if(fails) AS failures, count_if(risky AND NOT fails) AS risky_passes,
    count_if(risky AND fails) AS risky_failures, {counts} FROM decided),
lists AS (SELECT flags, fails, count(*) AS count FROM decided WHERE flags <> '' GROUP BY ALL),
single AS (SELECT unnest(string_split(flags, ',')) AS flag, fails, count FROM lists),
by_flag AS MATERIALIZED (
  SELECT flag, coalesce(sum(count) FILTER (NOT fails), 0) AS passes, coalesce(sum(count) FILTER (fails), 0) AS failures
  FROM single GROUP BY flag),
device_hours AS MATERIALIZED (
  SELECT hour, device, bool_or(NOT fails) AS passes, bool_or(fails) AS failures FROM decided GROUP BY hour, device),
hours AS (SELECT hour, count_if(passes) AS passes, count_if(failures) AS failures FROM device_hours GROUP BY hour),
device_days AS (
  SELECT {day} AS day, device, bool_or(passes) AS passes, bool_or(failures) AS failures FROM device_hours GROUP BY ALL),
days AS (SELECT day, count_if(passes) AS passes, count_if(failures) AS failures FROM device_days GROUP BY day),
apps AS (SELECT appid, count_if(NOT fails) AS passes, count_if(fails) AS failures FROM decided GROUP BY appid)
SELECT 'total', 'all', passes, failures FROM totals
UNION ALL SELECT 'lifetime', '120', risky_passes, risky_failures FROM totals
UNION ALL SELECT 'lifetime', '300', passes - risky_passes, failures - risky_failures FROM totals
UNION ALL SELECT 'filter', pair.name, pair.count, 0 FROM (SELECT unnest([{pairs}]) AS pair FROM totals)
UNION ALL SELECT 'flag', flag, passes, failures FROM by_flag
UNION ALL SELECT 'rejection', flag, passes + failures, 0 FROM by_flag WHERE flag IN ({rejecting})
UNION ALL SELECT 'app', appid, passes, failures FROM apps
UNION ALL SELECT 'hour', {hour_name}, passes, failures FROM hours
UNION ALL SELECT 'day', {day_name}, passes, failures FROM days"""


def main():
    path, threads = sys.argv[1], int(sys.argv[2])
    connection = duckdb.connect(path, read_only=True) if path.endswith(".duckdb") else duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    for kind, name, passes, failures in connection.execute(statement(path)).fetchall():
        print(kind, name, passes, failures, sep="\t")


main()
