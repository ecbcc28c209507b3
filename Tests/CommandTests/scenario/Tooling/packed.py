"""Compares packed captures, as pyarrow, polars, pandas and DuckDB read them, with their JSON Lines, as Python's json reads those.

Reads {"packed": PATH, "lines": PATH} and writes {"differences": [TEXT, …]}."""

import base64
import datetime
import json
import sys

import duckdb
import pandas
import polars
import pyarrow as pa
from pyarrow import ipc

ORIGINS = ["origin-line", "origin-capture"]


def expected(path):
    """The records: each key with its text; flags under one name; the line."""
    records = []
    for number, line in enumerate(open(path, encoding="utf-8"), start=1):
        if not line.strip():
            continue
        record = {}
        for key, value in json.loads(line).items():
            if value is None:
                continue
            if key in ["public-flags", "flags-all"]:
                key = "flags"
            if isinstance(value, list):
                value = ",".join(value)
            record[key] = value if isinstance(value, str) else json.dumps(value)
        time = datetime.datetime.fromisoformat(record["time"].replace("Z", "+00:00"))
        record["time"] = int(time.timestamp())
        record["device-id"] = base64.b64decode(record["device-id"])
        record["origin-line"] = number
        records.append(record)
    return records


def by_rows(columns):
    """The records from columns: what is absent is left out."""
    names = [name for name in columns if name != "origin-capture"]
    return [
        {name: value for name, value in zip(names, row) if value is not None}
        for row in zip(*(columns[name] for name in names))]


def seconds(value):
    return None if value is None else int(value.timestamp())


def readers(path):
    with open(path, "rb") as file:
        data = file.read()
    is_file = data.startswith(b"ARROW1")
    table = (ipc.open_file if is_file else ipc.open_stream)(pa.py_buffer(data)).read_all()
    columns = {name: table[name].to_pylist() for name in table.column_names}
    columns["time"] = [seconds(value) for value in columns["time"]]
    yield "pyarrow", columns
    frame = (polars.read_ipc if is_file else polars.read_ipc_stream)(data)
    columns = {name: frame[name].to_list() for name in frame.columns}
    columns["time"] = [seconds(value) for value in columns["time"]]
    yield "polars", columns
    if is_file:
        frame = pandas.read_feather(path)
        columns = {
            name: [None if value is None or value is pandas.NA or value != value else value for value in frame[name].astype(object)]
            for name in frame.columns}
        columns["time"] = [seconds(value) for value in columns["time"]]
        yield "pandas", columns
    found = duckdb.from_arrow(table)
    names = [f'epoch("time")::bigint' if name == "time" else f'"{name.replace(chr(34), chr(34) * 2)}"' for name in table.column_names]
    rows = found.project(", ".join(names)).fetchall()
    yield "DuckDB", {name: [row[index] for row in rows] for index, name in enumerate(table.column_names)}


def differences(path, lines):
    records = expected(lines)
    for library, columns in readers(path):
        found = by_rows(columns)
        if len(found) != len(records):
            yield f"{library}: {len(found)} records, not {len(records)}"
        for index, (one, other) in enumerate(zip(found, records)):
            if one != other:
                yield f"{library}: record {index} is {one}, not {other}"
                break
        if set(columns["origin-capture"]) != {lines}:
            yield f"{library}: the captures are {set(columns['origin-capture'])}"


if __name__ == "__main__":
    work = json.load(sys.stdin)
    json.dump({"differences": list(differences(work["packed"], work["lines"]))}, sys.stdout)
