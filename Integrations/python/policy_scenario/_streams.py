"""Tables on their way to the command, whichever library made them: as an Arrow stream through a pipe.

pyarrow writes where it is installed, else polars. A pandas table without either goes row by row, as JSON Lines.
"""

from __future__ import annotations

import base64
import datetime
import json
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Dict, Iterator, List, Mapping, Optional, Protocol, Sequence, Union

from ._categories import with_dictionaries
from ._errors import Diagnostic, InputError, UsageError
from ._process import Feed


class ArrowTable(Protocol):
    """A table of any library that can give it as an Arrow stream."""

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...


if TYPE_CHECKING:
    import pandas
    import polars

    AnyTable = Union[ArrowTable, polars.LazyFrame, pandas.DataFrame]
    Capture = Union[str, "os.PathLike[str]", AnyTable]
    #: A path or a table, or several of them, in the order of time.
    Captures = Union[Capture, Sequence[Capture]]
else:
    Captures = Any

# The name of a table in messages.
NAME = "table"
# Rows of a batch.
_ROWS = 1 << 16
_INSTANT = "%Y-%m-%dT%H:%M:%SZ"
# The kinds of columns that a key may have, and how a message says it.
_LISTS = ({"text", "list"}, "text joined by commas, or lists of text")
_KINDS = {
    "time": ({"time", "text"}, "times, or text as in RFC 3339"),
    "device-id": ({"text", "bytes"}, "text, or 16 bytes"),
    "flags": _LISTS, "flags-all": _LISTS, "public-flags": _LISTS, "rejection-flags": ({"text"}, "text joined by commas"),
}
_OTHERS = ({"text", "number", "boolean"}, "text, numbers or booleans")
_NEEDED = ("time", "device-id")
_EPOCH = "make times of it, such as by polars.from_epoch or pandas.to_datetime"


def is_table(table: object) -> bool:
    """True of what is read as a table."""
    return hasattr(table, "__arrow_c_stream__") or _is_lazy(table) or _is_pandas(table)


def feed(table: Any, timezone: Optional[str] = None) -> Feed:
    """A table on its way to a command.

    :param timezone: the zone of times without one.
    :raises InputError: a column is missing, or has a type that no key has.
    """
    if _is_lazy(table):
        table = table.collect()
    has_arrow, has_polars = find_spec("pyarrow") is not None, find_spec("polars") is not None
    if has_arrow:
        source: Any = _Arrow(table)
    elif has_polars and not _is_pandas(table):
        source = _Polars(table)
    elif _is_pandas(table):
        source = _Pandas(table)
    else:
        raise UsageError("a table needs pyarrow or polars: `pip install pyarrow`")
    kinds = source.kinds()
    _check(kinds)
    zone = None if kinds.get("time") != "time" or source.has_zone() else _zone(timezone)
    batches: List[int] = []
    return Feed(
        source.count(), NAME, lambda file, show: _write(source.write(file, zone), show, batches), batches)


def _write(parts: Iterator[int], show: Callable[[int], None], batches: List[int]) -> None:
    done = 0
    batches.clear()
    for rows in parts:
        batches.append(done)
        done += rows
        show(done)


def _check(kinds: Mapping[str, str]) -> None:
    """Raises unless every column has a type that its key may have."""
    problems = []
    for name in _NEEDED:
        if name not in kinds:
            alike = [each for each in kinds if each.lower().replace("_", "-") == name]
            hint = f"rename `{alike[0]}`" if alike else f"its columns are {', '.join(f'`{each}`' for each in kinds) or 'none'}"
            problems.append(Diagnostic("error", f"the table has no column `{name}`", NAME, hint=hint))
    for name, kind in kinds.items():
        allowed, expected = _KINDS.get(name, _OTHERS)
        if kind not in allowed and kind != "null":
            advice = _EPOCH if name == "time" and kind == "number" else None
            message = f"column `{name}` holds {_called(kind)}; expected is {expected}"
            problems.append(Diagnostic("error", message, NAME, hint=advice))
    if problems:
        raise InputError("\n".join(map(str, problems)), None, problems)


def _called(kind: str) -> str:
    return {"time": "times", "number": "numbers", "boolean": "booleans", "list": "lists"}.get(kind, kind)


