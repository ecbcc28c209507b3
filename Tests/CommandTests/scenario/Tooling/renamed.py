"""Writes packed columns with other names, and with times of another unit, by pyarrow.

Arguments: the columns, the file to write, the unit of times (`s`, `ms`, `us`, `ns`, or `number` for plain milliseconds), and
`--rename=NAME=KEY,…`, whose names the columns get. Runs in the environment of Tools/columns.txt.
"""

import sys

import pyarrow as pa
from pyarrow import ipc

source, target, unit, rename = sys.argv[1:]
names = {pair.split("=")[1]: pair.split("=")[0] for pair in rename.removeprefix("--rename=").split(",")}
table = ipc.open_file(source).read_all()
times = table.column("time").cast(pa.timestamp("ms" if unit == "number" else unit, "UTC"))
if unit == "number":
    times = times.cast(pa.int64())
table = table.set_column(table.schema.get_field_index("time"), "time", times)
table = table.rename_columns([names.get(name, name) for name in table.column_names])
with ipc.new_file(target, table.schema) as writer:
    writer.write_table(table)
