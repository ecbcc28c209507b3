#!/usr/bin/env python3
"""Writes columns with pyarrow, polars, pandas and DuckDB, with the values that they have; reads those of others with the same
four, and prints each difference. Runs in the environment of Tools/columns.txt.

usage: columns.py write FOLDER SEEDS | read FOLDER

Beside NAME.arrow is NAME.lines: a line with the names of the columns, then a line for each row. A value is `-` if it is absent, a
letter and hexadecimal digits (`t` for text, `b` for bytes), `n` and a number, or a list of values in brackets. Behind the name of
a column of times are its unit and its zone; in what is read, all times are in nanoseconds.
"""

import datetime
import io
import random
import sys
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow as pa
from pyarrow import ipc

UNITS = ["s", "ms", "us", "ns"]


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return cell("true" if value else "false")
    if isinstance(value, str):
        return "t" + value.encode().hex()
    if isinstance(value, (bytes, bytearray)):
        return "b" + bytes(value).hex()
    if isinstance(value, Number):
        return f"n{int(value)}"
    if isinstance(value, (int, float)):
        return cell(repr(value))
    return "[" + ",".join(map(cell, value)) + "]"


class Number(int):
    """A number that is read as one; the others are texts."""


def save(folder, name, data, columns):
    """Writes a case: columns are (name, values)."""
    (folder / f"{name}.arrow").write_bytes(data)
    lines = ["\t".join(name for name, _ in columns)]
    lines += ["\t".join(map(cell, row)) for row in zip(*(values for _, values in columns))]
    (folder / f"{name}.lines").write_text("\n".join(lines) + "\n", encoding="utf-8")


# Random tables of pyarrow

TEXTS = ["", "a", "rooted,xposed", "twelve bytes", "thirteen byte", "äöü", "日本語のテキストです", "😀" * 9, "x" * 300, "\0", '"\\\n']
ZONES = [None, "UTC", "Etc/UTC", "+00:00"]
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
KEYS = INTEGERS[:3] + INTEGERS[4:7]
TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view()]
BYTES_TYPES = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(16)]
LISTS = [pa.list_, pa.large_list, pa.list_view, pa.large_list_view]
FLOATS = {16: [0.5, -2.0, 65504.0, 0.0, -0.0], 32: [0.5, -2.0, 1e20, -0.0, 3.4028235e38], 64: [0.1, -2.0, 1e20, 5e-324]}


