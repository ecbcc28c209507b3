"""Captures that are a table: rows are brought into the order of time, and each task splits those of its partition."""

from __future__ import annotations

import bisect
import json
import os
import shutil
import subprocess
import tempfile
import uuid
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple

from .._errors import ScenarioError
from ._command import find, started

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

# The key of the metadata in which files of parts describe the captures.
_SPLIT = b"scenario.split"
_SCHEMA = "partition long, status long, messages string"
#: The parts of the devices, unless it was said how many there are to be.
SHARDS = 64
#: What the columns are called, unless it was said: the text of a record, its time, and where it stood.
COLUMNS = {"record": "record", "time": "time", "file": "file", "offset": "offset"}


def is_table(source: object) -> bool:
    """Whether captures are a DataFrame, of whatever kind of Spark."""
    return hasattr(source, "mapInArrow")


def split_rows(
    table: DataFrame, columns: Optional[Dict[str, str]], reading: Sequence[str], shards: int, folder: str,
    binary: Optional[str],
) -> List[str]:
    """Splits the records of a table, and gives the folders in the order of time."""
    names = {**COLUMNS, **(columns or {})}
    missing = [name for name in names.values() if name not in table.columns]
    if missing:
        raise ScenarioError(f"the table has no column {missing[0]}; `columns` says what its columns are called")
    ordered = table.select([table[names[name]].alias(name) for name in COLUMNS]).orderBy("time", "file", "offset")

    def stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow
        from pyspark import TaskContext

        context = TaskContext.get()
        number = context.partitionId() if context is not None else 0
        status, messages = split_partition(batches, os.path.join(folder, f"split-{number}"), shards, reading, binary)
        yield pyarrow.RecordBatch.from_arrays(
            [
                pyarrow.array([number], pyarrow.int64()), pyarrow.array([status], pyarrow.int64()),
                pyarrow.array([messages], pyarrow.string()),
            ],
            names=["partition", "status", "messages"])

    rows = sorted(ordered.mapInArrow(stage, _SCHEMA).collect(), key=lambda row: row["partition"])
    for row in rows:
        if row["status"] > 0 or row["status"] == _MISSING:
            raise ScenarioError(row["messages"].strip(), row["status"] if row["status"] > 0 else None)
    folders = [os.path.join(folder, f"split-{row['partition']}") for row in rows if row["status"] == 0]
    if not folders:
        raise ScenarioError("the table has no rows")
    return folders


# There were no rows, or no command.
_EMPTY, _MISSING = -1, -2


def split_partition(
    batches: Iterator[pa.RecordBatch], folder: str, shards: int, reading: Sequence[str], binary: Optional[str],
) -> Tuple[int, str]:
    """Hands the records of a partition to `scenario split`, and gives its status and what it said."""
    attempt = f"{folder}-{uuid.uuid4().hex}"
    arguments = ["split", "-", f"--shards={shards}", f"--output={attempt}", "--no-progress", "--jobs=1", *reading]
    try:
        find(binary)
    except ScenarioError as failure:
        return _MISSING, str(failure)
    rows = _Rows()
    with tempfile.TemporaryFile() as messages:
        command = None
        for batch in batches:
            if batch.num_rows == 0:
                continue
            if command is None:
                command = started(
                    arguments, binary, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=messages)
            assert command.stdin is not None
            try:
                command.stdin.write(rows.taken(batch))
            except BrokenPipeError:
                # It says why in a moment.
                break
        if command is None:
            return _EMPTY, ""
        try:
            command.communicate()
        except BrokenPipeError:
            command.wait()
        messages.seek(0)
        said = messages.read().decode("utf-8", "replace")
    if command.returncode < 0 or command.returncode in (70, 71):
        raise RuntimeError(f"scenario ended with {command.returncode}: {said}")
    if command.returncode != 0:
        return command.returncode, said
    for name in os.listdir(attempt):
        rows.name_problems(os.path.join(attempt, name))
    try:
        os.rename(attempt, folder)
    except OSError:
        shutil.rmtree(attempt, ignore_errors=True)
        if not os.path.isdir(folder):
            raise
    return 0, said


class _Rows:
    """The rows of a partition, and at which line of what was handed over each starts."""

    def __init__(self) -> None:
        self._batches: List[Any] = []
        # For each batch the lines up to its end, and the lines before each of its rows, where these have several.
        self._ends: List[int] = []
        self._starts: List[Optional[List[int]]] = []

    def taken(self, batch: pa.RecordBatch) -> bytes:
        records = [
            record.encode() if isinstance(record, str) else bytes(record or b"")
            for record in batch.column(0).to_pylist()]
        lines = [record if record.endswith(b"\n") else record + b"\n" for record in records]
        counts = [line.count(b"\n") for line in lines]
        start = self._ends[-1] if self._ends else 0
        total = sum(counts)
        starts: Optional[List[int]] = None
        if total != len(lines):
            starts, line = [], start
            for count in counts:
                starts.append(line)
                line += count
        self._starts.append(starts)
        self._ends.append(start + total)
        self._batches.append(batch.select(["file", "offset"]))
        return b"".join(lines)

    def name_problems(self, path: str) -> None:
        """Says in the file of a part which rows its malformed records are; most files name none, and stay as they are."""
        import pyarrow

        with pyarrow.ipc.open_file(path) as file:
            metadata = dict(file.schema.metadata)
            split = json.loads(metadata[_SPLIT])
            if not split["problems"]:
                return
            for problem in split["problems"]:
                problem["file"] = "table"
                problem["message"] += " ({} at {})".format(*self._place(problem["line"]))
            metadata[_SPLIT] = json.dumps(split).encode()
            schema = file.schema.with_metadata(metadata)
            batches = [file.get_batch(number) for number in range(file.num_record_batches)]
        options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        with pyarrow.ipc.new_file(path + ".named", schema, options=options) as written:
            for batch in batches:
                written.write(batch.replace_schema_metadata(metadata))
        os.replace(path + ".named", path)

    def _place(self, line: int) -> Tuple[str, str]:
        number = bisect.bisect_left(self._ends, line)
        before = self._ends[number - 1] if number > 0 else 0
        starts = self._starts[number]
        row = line - 1 - before if starts is None else bisect.bisect_left(starts, line) - 1
        batch = self._batches[number]
        return str(batch.column(0)[row].as_py()), str(batch.column(1)[row].as_py())
