"""Arguments of Python as those of the command line."""

from __future__ import annotations

import datetime
import json
import os
from typing import Any, BinaryIO, Mapping, Optional, Sequence, Union

from ._account import Account
from ._process import Feed, Invocation, Memory
from ._streams import Captures, feed, is_table, rows_of

Path = Union[str, "os.PathLike[str]"]
#: A path, an account, or its keys.
AccountLike = Union[Path, Account, Mapping[str, Any]]
#: A text, or several.
Texts = Union[str, Sequence[str]]
#: A number, or a share: 0.001 and "0.1%" are the same.
Limit = Union[int, float, str]
#: Seconds, a timedelta, or a text such as "1h30m".
Duration = Union[int, datetime.timedelta, str]
#: A path, a table, or a list of mappings, with the columns of a file of labels.
Labels = Union[Path, Sequence[Mapping[str, Any]], Any]

# Options that are given once for each text; lists of other options are one text.
_REPEATED = frozenset(("assume", "change", "only", "tag"))
# Options that take several texts, or none.
_TEXTS = _REPEATED | {"count", "keys", "rollout", "who"}
_DURATIONS = frozenset(("at", "timeout"))
_ACCOUNTS = frozenset(("account", "candidate"))
# Parameters of Python alone.
_OWN = frozenset(("captures", "logs", "scenarios", "paths", "progress", "old", "new", "output"))


def add_options(invocation: Invocation, values: Mapping[str, Any]) -> None:
    """Adds the options that parameters stand for: `max_drift=0.01` is `--max-drift=1%`.

    :raises TypeError: a value is of a type that no option takes.
    """
    for name, value in values.items():
        if name in _OWN or _is_left_out(name, value):
            continue
        option = name.rstrip("_").replace("_", "-")
        invocation.needs(option)
        if name != "labels" and is_table(value):
            raise TypeError(f"{name} takes no {type(value).__name__}; tables are captures or labels")
        if value is True:
            invocation.arguments.append(f"--{option}")
        elif name in _ACCOUNTS:
            account = value if isinstance(value, Account) else Account(value)
            if account.path is None:
                invocation.arguments.append(Memory(f"--{option}=", option, account.write))
            else:
                invocation.arguments.append(f"--{option}={account.path}")
        elif name == "labels" and not isinstance(value, (str, os.PathLike)):
            invocation.arguments.append(Memory(f"--{option}=", option, _LabelWriter(value)))
        elif name in _REPEATED and not isinstance(value, str):
            invocation.arguments += [f"--{option}={text(item)}" for item in value]
        else:
            unit = "s" if name in _DURATIONS and isinstance(value, int) else ""
            invocation.arguments.append(f"--{option}={text(value)}{unit}")


def _is_left_out(name: str, value: Any) -> bool:
    # A limit that is empty or false would be no limit, and the answer no test.
    if isinstance(value, (list, tuple)) and not value:
        if name not in _TEXTS:
            raise TypeError(f"{name} is an empty {type(value).__name__}; None leaves it out")
        return True
    return value is None or (value is False and not name.startswith(("max_", "min_")))


def text(value: Any) -> str:
    """A value as the command line has it.

    >>> text(0.001), text(3), text({"missed": 40, "rejected_unknown": 1}), text(["ip/16", "os"])
    ('0.1%', '3', 'missed=40,rejected-unknown=1', 'ip/16,os')
    >>> text(datetime.timedelta(minutes=90)), text(datetime.datetime(2020, 7, 23, 10, tzinfo=datetime.timezone.utc))
    ('5400s', '2020-07-23T10:00:00Z')
    """
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, bool):
        raise TypeError(f"{value} is no value of an option")
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        from decimal import Decimal

        return f"{(Decimal(repr(value)) * 100).normalize():f}%"
    if isinstance(value, datetime.timedelta):
        return f"{int(value.total_seconds())}s"
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise TypeError(f"{value} has no time zone; give one, such as datetime.timezone.utc")
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, Mapping):
        return ",".join(f"{key.replace('_', '-')}={text(item)}" for key, item in value.items())
    if isinstance(value, Sequence):
        return ",".join(map(text, value))
    raise TypeError(f"an option takes no {type(value).__name__}")


def add_captures(
    invocation: Invocation, captures: Captures, reads_again: bool = False, timezone: Optional[str] = None,
) -> None:
    """Adds captures as operands: paths, tables, or several of them.

    :param reads_again: true of a command that reads captures more than once, which no pipe allows.
    :param timezone: the zone of times without one.
    """
    for capture in captures if isinstance(captures, (list, tuple)) else [captures]:
        if isinstance(capture, (str, os.PathLike)):
            path = os.fspath(capture)
            # A name that begins with a dash would be an option.
            invocation.arguments.append(os.path.join(".", path) if path.startswith("-") else path)
        elif is_table(capture):
            table = feed(capture, timezone)
            invocation.arguments.append(_in_memory(table) if reads_again else table)
        else:
            raise TypeError(
                f"a capture is a path or a table (polars, pandas, pyarrow, DuckDB), and no {type(capture).__name__}")


def _in_memory(table: Feed) -> Memory:
    return Memory("", table.name, lambda file: table.write(file, lambda rows: None))


class _LabelWriter:
    """Writes labels as JSON Lines of texts."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    def __call__(self, file: BinaryIO) -> None:
        for row in rows_of(self._labels):
            fields = {key: _field(value) for key, value in row.items() if value is not None}
            file.write(json.dumps(fields).encode() + b"\n")


def _field(value: Any) -> str:
    return text(value) if isinstance(value, (str, datetime.datetime)) else str(value)