class Kind:
    """A column: the type of Arrow, and a way to draw a value."""

    def __init__(self, draw_from):
        pick = draw_from.choice
        self.expected, self.header, self.dictionary = (lambda value: value), "", None
        kind = pick(["text", "bytes", "integer", "float", "boolean", "time", "null", "list", "dictionary", "dictionary"])
        self.draw = lambda: pick(TEXTS)
        if kind == "text":
            self.type = pick(TEXT_TYPES)
        elif kind == "bytes":
            self.type = pick(BYTES_TYPES)
            size = 16 if pa.types.is_fixed_size_binary(self.type) else None
            self.draw = lambda: draw_from.randbytes(pick([0, 1, 12, 13, 40]) if size is None else size)
        elif kind == "integer":
            self.type = pick(INTEGERS)
            bits, signed = self.type.bit_width, pa.types.is_signed_integer(self.type)
            low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
            self.draw = lambda: pick([low, high, 0, draw_from.randint(low, high)])
        elif kind == "float":
            bits = pick([16, 32, 64])
            self.type = {16: pa.float16(), 32: pa.float32(), 64: pa.float64()}[bits]
            self.draw = lambda: pick(FLOATS[bits])
        elif kind == "boolean":
            self.type, self.draw = pa.bool_(), lambda: pick([True, False])
        elif kind == "time":
            unit, zone = draw_from.randrange(4), pick(ZONES)
            self.type, self.header = pa.timestamp(UNITS[unit], zone), f":{unit}:{zone or ''}"
            self.draw, self.expected = lambda: draw_from.randint(-(1 << 62), 1 << 62), Number
        elif kind == "null":
            self.type, self.draw = pa.null(), lambda: None
        elif kind == "list":
            element = pick(TEXT_TYPES + [pa.dictionary(pa.int8(), pa.string()), pa.int16(), pa.bool_()])
            one = {pa.int16(): lambda: draw_from.randint(-9, 9), pa.bool_(): lambda: pick([True, False])}.get(
                element, lambda: pick(TEXTS))
            self.type = pick(LISTS)(element)
            self.draw = lambda: [one() if pick([1, 1, 1, 0]) else None for _ in range(pick([0, 1, 2, 5]))]
        else:
            value = pick(TEXT_TYPES[:2] * 3 + [pa.int32(), pa.binary(16), pa.binary()])
            self.type = pa.dictionary(pick(KEYS), value)
            make = {pa.int32(): lambda index: index * 1000003, pa.binary(16): lambda index: index.to_bytes(16, "little"),
                    pa.binary(): lambda index: bytes(index % 20)}.get(value, lambda index: TEXTS[index % 11] + str(index // 11))
            # Values twice, values that nobody uses, and none.
            self.dictionary = [None if pick([1] * 9 + [0]) == 0 else make(index) for index in range(pick([1, 5, 120]))]
            self.dictionary += [make(1)] * pick([0, 2])
        self.absent = pick([0, 0, 10, 60, 100])

    def column(self, values, shared):
        """The array of some values; of a dictionary, those are keys."""
        if self.dictionary is None:
            return pa.array(values, self.type)
        entries = pa.array(shared, self.type.value_type)
        return pa.DictionaryArray.from_arrays(pa.array(values, self.type.index_type), entries)


def random_table(seed):
    """The bytes of a drawn table, and its columns with their values."""
    chance = random.Random(seed)
    is_file, growth = chance.random() < 0.5, chance.choice(["same", "same", "grow", "replace"])
    if is_file and growth == "replace":
        growth = "same"
    kinds = [Kind(chance) for _ in range(chance.randint(1, 8))]
    while chance.random() < 0.3 and growth == "same":
        kinds.append(Kind(chance))
    for kind in kinds:
        # The dictionaries within lists are made by pyarrow, anew for each batch.
        if pa.types.is_dictionary(getattr(kind.type, "value_type", pa.null())) and is_file:
            kind.type = pa.list_(pa.string())
    schema = pa.schema([pa.field(f"c{index}", kind.type) for index, kind in enumerate(kinds)], {"by": "a test"})
    options = ipc.IpcWriteOptions(compression=chance.choice([None, "lz4", "zstd"]), emit_dictionary_deltas=growth == "grow")
    output, expected = io.BytesIO(), [[] for _ in kinds]
    with (ipc.new_file if is_file else ipc.new_stream)(output, schema, options=options) as writer:
        for number in range(chance.choice([0, 1, 2, 2, 5])):
            rows, arrays = chance.choice([0, 1, 7, 64, 64, 200]), []
            skipped = chance.choice([0, 0, 3])
            for kind, all_values in zip(kinds, expected):
                shared = kind.dictionary
                if shared and growth == "grow":
                    shared = shared[:max(1, len(shared) * (number + 1) // 5)]
                if shared and growth == "replace":
                    shared = chance.sample(shared, len(shared))
                draw = kind.draw if shared is None else lambda: chance.randrange(len(shared))
                values = [None if chance.randrange(100) < kind.absent else draw() for _ in range(rows + skipped)]
                arrays.append(kind.column(values, shared))
                if shared is not None:
                    values = [None if key is None else shared[key] for key in values]
                all_values += [None if value is None else kind.expected(value) for value in values[skipped:]]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema).slice(skipped))
    return output.getvalue(), [(f"c{index}{kind.header}", values) for index, (kind, values) in enumerate(zip(kinds, expected))]


# Files as each library writes them

def of_polars(folder):
    time = datetime.datetime(2020, 7, 23, 11, 10, 43)
    micros = Number(1595502643000000)
    texts, lists = ["x", None, "a text of more than twelve bytes"], [["a", "b"], None, []]
    frame = polars.DataFrame({
        "text": texts, "category": polars.Series(["u", "v", None], dtype=polars.Categorical),
        "enum": polars.Series(["v", "v", "u"], dtype=polars.Enum(["u", "v"])), "list": lists,
        "time": [time, None, time], "bytes": [bytes(16), b"0123456789abcdef", None], "none": [None] * 3,
        "integer": [1, None, -5], "float": [0.5, None, 1e20], "boolean": [True, None, False],
        "categories": polars.Series([["u"], ["v", "u"], None], dtype=polars.List(polars.Categorical)),
        "zoned": polars.Series([time, None, time]).dt.replace_time_zone("UTC").dt.cast_time_unit("ms"),
    })
    columns = [
        ("text", texts), ("category", ["u", "v", None]), ("enum", ["v", "v", "u"]), ("list", lists),
        ("time:2:", [micros, None, micros]), ("bytes", [bytes(16), b"0123456789abcdef", None]), ("none", [None] * 3),
        ("integer", [1, None, -5]), ("float", [0.5, None, 1e20]), ("boolean", [True, None, False]),
        ("categories", [["u"], ["v", "u"], None]), ("zoned:1:UTC", [Number(micros // 1000), None, Number(micros // 1000)]),
    ]
    twice = polars.concat([frame, frame], rechunk=False)
    for compression in ["uncompressed", "lz4", "zstd"]:
        for level, label in [(polars.CompatLevel.newest(), "new"), (polars.CompatLevel.oldest(), "old")]:
            for table, count in [(frame, 1), (twice, 2)]:
                for form, write in [("file", table.write_ipc), ("stream", table.write_ipc_stream)]:
                    output, size = io.BytesIO(), {"record_batch_size": 2} if form == "file" and count == 2 else {}
                    write(output, compression=compression, compat_level=level, **size)
                    save(folder, f"polars-{form}-{compression}-{label}-{count}", output.getvalue(),
                         [(name, values * count) for name, values in columns])


def of_pandas(folder):
    times = pandas.Series(pandas.to_datetime(["2020-07-23T11:10:43Z", None], utc=True)).dt.as_unit("ns")
    frame = pandas.DataFrame({
        "text": ["x", None], "category": pandas.Categorical(["u", None]), "time": times,
        "integer": pandas.array([7, None], dtype="Int64"), "boolean": [True, False]})
    columns = [("text", ["x", None]), ("category", ["u", None]), ("time:3:UTC", [Number(1595502643000000000), None]),
               ("integer", [7, None]), ("boolean", [True, False])]
    for compression in ["uncompressed", "lz4", "zstd"]:
        frame.to_feather(folder / "pandas.tmp", compression=compression)
        save(folder, f"pandas-{compression}", (folder / "pandas.tmp").read_bytes(), columns)


def of_duckdb(folder):
    found = duckdb.sql("""
        select case when i % 3 = 0 then null else 'text ' || i end as text, ['a', null, 'b' || i] as list,
            (case when i % 2 = 0 then 'u' else 'v' end)::enum('u', 'v') as enum, 1.5::double as float, i % 2 = 0 as boolean,
            encode('bytes ' || i) as bytes, i::utinyint as integer, timestamp '2020-07-23 11:10:43' + to_seconds(i) as time
        from range(5) t(i) order by i""").to_arrow_table()
    numbers = range(5)
    columns = [
        ("text", [None if i % 3 == 0 else f"text {i}" for i in numbers]), ("list", [["a", None, f"b{i}"] for i in numbers]),
        ("enum", ["uv"[i % 2] for i in numbers]), ("float", [1.5] * 5), ("boolean", [i % 2 == 0 for i in numbers]),
        ("bytes", [f"bytes {i}".encode() for i in numbers]), ("integer", list(numbers)),
        ("time:2:", [Number(1595502643000000 + i * 1000000) for i in numbers])]
    for form, make in [("file", ipc.new_file), ("stream", ipc.new_stream)]:
        output = io.BytesIO()
        with make(output, found.schema) as writer:
            writer.write_table(found, max_chunksize=2)
        save(folder, f"duckdb-{form}", output.getvalue(), columns)


# Reading

def nanoseconds(array):
    """Times of pyarrow as numbers."""
    factor = 1000 ** (3 - UNITS.index(array.type.unit))
    return [None if value is None else Number(value * factor) for value in array.cast(pa.int64()).to_pylist()]


def by_pyarrow(table):
    return [nanoseconds(column) if pa.types.is_timestamp(column.type) else column.to_pylist() for column in table.columns]


def read(data):
    """The columns as each library has them."""
    is_file = data.startswith(b"ARROW1")
    table = (ipc.open_file if is_file else ipc.open_stream)(pa.py_buffer(data)).read_all()
    yield "pyarrow", by_pyarrow(table)
    frame = (polars.read_ipc if is_file else polars.read_ipc_stream)(io.BytesIO(data))
    yield "polars", [
        [None if value is None else Number(value) for value in series.dt.cast_time_unit("ns").to_physical().to_list()]
        if series.dtype == polars.Datetime else series.to_list() for series in frame]
    # Without these options, pandas makes floating-point numbers of whole ones where some are absent.
    frame = pandas.read_feather(io.BytesIO(data), dtype_backend="numpy_nullable") if is_file else \
        ipc.open_stream(pa.py_buffer(data)).read_pandas(integer_object_nulls=True)
    yield "pandas", [
        [None if pandas.isna(value) else Number(value.as_unit("ns").value) if isinstance(value, pandas.Timestamp) else value
         for value in frame.iloc[:, index].astype(object)] for index in range(frame.shape[1])]
    found = duckdb.from_arrow(table)
    chosen = [f'epoch_ns("{name}")' if "TIMESTAMP" in str(kind) else f'"{name}"' for name, kind in zip(found.columns, found.types)]
    rows = found.project(", ".join(chosen)).fetchall()
    yield "DuckDB", [
        [Number(row[index]) if "epoch" in name and row[index] is not None else row[index] for row in rows]
        for index, name in enumerate(chosen)]


def check(folder):
    for path in sorted(folder.glob("*.arrow")):
        expected = path.with_suffix(".lines").read_text(encoding="utf-8").splitlines()[1:]
        for library, columns in read(path.read_bytes()):
            found = ["\t".join(map(cell, row)) for row in zip(*columns)]
            if found != expected:
                row = next((index for index, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), "all")
                pair = (found[row], expected[row]) if row != "all" else (len(found), len(expected))
                print(f"{path.name}: {library} differs in row {row}: {pair[0]}, not {pair[1]}")


def main():
    mode, folder = sys.argv[1], Path(sys.argv[2])
    if mode == "read":
        return check(folder)
    for seed in range(int(sys.argv[3])):
        save(folder, f"pyarrow-{seed}", *random_table(seed))
    of_polars(folder)
    of_pandas(folder)
    of_duckdb(folder)


if __name__ == "__main__":
    main()
