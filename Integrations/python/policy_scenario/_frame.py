"""Large tables of results, which stay in the library that read them."""

from __future__ import annotations

import base64
import io
import json
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING, Any, Dict, Iterator, List, Mapping

from ._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Frame(Table):
    """A table of pyarrow or polars."""

    def __init__(self, kinds: Mapping[str, str], frame: Any) -> None:
        super().__init__(kinds, ())
        self._frame = frame
        self._count = len(frame)

    def __getitem__(self, column: str) -> List[Any]:
        values = self._frame[column]
        return list(values.to_pylist() if hasattr(values, "to_pylist") else values.to_list())

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        yield from self._frame.to_pylist() if hasattr(self._frame, "to_pylist") else self._frame.iter_rows(named=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self.columns == other.columns and list(self) == list(other)

    def __hash__(self) -> int:
        raise TypeError("a table has no hash")

    def to_arrow(self) -> pyarrow.Table:
        import pyarrow

        return self._frame if isinstance(self._frame, pyarrow.Table) else pyarrow.table(self._frame)

    def to_polars(self) -> polars.DataFrame:
        import polars

        return self._frame if isinstance(self._frame, polars.DataFrame) else polars.DataFrame(self._frame)

    def to_pandas(self) -> pandas.DataFrame:
        if find_spec("pyarrow") is None:
            # polars needs it to make a table of pandas.
            return Table(self._kinds, list(self)).to_pandas()
        frame: pandas.DataFrame = self._frame.to_pandas()
        return frame

    def _texts(self, count: int) -> List[List[str]]:
        part = Table(self._kinds, ())
        part._columns = {name: Frame(self._kinds, self._frame[:count])[name] for name in self._kinds}
        return part._texts(count)


def reads_columns() -> bool:
    """True if files of columns can be read: pyarrow or polars is installed."""
    return find_spec("polars") is not None or find_spec("pyarrow") is not None


def from_columns(kinds: Mapping[str, str], content: bytes) -> Table:
    """The table of a file of columns, where lists of text are joined by commas and device IDs are bytes."""
    if find_spec("polars") is not None:
        import polars

        frame = polars.read_ipc(io.BytesIO(content))
        columns = []
        for name, kind in kinds.items():
            column = polars.col(name)
            if frame.schema[name] == polars.Binary:
                columns.append(column.bin.encode("base64"))
            elif kind == "text":
                columns.append(column.cast(polars.String))
            elif kind == "texts":
                text = column.cast(polars.String)
                columns.append(polars.when(text == "").then(polars.lit([], polars.List(polars.String)))
                               .otherwise(text.str.split(",")).alias(name))
            else:
                columns.append(column.cast({"int": polars.Int64, "time": polars.Datetime("ms", "UTC")}[kind]))
        return Frame(kinds, frame.select(columns))
    import pyarrow

    with pyarrow.ipc.open_file(content) as file:
        read = file.read_all()
    rows: Dict[str, List[Any]] = {name: [_plain(value, kind) for value in read[name].to_pylist()] for name, kind in kinds.items()}
    names = list(kinds)
    return Frame(kinds, Table(kinds, [dict(zip(names, row)) for row in zip(*rows.values())]).to_arrow())


def _plain(value: Any, kind: str) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.split(",") if kind == "texts" and value else [] if value == "" and kind == "texts" else value


def from_json_lines(kinds: Mapping[str, str], lines: IO[bytes]) -> Table:
    """The table of a file of JSON Lines, by the fastest reader that is installed."""
    if find_spec("polars") is not None:
        import polars

        forms: Dict[str, Any] = {
            "text": polars.String, "texts": polars.List(polars.String), "int": polars.Int64, "time": polars.String}
        content = lines.read()
        schema = {name: forms[kind] for name, kind in kinds.items()}
        frame = polars.read_ndjson(content, schema=schema) if content else polars.DataFrame(schema=schema)
        times = [name for name, kind in kinds.items() if kind == "time"]
        return Frame(kinds, frame.select(list(kinds)).with_columns(
            polars.col(times).str.to_datetime("%Y-%m-%dT%H:%M:%SZ", time_unit="ms", time_zone="UTC")))
    rows = Table(kinds, [json.loads(line) for line in lines])
    return Frame(kinds, rows.to_arrow()) if find_spec("pyarrow") is not None else rows
