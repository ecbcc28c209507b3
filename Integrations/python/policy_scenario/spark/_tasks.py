"""Runs one command for each task of a stage, and collects what they print as rows."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from typing import TYPE_CHECKING, Iterator, List, NamedTuple, Optional, Sequence

from .._errors import ScenarioError
from ._command import run

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_SCHEMA = "task long, status long, output binary, messages string"


class Task(NamedTuple):
    """A command, and where its folder belongs once it is whole."""

    arguments: Sequence[str]
    # A command that writes a folder gets `--output` with one of its own attempt, which then takes this name.
    folder: Optional[str] = None
    # A command that writes a partial result gets `--partial` with a file, whose content is its output.
    has_partial: bool = False


class Answer(NamedTuple):
    output: bytes
    messages: str


def run_all(spark: SparkSession, tasks: Sequence[Task], binary: Optional[str]) -> List[Answer]:
    """Runs a task a partition, as many at a time as Spark likes.

    Raises `ScenarioError` with what the first task said that did not succeed.
    """
    if not tasks:
        return []

    def stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow

        for batch in batches:
            for number in batch.column(0).to_pylist():
                status, output, messages = perform(tasks[number], binary)
                yield pyarrow.RecordBatch.from_arrays(
                    [
                        pyarrow.array([number], pyarrow.int64()), pyarrow.array([status], pyarrow.int64()),
                        pyarrow.array([output], pyarrow.binary()), pyarrow.array([messages], pyarrow.string()),
                    ],
                    names=["task", "status", "output", "messages"])

    count = len(tasks)
    rows = spark.range(0, count, 1, count).mapInArrow(stage, _SCHEMA).collect()
    answers = {row["task"]: row for row in rows}
    for number in range(count):
        row = answers[number]
        if row["status"] != 0:
            raise ScenarioError(row["messages"].strip(), row["status"] if row["status"] > 0 else None)
    return [Answer(bytes(answers[number]["output"]), answers[number]["messages"]) for number in range(count)]


def perform(task: Task, binary: Optional[str]) -> tuple[int, bytes, str]:
    """Runs one task on the current machine; a status of -1 stands for a command that cannot be run."""
    arguments = list(task.arguments)
    if task.has_partial:
        with tempfile.NamedTemporaryFile(prefix="scenario-partial-") as partial:
            status, _, messages = perform(Task([*arguments, f"--partial={partial.name}"]), binary)
            # The command has put another file in its place.
            with open(partial.name, "rb") as file:
                return status, file.read(), messages
    attempt = None
    if task.folder is not None:
        # Several attempts may be active at a time, on several machines.
        attempt = f"{task.folder}-{uuid.uuid4().hex}"
        arguments += [f"--output={attempt}"]
    try:
        done = run(arguments, binary)
    except ScenarioError as failure:
        return -1, b"", str(failure)
    if attempt is not None and task.folder is not None and done.status == 0:
        try:
            os.rename(attempt, task.folder)
        except OSError:
            # Another attempt was first; what it wrote is the same.
            shutil.rmtree(attempt, ignore_errors=True)
            if not os.path.isdir(task.folder):
                raise
    return done.status, done.output, done.messages
