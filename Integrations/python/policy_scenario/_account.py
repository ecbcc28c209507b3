"""Accounts: a file, or a dict with the same keys."""

from __future__ import annotations

import json
import os
from typing import Any, BinaryIO, Dict, Mapping, Union


class Account:
    """An account of the service: the file that the service's configuration is in, or a dict of its keys.

    >>> Account("bank.yaml")
    Account('bank.yaml')
    >>> shop = Account({"account": "shop", "policy": "default,strict,risk"})
    >>> print(shop.text(), end="")
    account: "shop"
    policy: "default,strict,risk"

    :param content: the path of a file, `new` for a new account, or the keys of an account file as docs/FORMATS.md lists them.
    """

    def __init__(self, content: Union[str, os.PathLike[str], Mapping[str, Any]]) -> None:
        self._path = None if isinstance(content, Mapping) else os.fspath(content)
        self._content: Dict[str, Any] = dict(content) if isinstance(content, Mapping) else {}

    @property
    def path(self) -> str | None:
        """The path of the file, or None of an account that is a dict."""
        return self._path

    def text(self) -> str:
        """The account as a file has it. Each entry of a list has a line, so that a message shows it."""
        if self._path is not None:
            with open(self._path, encoding="utf-8") as file:
                return file.read()
        lines = []
        for key, value in self._content.items():
            if isinstance(value, (list, tuple)) and value:
                lines.append(f"{key}:")
                lines += [f"  - {_text(item)}" for item in value]
            else:
                lines.append(f"{key}: {_text(value)}")
        return "".join(line + "\n" for line in lines)

    def write(self, file: BinaryIO) -> None:
        """Writes the account as YAML."""
        file.write(self.text().encode())

    def __repr__(self) -> str:
        return f"Account({(self._content if self._path is None else self._path)!r})"


def _text(value: Any) -> str:
    # JSON is YAML, in the part of it that account files use.
    return json.dumps(value, ensure_ascii=False)
