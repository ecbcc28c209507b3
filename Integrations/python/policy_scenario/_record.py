"""Members of a JSON report as values: `report.summary.attestations` is `json["summary"]["attestations"]`."""

from __future__ import annotations

import keyword
from typing import Any, Iterator, List, Mapping, Sequence

_METHODS = frozenset(("get", "items", "keys", "values"))


def attribute(name: str) -> str:
    """The attribute for a member: `newly_rejected` for `newly-rejected`, `pass_` for `pass`, `values_` for `values`."""
    plain = name.replace("-", "_")
    return plain + "_" if keyword.iskeyword(plain) or plain in _METHODS else plain


def value(content: Any) -> Any:
    """What stands for a JSON value: a `Record` for an object, a list for an array, and all others for themselves."""
    if isinstance(content, dict):
        return Record(content)
    if isinstance(content, list):
        return [value(item) for item in content]
    return content


def member(content: Mapping[str, Any], name: str, kind: str) -> Any:
    """The value of the member that an attribute stands for."""
    for key in (name, name.replace("_", "-")):
        if key in content:
            return value(content[key])
    for key in content:
        if attribute(key) == name:
            return value(content[key])
    names = list(map(attribute, content))
    raise AttributeError(f"{kind} has no member {name!r}; it has {', '.join(names) or 'none'}{nearest(name, names)}")


def nearest(name: str, known: Sequence[str]) -> str:
    """The question whether a name was meant that is known; empty where none is near.

    >>> nearest("devcies", ["devices", "attestations"]), nearest("x", ["devices"])
    ("; did you mean 'devices'?", '')
    """
    # Imported where it is used, so that an import of the package is quick.
    import difflib

    found = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {found[0]!r}?" if found else ""


class Record(Mapping[str, Any]):
    """An object of a JSON report: a mapping by the keys of the report, with an attribute for each.

    >>> newly = Record({"newly-rejected": {"devices": 3}, "pass": 7})
    >>> newly.newly_rejected.devices, newly["newly-rejected"]["devices"], newly.pass_
    (3, 3, 7)
    """

    __slots__ = ("_content",)

    def __init__(self, content: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_content", content)

    def __getitem__(self, key: str) -> Any:
        if key not in self._content:
            raise KeyError(f"the record has no member {key!r}{nearest(str(key), list(self._content))}")
        return value(self._content[key])

    def __contains__(self, key: object) -> bool:
        return key in self._content

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_content":
            raise AttributeError(name)
        return member(self._content, name, "the record")

    def __setattr__(self, name: str, content: object) -> None:
        raise AttributeError("the values of a report are not changed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *map(attribute, self._content)]

    def __eq__(self, other: object) -> bool:
        return dict(self._content) == (dict(other._content) if isinstance(other, Record) else other)

    def __hash__(self) -> int:
        raise TypeError("a record has no hash")

    def __reduce__(self) -> Any:
        return Record, (self._content,)

    def __repr__(self) -> str:
        return f"Record({self._content!r})"
