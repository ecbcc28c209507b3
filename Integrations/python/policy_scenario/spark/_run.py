"""Replays and comparisons: a stage that splits the captures, one that evaluates the parts, and the merge on the driver."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from .._errors import ScenarioError
from ._captures import Paths, expanded, ranges, total_bytes
from ._report import Report
from ._rows import SHARDS, is_table, split_rows
from ._sessions import default_jobs, local_cores
from ._tasks import Answer, Task, run_all

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    Source = Union[Paths, DataFrame]

# One part of the devices for this number of bytes, unless the number of parts is given.
_SHARD_BYTES = 1 << 30
_MOST_SHARDS = 65_536
# As many parts as read all captures in less time than it takes to split them.
_DIRECT_SHARDS = 3


def replay(
    spark: SparkSession, paths: Source, account: Optional[str] = None, *, policy: Optional[str] = None,
    change: Sequence[str] = (), fetches: Optional[str] = None, series: bool = False, skip_malformed: bool = False,
    timezone: Optional[str] = None, input_format: Optional[str] = None, shards: Optional[int] = None,
    split: Optional[bool] = None, range_bytes: int = 256 << 20, columns: Optional[Dict[str, str]] = None,
    work: Optional[str] = None, jobs: Optional[int] = None, binary: Optional[str] = None,
) -> Report:
    """Replays captures through an account, as `scenario replay` does on one machine.

    Files must be there on the driver and on all executors under the same path, in the order of time.

    :param paths: captures, or patterns of their names; plain, .gz or .zst. Or a DataFrame with a row for each record.
    :param account: the file of the account; a new one by default.
    :param policy: replaces the account's security policy.
    :param change: management commands that change the account first.
    :param fetches: a file that weighs devices by how often they fetch.
    :param series: keeps live metrics of every minute.
    :param skip_malformed: counts malformed records instead of refusing the captures.
    :param shards: parts of the devices; by default one for each GiB, and in `local[N]` one.
    :param split: whether captures are split first; by default with more than three parts. Else each part reads all of them.
    :param range_bytes: how much of a plain file a task of the first stage reads.
    :param columns: what the columns of a DataFrame are called, where it is not `record`, `time`, `file` and `offset`.
    :param work: a folder that all machines share; by default beside the first capture. A DataFrame needs it.
    :param jobs: how many threads a task of the last stage uses; by default `spark.task.cpus`, and with one part in
        `local[N]` all N.
    :param binary: the command on the executors and the driver; by default the one in this package.
    :raises ScenarioError: what the command said.
    """
    options = _options(
        account=account, policy=policy, fetches=fetches, change=list(change), series=series,
        skip_malformed=skip_malformed)
    return _evaluate(
        spark, "replay", paths, options, _reading(timezone, input_format), shards, split, range_bytes, columns, work,
        jobs, binary)


def diff(
    spark: SparkSession, paths: Source, account: Optional[str] = None, *, change: Sequence[str] = (),
    policy: Optional[str] = None, candidate: Optional[str] = None, fetches: Optional[str] = None,
    skip_malformed: bool = False, timezone: Optional[str] = None, input_format: Optional[str] = None,
    shards: Optional[int] = None, split: Optional[bool] = None, range_bytes: int = 256 << 20,
    columns: Optional[Dict[str, str]] = None, work: Optional[str] = None, jobs: Optional[int] = None,
    binary: Optional[str] = None,
) -> Report:
    """Compares an account before and after a change, as `scenario diff` does on one machine.

    The change is one of `change`, `policy` and `candidate`, the file of another account; the rest is as in `replay`.
    """
    options = _options(
        account=account, policy=policy, candidate=candidate, fetches=fetches, change=list(change),
        skip_malformed=skip_malformed)
    return _evaluate(
        spark, "diff", paths, options, _reading(timezone, input_format), shards, split, range_bytes, columns, work,
        jobs, binary)


def _options(**values: object) -> List[str]:
    options: List[str] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            options.append(option)
        elif isinstance(value, list):
            options += [f"{option}={item}" for item in value]
        elif value is not None and value is not False:
            path = name in ("account", "candidate", "fetches")
            options.append(f"{option}={os.path.abspath(str(value)) if path else value}")
    return options


def _reading(timezone: Optional[str], input_format: Optional[str]) -> List[str]:
    return _options(timezone=timezone, input_format=input_format)


def _evaluate(
    spark: SparkSession, command: str, source: Source, options: List[str], reading: List[str],
    shards: Optional[int], split: Optional[bool], range_bytes: int, columns: Optional[Dict[str, str]],
    work: Optional[str], jobs: Optional[int], binary: Optional[str],
) -> Report:
    captures = captures_of(source, work)
    if shards is None and jobs is None and not split and local_cores(spark) is not None:
        # All tasks share one machine, on which one command with several threads does the least work.
        shards = 1
    count = shard_count(shards, captures)
    options = [*options, *_options(jobs=jobs if jobs is not None else default_jobs(spark, count))]
    with work_folder(work, captures) as folder:
        inputs = inputs_of(spark, source, captures, reading, count, split, range_bytes, columns, folder, binary)
        parts = [
            Task([command, *inputs.of(number), *options, f"--shard={number}/{count}", "--no-progress"], has_partial=True)
            for number in range(1, count + 1)]
        return report(run_all(spark, parts, binary), binary)


def captures_of(source: Source, work: Optional[str]) -> List[str]:
    """The files of captures; none of a table."""
    if not is_table(source):
        return expanded(source)
    if work is None:
        raise ScenarioError("a table needs `work`, a folder that all machines share")
    return []


class Inputs(NamedTuple):
    """What parts are evaluated on: the captures, or folders in which `scenario split` wrote a file for each part."""

    options: List[str]
    captures: List[str]
    folders: List[str]

    def of(self, number: int) -> List[str]:
        """The arguments for a part, counted from 1."""
        files = [os.path.join(folder, f"shard-{number}.arrow") for folder in self.folders]
        return [*self.captures, *files, *self.options]


def inputs_of(
    spark: SparkSession, source: Source, captures: List[str], reading: List[str], count: int,
    split: Optional[bool], range_bytes: int, columns: Optional[Dict[str, str]], folder: str, binary: Optional[str],
) -> Inputs:
    """What parts are evaluated on; splits the captures if that is useful."""
    # Of the options for reading, fetches need the zone; the form of what was split is known.
    zone = [option for option in reading if option.startswith("--timezone=")]
    if not captures:
        return Inputs(zone, [], split_rows(source, columns, reading, count, folder, binary))
    if split if split is not None else count > _DIRECT_SHARDS:
        return Inputs(zone, [], split_all(spark, captures, reading, count, range_bytes, folder, binary))
    return Inputs(list(reading), captures, [])


def shard_count(shards: Optional[int], captures: Sequence[str]) -> int:
    """How many parts of the devices there are."""
    if shards is None and not captures:
        return SHARDS
    if shards is None:
        return min(_MOST_SHARDS, 1 + total_bytes(captures) // _SHARD_BYTES)
    if not 1 <= shards <= _MOST_SHARDS:
        raise ScenarioError(f"shards is a number from 1 to {_MOST_SHARDS}, not {shards}")
    return shards


@contextmanager
def work_folder(work: Optional[str], captures: Sequence[str]) -> Iterator[str]:
    """A folder that all machines share, removed at the end."""
    folder = tempfile.mkdtemp(prefix="scenario-spark-", dir=work or os.path.dirname(captures[0]))
    os.chmod(folder, 0o777 if os.stat(os.path.dirname(folder)).st_mode & 0o002 else 0o755)
    try:
        yield folder
    finally:
        removed(folder)


def removed(folder: str) -> None:
    """Removes a folder, in which attempts may still write that Spark is about to kill."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            break
        time.sleep(0.1)


def split_all(
    spark: SparkSession, captures: Sequence[str], reading: Sequence[str], shards: int, range_bytes: int, folder: str,
    binary: Optional[str],
) -> List[str]:
    """Splits captures by ranges, and gives the folders in their order."""
    if range_bytes < 1:
        raise ScenarioError(f"range_bytes is a number from 1, not {range_bytes}")
    tasks = []
    for number, (path, part) in enumerate(ranges(captures, range_bytes)):
        arguments = ["split", path, f"--shards={shards}", "--no-progress", *reading]
        if part is not None:
            arguments.append(f"--range={part[0]}-{part[1]}")
        arguments.append("--jobs=1")
        tasks.append(Task(arguments, os.path.join(folder, f"split-{number}")))
    run_all(spark, tasks, binary)
    return [task.folder for task in tasks if task.folder is not None]


def report(answers: Sequence[Answer], binary: Optional[str]) -> Report:
    """The report of all parts."""
    messages: List[str] = []
    for answer in answers:
        messages += [line for line in answer.messages.splitlines() if line not in messages]
    return Report([answer.output for answer in answers], messages, binary)
