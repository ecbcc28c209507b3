"""Tables of results: columns of values, for every library of tables."""

from __future__ import annotations

import datetime
import json
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# Rows and characters of a value that are shown.
_SHOWN_ROWS, _SHOWN_WIDTH = 20, 60
_INSTANT = "%Y-%m-%dT%H:%M:%SZ"


class Table:
    """A table of a result. Its columns have fixed types, also where it has no rows.

    polars, pandas, pyarrow and DuckDB read it as it is (`__arrow_c_stream__`), or by `to_polars()`, `to_pandas()`, `to_arrow()`.

    >>> table = Table({"flag": "text", "devices": "int"}, [{"flag": "rooted", "devices": 35}, {"flag": "frida"}])
    >>> table.columns, len(table), table["devices"]
    (['flag', 'devices'], 2, [35, None])
    >>> print(table)
    flag    devices
    rooted       35
    frida
    """

    def __init__(self, kinds: Mapping[str, str], rows: Sequence[Mapping[str, Any]]) -> None:
        """Makes a table.

        :param kinds: the columns, each with its kind: text, texts, int, float, bool, time, or json for all else.
        :param rows: the rows by the names of columns; what a row lacks is absent.
        """
        self._kinds = dict(kinds)
        self._columns: Dict[str, List[Any]] = {
            name: [_value(row.get(name), kind) for row in rows] for name, kind in kinds.items()}
        self._count = len(rows)

    @property
    def columns(self) -> List[str]:
        """The names of the columns."""
        return list(self._kinds)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, column: str) -> List[Any]:
        return list(self._columns[column])

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """The rows, each a dict."""
        for row in zip(*self._columns.values()):
            yield dict(zip(self._columns, row))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self._kinds, self._columns) == (other._kinds, other._columns)

    def __hash__(self) -> int:
        raise TypeError("a table has no hash")

    def to_arrow(self) -> pyarrow.Table:
        """The table of pyarrow."""
        import pyarrow

        text = pyarrow.string()
        forms = {
            "text": text, "json": text, "texts": pyarrow.list_(text), "int": pyarrow.int64(), "float": pyarrow.float64(),
            "bool": pyarrow.bool_(), "time": pyarrow.timestamp("s", "UTC")}
        return pyarrow.table({
            name: pyarrow.array(self._columns[name], forms[kind]) for name, kind in self._kinds.items()})

    def to_polars(self) -> polars.DataFrame:
        """The table of polars."""
        import polars

        forms: Dict[str, Any] = {
            "text": polars.String, "json": polars.String, "texts": polars.List(polars.String), "int": polars.Int64,
            "float": polars.Float64, "bool": polars.Boolean, "time": polars.Datetime("ms", "UTC")}
        return polars.DataFrame(self._columns, {name: forms[kind] for name, kind in self._kinds.items()})

    def to_pandas(self) -> pandas.DataFrame:
        """The table of pandas. Whole numbers stay whole where some are absent."""
        import pandas

        forms = {"int": "Int64", "float": "Float64", "bool": "boolean", "text": "string", "json": "string", "texts": "object"}
        frame = {}
        for name, kind in self._kinds.items():
            values = self._columns[name]
            form = "int64" if kind == "int" and None not in values else forms.get(kind)
            frame[name] = (
                pandas.Series(pandas.to_datetime(values, utc=True)) if kind == "time" else pandas.Series(values, dtype=form))
        return pandas.DataFrame(frame)

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """The table for any library that reads Arrow streams; pyarrow or polars makes it.

        :raises ImportError: neither is installed.
        """
        if find_spec("pyarrow") is not None:
            return self.to_arrow().__arrow_c_stream__(requested_schema)
        if find_spec("polars") is not None:
            return self.to_polars().__arrow_c_stream__(requested_schema)
        raise ImportError("an Arrow stream of a table needs pyarrow or polars: `pip install pyarrow`")

    def _texts(self, count: int) -> List[List[str]]:
        return [[_shown(value) for value in self._columns[name][:count]] for name in self._kinds]

    def _rest(self) -> str:
        return f"… {self._count - _SHOWN_ROWS:,} more rows" if self._count > _SHOWN_ROWS else ""

    def __repr__(self) -> str:
        lines = []
        columns = []
        for (name, kind), texts in zip(self._kinds.items(), self._texts(_SHOWN_ROWS)):
            width = max(map(len, [name, *texts]))
            columns.append([text.rjust(width) if kind in ("int", "float") else text.ljust(width) for text in [name, *texts]])
        lines = ["  ".join(row).rstrip() for row in zip(*columns)]
        return "\n".join([*lines, *filter(None, [self._rest()])])

    def _repr_html_(self) -> str:
        import html

        def cells(tag: str, texts: Sequence[str]) -> str:
            styles = ("right" if kind in ("int", "float") else "left" for kind in self._kinds.values())
            return "<tr>" + "".join(
                f'<{tag} style="text-align:{style}">{html.escape(text)}</{tag}>' for style, text in zip(styles, texts)) + "</tr>"

        rows = "".join(cells("td", row) for row in zip(*self._texts(_SHOWN_ROWS)))
        rest = f"<p>{self._rest()}</p>" if self._rest() else ""
        return f"<table><thead>{cells('th', self.columns)}</thead><tbody>{rows}</tbody></table>{rest}"


def _value(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "time" and isinstance(value, str):
        return datetime.datetime.strptime(value, _INSTANT).replace(tzinfo=datetime.timezone.utc)
    if kind == "json":
        return json.dumps(value, ensure_ascii=False)
    return float(value) if kind == "float" else value


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    if isinstance(value, list):
        value = ", ".join(value)
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return text if len(text) <= _SHOWN_WIDTH else text[:_SHOWN_WIDTH - 1] + "…"