def _zone(name: Optional[str]) -> Any:
    if name is None:
        raise UsageError(
            "column `time` holds times without a zone: `timezone=` names theirs, such as \"UTC\" or \"+02:00\"")
    offset = "+00:00" if name in ("UTC", "GMT", "Z") else name
    try:
        return datetime.datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").tzinfo
    except ValueError:
        pass
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        raise UsageError(f"there is no time zone {name!r}") from None


class _Arrow:
    """A table by pyarrow."""

    def __init__(self, table: Any) -> None:
        import pyarrow

        try:
            if _is_pandas(table):
                table = pyarrow.Table.from_pandas(table, preserve_index=False)
            elif _has_categories(table):
                table = with_dictionaries(table)
            self._table = table
            if type(table).__module__.split(".")[0] in ("duckdb", "_duckdb"):
                # Its connection does nothing else while a result is open.
                self._table = pyarrow.RecordBatchReader.from_stream(table).read_all()
            self._next = None if isinstance(self._table, pyarrow.Table) else pyarrow.RecordBatchReader.from_stream(self._table)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError) as problem:
            raise InputError(f"{NAME}: error: {'; '.join(map(str, problem.args))}") from problem
        self._schema = self._table.schema if self._next is None else self._next.schema

    def kinds(self) -> Dict[str, str]:
        return {field.name: self._kind(field.type) for field in self._schema}

    def _kind(self, form: Any) -> str:
        from pyarrow import types

        if types.is_dictionary(form):
            form = form.value_type
        for test, kind in (
            ("is_string", "text"), ("is_large_string", "text"), ("is_string_view", "text"), ("is_null", "null"),
            ("is_boolean", "boolean"), ("is_integer", "number"), ("is_floating", "number"), ("is_timestamp", "time"),
            ("is_binary", "bytes"), ("is_large_binary", "bytes"), ("is_binary_view", "bytes"),
            ("is_fixed_size_binary", "bytes"),
        ):
            if getattr(types, test, lambda _: False)(form):
                return kind
        is_list = any(getattr(types, test, lambda _: False)(form) for test in (
            "is_list", "is_large_list", "is_list_view", "is_large_list_view", "is_fixed_size_list"))
        return "list" if is_list and self._kind(form.value_type) in ("text", "null") else str(form)

    def has_zone(self) -> bool:
        return getattr(self._schema.field("time").type, "tz", None) is not None

    def count(self) -> int:
        return len(self._table) if hasattr(self._table, "__len__") else 0

    def _batches(self) -> Iterator[Any]:
        import pyarrow

        reader, self._next = self._next, None
        if reader is None and isinstance(self._table, pyarrow.RecordBatchReader):
            raise UsageError("the capture is a stream, which can be read once; give a table to get more than one report of it")
        if reader is None and not isinstance(self._table, pyarrow.Table):
            reader = pyarrow.RecordBatchReader.from_stream(self._table)
        for batch in self._table.to_batches() if reader is None else reader:
            for start in range(0, batch.num_rows, _ROWS):
                yield batch.slice(start, _ROWS)

    def write(self, file: BinaryIO, _: Any) -> Iterator[int]:
        import pyarrow

        # A part of a column of views would have the texts of all of it.
        views = {getattr(pyarrow, "string_view", lambda: None)(): pyarrow.large_string(),
                 getattr(pyarrow, "binary_view", lambda: None)(): pyarrow.large_binary()}
        schema = pyarrow.schema([field.with_type(views.get(field.type, field.type)) for field in self._schema])
        has_views = schema != self._schema
        with pyarrow.ipc.new_stream(file, schema) as writer:
            for batch in self._batches():
                writer.write_batch(batch.cast(schema) if has_views else batch)
                yield batch.num_rows


