"""Errors as exceptions, which hold what the command said as values."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Type


class Diagnostic(NamedTuple):
    """A problem that the command found, and where it is.

    `file`, `line` and `column` are None where the command names none. Lines and columns count from 1; of a table, `line` is the
    row. `excerpt` is the line of the file, and `hint` what might help.
    """

    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    excerpt: Optional[str] = None
    hint: Optional[str] = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        lines = [f"{place}: {self.severity}: {self.message}" if place else f"{self.severity}: {self.message}"]
        lines += [] if self.excerpt is None else [f"  {self.excerpt}"]
        lines += [] if self.hint is None else [f"  hint: {self.hint}"]
        return "\n".join(lines)


_HEAD = re.compile(
    r"(?P<file>.*?)(?::(?P<line>\d+)(?::(?P<column>\d+))?)?: (?P<severity>error|warning|limit exceeded): (?P<message>.*)")
_TOOL = "scenario"


_ROW = re.compile(r"batch (\d+), row (\d+): ")


def diagnostics(
    text: str, names: Optional[Mapping[str, str]] = None, batches: Optional[Mapping[str, Sequence[int]]] = None,
) -> Tuple[Diagnostic, ...]:
    """Reads what the command printed on standard error.

    >>> diagnostics("a.yaml:1:3: error: unknown key `x`\\n  {x: 1}\\n    ^\\n  hint: did you mean `y`?\\n")[0].hint
    'did you mean `y`?'

    :param names: what files are called that the command knows by other paths.
    :param batches: of tables among these the rows before each batch.
    """
    found: List[Dict[str, Any]] = []
    for line in text.splitlines():
        head = None if line.startswith("  ") else _HEAD.fullmatch(line)
        if head is not None:
            parts: Dict[str, Any] = head.groupdict()
            path = parts["file"]
            file = (names or {}).get(path, path)
            parts["file"] = None if file == _TOOL else file
            parts["line"], parts["column"] = (parts[key] and int(parts[key]) for key in ("line", "column"))
            place = _ROW.match(parts["message"])
            if place is not None and path in (batches or {}):
                parts["line"] = (batches or {})[path][int(place[1]) - 1] + int(place[2])
                parts["message"] = parts["message"][place.end():]
            found.append(parts)
        elif found and line.startswith("  hint: "):
            found[-1]["hint"] = line[len("  hint: "):]
        elif found and line.strip() == "^":
            continue
        elif found and line.startswith("  ") and "excerpt" not in found[-1]:
            found[-1]["excerpt"] = line[2:]
        elif line.strip():
            found.append({"severity": "note", "message": line.strip()})
    return tuple(Diagnostic(**parts) for parts in found)


class ScenarioWarning(UserWarning):
    """There is a result, which may be another one than was meant. The text is what the command said.

    :ivar diagnostic: what the command said, as a value.
    """

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic

    def __reduce__(self) -> Any:
        return type(self), (self.diagnostic,)


def warn(said: Sequence[Diagnostic]) -> None:
    """Makes the warnings among the messages of a run warnings of Python, at the line that called this package."""
    import sys
    import warnings

    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    for each in said:
        if each.severity == "warning":
            warnings.warn(ScenarioWarning(each), stacklevel=level)


class WrittenReport(Protocol):
    """What an error knows of a report that the command wrote nevertheless: a `Report`, which is made where reports are."""

    json: Dict[str, Any]
    messages: Tuple[Diagnostic, ...]

    def rendered(self, form: str) -> str:
        """The report in another form of the command."""


class ScenarioError(Exception):
    """There is no result. The text is what the command said.

    :ivar status: the exit status of the command, or None where it did not run.
    :ivar diagnostics: what the command said, as values.
    :ivar report: the report, where the command wrote one nevertheless.
    """

    def __init__(
        self, message: str, status: Optional[int] = None, diagnostics: Sequence[Diagnostic] = (),
        report: Optional[WrittenReport] = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.diagnostics = tuple(diagnostics)
        self.report = report

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.status, self.diagnostics, self.report)


class InputError(ScenarioError):
    """An account, a capture, a scenario or a table is invalid, or a file cannot be read or written."""


class UsageError(ScenarioError):
    """Options do not go together, or the value of one is wrong; nothing was read."""


class LimitExceeded(ScenarioError):
    """More changed than a limit allows. `report` has all figures."""


class NothingEvaluated(ScenarioError):
    """Nothing ran, nothing was evaluated, or nothing was asserted."""


class Undecided(ScenarioError):
    """A question of `prove` or `search` has no answer: it took too long, or it cannot be decided."""


class CommandError(ScenarioError):
    """The command is missing, is of another version, lacks what was asked for, or was ended from outside."""


#: The exception for each exit status that the command documents.
BY_STATUS: Dict[int, Type[ScenarioError]] = {
    2: InputError, 3: UsageError, 4: LimitExceeded, 5: NothingEvaluated, 6: Undecided}


def failure(
    status: int, said: Sequence[Diagnostic], report: Optional[WrittenReport] = None,
) -> ScenarioError:
    """The exception for an exit status."""
    message = "\n".join(map(str, (each for each in said if each.severity not in ("warning", "note")))) or "\n".join(
        map(str, said))
    if status in BY_STATUS:
        if BY_STATUS[status] is LimitExceeded and report is not None:
            message += "\n  hint: `report` of this exception has all figures"
        return BY_STATUS[status](message or f"scenario ended with {status}", status, said, report)
    ended = f"by signal {-status}" if status < 0 else f"with {status}"
    return CommandError(f"scenario ended {ended}; run it again\n{message}".rstrip(), status, said, report)
