"""Categories of polars as dictionaries of pyarrow.

polars looks each row's category up in a hash table to make a dictionary of Arrow, which costs as much as a replay. Its categories
are numbers, so that an array by these numbers does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import polars
    import pyarrow

# Rows to each text of a dictionary from which on it is cheaper to send categories that no row has than to find out which ones have
# rows.
_ROWS_BY_TEXT = 64


def with_dictionaries(frame: polars.DataFrame) -> pyarrow.Table:
    """A table in which columns of categories are dictionaries of text."""
    import polars
    import pyarrow

    names = {name for name, form in frame.schema.items() if isinstance(form, polars.Categorical)}
    others = pyarrow.table(frame.drop(names))
    return pyarrow.table({
        name: _dictionary(frame[name].rechunk()) if name in names else others[name] for name in frame.columns})


def _dictionary(column: polars.Series) -> pyarrow.DictionaryArray:
    numbers = column.to_physical()
    lowest, highest = numbers.min(), numbers.max()
    if isinstance(lowest, int) and isinstance(highest, int):
        texts = _texts_between(column, lowest, highest)
        if texts is not None:
            return _of_keys(numbers - lowest, texts)
    return _renumbered(column, numbers, highest + 1 if isinstance(highest, int) else 0)


def _texts_between(column: polars.Series, lowest: int, highest: int) -> Optional[polars.Series]:
    """The texts of all categories from one number to another; None where there are many for the rows, or polars is an older one."""
    import polars

    categories: Any = getattr(column.dtype, "categories", None)
    if highest - lowest >= len(column) // _ROWS_BY_TEXT or not hasattr(categories, "to_series"):
        return None
    # A number may be taken by a category that another thread is about to make: no row of this column has it.
    return polars.Series([categories[number] or "" for number in range(lowest, highest + 1)], dtype=polars.String)


def _renumbered(column: polars.Series, numbers: polars.Series, count: int) -> pyarrow.DictionaryArray:
    """A dictionary of the categories that a row has, in the order of their numbers, which are less than the count."""
    import polars

    rows = polars.int_range(len(column), dtype=polars.UInt32, eager=True)
    # By number, a row that has the category; one behind the last row where none has.
    examples = polars.repeat(len(column), count, dtype=polars.UInt32, eager=True)
    if numbers.null_count():
        has_value = numbers.is_not_null()
        examples.scatter(numbers.filter(has_value), rows.filter(has_value))
    else:
        examples.scatter(numbers, rows)
    is_used = examples < len(column)
    texts = column.gather(examples.filter(is_used)).cast(polars.String)
    # From here on, the new number by the former one.
    used = is_used.arg_true()
    examples.scatter(used, polars.int_range(len(used), dtype=polars.UInt32, eager=True))
    return _of_keys(examples.cast(_key(len(texts)), strict=False).gather(numbers), texts)


def _of_keys(keys: polars.Series, texts: polars.Series) -> pyarrow.DictionaryArray:
    import pyarrow

    return pyarrow.DictionaryArray.from_arrays(keys.cast(_key(len(texts))).to_arrow(), texts.to_arrow())


def _key(count: int) -> Any:
    """The type of keys for a number of texts. Small keys are sent sooner."""
    import polars

    return polars.UInt8 if count <= 1 << 8 else polars.UInt16 if count <= 1 << 16 else polars.UInt32
