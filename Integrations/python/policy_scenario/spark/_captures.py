"""Which captures there are, and how they are handed out."""

from __future__ import annotations

import glob
import os
from typing import List, Optional, Sequence, Tuple, Union

from .._errors import ScenarioError

Paths = Union[str, Sequence[str]]

_COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


def expanded(paths: Paths) -> List[str]:
    """Files in the order given; a pattern stands for its files in the order of their names."""
    found: List[str] = []
    for path in [paths] if isinstance(paths, str) else paths:
        path = os.fspath(path)
        names = [path] if os.path.exists(path) else sorted(glob.glob(path))
        if not names:
            raise ScenarioError(f"{path}: no such file")
        found += names
    if not found:
        raise ScenarioError("there is no capture")
    return [os.path.abspath(name) for name in found]


def total_bytes(paths: Sequence[str]) -> int:
    """The lengths of all files."""
    return sum(os.path.getsize(path) for path in paths)


def ranges(paths: Sequence[str], range_bytes: int) -> List[Tuple[str, Optional[Tuple[int, int]]]]:
    """Parts of files, each for a task; `None` for a whole file. Compressed files do not come apart."""
    parts: List[Tuple[str, Optional[Tuple[int, int]]]] = []
    for path in paths:
        size = os.path.getsize(path)
        if size <= range_bytes or is_compressed(path):
            parts.append((path, None))
            continue
        for start in range(0, size, range_bytes):
            parts.append((path, (start, min(start + range_bytes, size))))
    return parts


def is_compressed(path: str) -> bool:
    with open(path, "rb") as file:
        start = file.read(4)
    # A frame that is skipped may come first, too.
    return start.startswith(_COMPRESSED) or (start[1:] == b"\x2a\x4d\x18" and start[0] >> 4 == 5)
