"""How far a run is: a line on a terminal, or in the output of a notebook's cell, from the second second on."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import Any, Optional, Sequence, Type

# Seconds until anything is shown, and between two times.
_START, _INTERVAL = 1.0, 0.25
_WIDTH = 30


class Progress:
    """Shows shares of some work. It reads a clock, and nothing of it gets into results."""

    def __init__(self, title: str, total: int, is_wanted: bool = True) -> None:
        self._title, self._total = title, total
        self._notebook = _displays() if is_wanted else None
        self._is_shown = is_wanted and (self._notebook is not None or _is_terminal())
        self._due = time.monotonic() + _START
        self._display: Any = None
        self._has_line = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], value: Optional[BaseException], trace: Optional[TracebackType],
    ) -> None:
        if self._display is not None:
            self._display.update({"text/plain": ""}, raw=True)
        if self._has_line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def show(self, done: int) -> None:
        """Shows that this much of the total is done, unless it was shown a moment ago."""
        now = time.monotonic()
        if not self._is_shown or now < self._due:
            return
        self._due = now + _INTERVAL
        share = min(1.0, done / self._total) if self._total > 0 else 0.0
        text = f"{self._title} {share:4.0%} " + "█" * int(share * _WIDTH) + "░" * (_WIDTH - int(share * _WIDTH))
        if self._notebook is None:
            self._has_line = True
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        elif self._display is None:
            self._display = self._notebook({"text/plain": text}, raw=True, display_id=True)
        else:
            self._display.update({"text/plain": text}, raw=True)


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _displays() -> Any:
    """What shows an object in a notebook, or None outside one."""
    python = sys.modules.get("IPython")
    shell = python.get_ipython() if python is not None else None
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display

    return display


def bytes_of(paths: Sequence[str]) -> int:
    """The lengths of files, as far as they are files."""
    return sum(os.path.getsize(path) for path in paths if os.path.isfile(path))


def bytes_read(process: int) -> int:
    """The bytes that a process has read so far, or 0 where the system does not say."""
    try:
        with open(f"/proc/{process}/io", "rb") as file:
            return int(file.readline().split()[1])
    except (OSError, IndexError, ValueError):
        return 0
