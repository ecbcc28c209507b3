"""Categories of polars as dictionaries of pyarrow.

polars looks each row's category up in a hash table to make a dictionary of Arrow, which costs as much as a replay. Its categories
are numbers, so that an array by these numbers does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars
    import pyarrow


def with_dictionaries(frame: polars.DataFrame) -> pyarrow.Table:
    """A table in which columns of categories are dictionaries of text."""
    import polars
    import pyarrow

    names = {name for name, form in frame.schema.items() if form == polars.Categorical}
    others = pyarrow.table(frame.drop(names))
    return pyarrow.table({
        name: _dictionary(frame[name]) if name in names else others[name] for name in frame.columns})


def _dictionary(column: polars.Series) -> pyarrow.DictionaryArray:
    import polars
    import pyarrow

    numbers, rows = column.to_physical(), polars.int_range(len(column), dtype=polars.UInt32, eager=True)
    highest = numbers.max()
    # By number, a row that has the category; one behind the last row where none has.
    examples = polars.repeat(
        len(column), highest + 1 if isinstance(highest, int) else 0, dtype=polars.UInt32, eager=True)
    has_value = numbers.is_not_null()
    examples.scatter(numbers.filter(has_value), rows.filter(has_value))
    is_used = examples < len(column)
    texts = column.gather(examples.filter(is_used)).cast(polars.String)
    # Small keys are sent sooner.
    key = polars.UInt8 if len(texts) <= 1 << 8 else polars.UInt16 if len(texts) <= 1 << 16 else polars.UInt32
    keys = (is_used.cum_sum() - 1).cast(key, strict=False).gather(numbers)
    return pyarrow.DictionaryArray.from_arrays(keys.to_arrow(), texts.to_arrow())
