"""Every single decision, as a DataFrame."""

from __future__ import annotations

import atexit
import io
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Dict, Iterator, List, Optional, Sequence

from .._errors import ScenarioError
from ._command import started
from ._run import _options, _reading, captures_of, inputs_of, shard_count

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from ._run import Source

_SCHEMA = (
    "index long, time string, device string, verdict string, policy string, rejections array<string>, "
    "flags array<string>, annotations array<string>, filters array<string>, lifetime long, expires string, arc string")

# Bytes of decisions that are handed to Spark at a time.
_BLOCK = 4 << 20
# Nothing was evaluated: there is no device in the part.
_NOTHING = 5


def decisions(
    spark: SparkSession, paths: Source, account: Optional[str] = None, *, policy: Optional[str] = None,
    change: Sequence[str] = (), skip_malformed: bool = False, timezone: Optional[str] = None,
    input_format: Optional[str] = None, shards: Optional[int] = None, split: Optional[bool] = None,
    range_bytes: int = 256 << 20, columns: Optional[Dict[str, str]] = None, work: Optional[str] = None,
    binary: Optional[str] = None,
) -> DataFrame:
    """Decisions of the account on each record, a row each; `index` is the record's number in the captures.

    Captures are split at once and evaluated when the DataFrame is used. What was split is removed when the driver ends.
    Parameters are those of `replay`.
    """
    captures = captures_of(paths, work)
    count = shard_count(shards, captures)
    options = _options(account=account, policy=policy, change=list(change), skip_malformed=skip_malformed)
    reading = _reading(timezone, input_format)
    folder = tempfile.mkdtemp(prefix="scenario-decisions-", dir=work or os.path.dirname(captures[0]))
    os.chmod(folder, 0o755)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    inputs = inputs_of(spark, paths, captures, reading, count, split, range_bytes, columns, folder, binary)
    options += ["--decisions=-", "--output=/dev/null", "--jobs=1", "--no-progress"]

    def stage(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from _decided(
                    ["replay", *inputs.of(number + 1), *options, f"--shard={number + 1}/{count}"], binary)

    return spark.range(0, count, 1, count).mapInArrow(stage, _SCHEMA)


def _decided(arguments: List[str], binary: Optional[str]) -> Iterator[pa.RecordBatch]:
    with tempfile.TemporaryFile() as messages:
        command = started(arguments, binary, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages)
        try:
            assert command.stdout is not None
            rest = b""
            while block := command.stdout.read(_BLOCK):
                lines, newline, rest = (rest + block).rpartition(b"\n")
                if newline:
                    yield from _batches(lines)
            status = command.wait()
        finally:
            if command.poll() is None:
                command.kill()
                command.wait()
        if status not in (0, _NOTHING):
            messages.seek(0)
            raise ScenarioError(messages.read().decode("utf-8", "replace").strip(), status)


def _batches(lines: bytes) -> Iterator[pa.RecordBatch]:
    import pyarrow
    import pyarrow.json

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema([
        ("index", pyarrow.int64()), ("time", text), ("device", text), ("verdict", text), ("policy", text),
        ("rejections", texts), ("flags", texts), ("annotations", texts), ("filters", texts),
        ("lifetime", pyarrow.int64()), ("expires", text), ("arc", text),
    ])
    table = pyarrow.json.read_json(
        io.BytesIO(lines), parse_options=pyarrow.json.ParseOptions(explicit_schema=schema),
        read_options=pyarrow.json.ReadOptions(use_threads=False, block_size=2 * len(lines) + 1024))
    yield from table.select(schema.names).cast(schema).to_batches()