class _Polars:
    """A table by polars."""

    def __init__(self, table: Any) -> None:
        import polars

        self._table = table if isinstance(table, polars.DataFrame) else polars.DataFrame(table)

    def kinds(self) -> Dict[str, str]:
        return {name: self._kind(form) for name, form in self._table.schema.items()}

    def _kind(self, form: Any) -> str:
        import polars

        if isinstance(form, (polars.List, polars.Array)):
            return "list" if self._kind(form.inner) in ("text", "null") else str(form)
        for forms, kind in (
            ((polars.String, polars.Categorical, polars.Enum), "text"), ((polars.Null,), "null"), ((polars.Boolean,), "boolean"),
            ((polars.Datetime,), "time"), ((polars.Binary,), "bytes"),
        ):
            if isinstance(form, forms):
                return kind
        return "number" if form.is_integer() or form.is_float() else str(form)

    def has_zone(self) -> bool:
        return getattr(self._table.schema["time"], "time_zone", None) is not None

    def count(self) -> int:
        return int(self._table.height)

    def write(self, file: BinaryIO, _: Any) -> Iterator[int]:
        import polars

        # Its writer makes a batch of each chunk.
        slices = list(self._table.iter_slices(_ROWS))
        (polars.concat(slices, rechunk=False) if slices else self._table).write_ipc_stream(file)
        for part in slices:
            yield part.height


class _Pandas:
    """A table of pandas where neither pyarrow nor polars is."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def kinds(self) -> Dict[str, str]:
        return {str(name): self._kind(self._table[name]) for name in self._table.columns}

    def _kind(self, column: Any) -> str:
        from pandas.api import types

        form = column.dtype
        if types.is_bool_dtype(form):
            return "boolean"
        if types.is_numeric_dtype(form):
            return "number"
        if types.is_datetime64_any_dtype(form):
            return "time"
        found = {type(value) for value in column.dropna().unique()} if str(form) in ("category", "str", "string") else {
            type(value) for value in column.dropna()}
        for kind, forms in (
            ("text", {str}), ("list", {list, tuple}), ("bytes", {bytes}), ("boolean", {bool}), ("number", {int, float}),
        ):
            if found and found <= forms:
                return kind
        return " and ".join(sorted(form.__name__ for form in found)) if found else "null"

    def has_zone(self) -> bool:
        return getattr(self._table["time"].dtype, "tz", None) is not None

    def count(self) -> int:
        return len(self._table)

    def write(self, file: BinaryIO, zone: Any) -> Iterator[int]:
        for start in range(0, len(self._table), _ROWS):
            part = self._table.iloc[start:start + _ROWS].astype(object)
            part = part.where(part.notna(), None)
            file.write(_json_lines({str(name): part[name].tolist() for name in part.columns}, len(part), zone))
            yield len(part)


def _json_lines(columns: Mapping[str, Sequence[Any]], count: int, zone: Any) -> bytes:
    lines: List[str] = []
    for row in zip(*columns.values()) if columns else [()] * count:
        fields = {name: _json_value(value, zone) for name, value in zip(columns, row) if value is not None}
        lines.append(json.dumps(fields, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8", "surrogatepass")


def _json_value(value: Any, zone: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return _instant(value, zone)
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def _instant(time: datetime.datetime, zone: Any) -> str:
    return (time if zone is None else time.replace(tzinfo=zone)).astimezone(datetime.timezone.utc).strftime(_INSTANT)


def rows_of(table: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a small table, or of a list of them; absent values are None."""
    if isinstance(table, (list, tuple)):
        yield from table
    elif _is_pandas(table):
        part = table.astype(object)
        yield from part.where(part.notna(), None).to_dict("records")
    elif find_spec("polars") is not None:
        import polars

        table = table.collect() if _is_lazy(table) else table
        yield from (table if isinstance(table, polars.DataFrame) else polars.DataFrame(table)).iter_rows(named=True)
    else:
        import pyarrow

        yield from pyarrow.RecordBatchReader.from_stream(table).read_all().to_pylist()


def _is_lazy(table: object) -> bool:
    return type(table).__module__.startswith("polars.") and hasattr(table, "collect")


def _has_categories(table: Any) -> bool:
    """True of a data frame of polars with columns of categories."""
    if type(table).__module__.split(".")[0] != "polars":
        return False
    import polars

    return isinstance(table, polars.DataFrame) and any(isinstance(form, polars.Categorical) for form in table.dtypes)


def _is_pandas(table: object) -> bool:
    return type(table).__module__.split(".")[0] == "pandas" and hasattr(table, "iloc")
