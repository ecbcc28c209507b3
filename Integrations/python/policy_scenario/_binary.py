"""Finds the command `scenario`, and what it can do."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import Any, Dict, FrozenSet, Iterator, List, NamedTuple, NoReturn, Optional, Tuple

from ._errors import CommandError

#: The variable of the environment that names another command than the one of this package.
VARIABLE = "POLICY_SCENARIO_COMMAND"


class Command(NamedTuple):
    """A command, and what it understands."""

    path: str
    version: str
    #: The options of each command, without dashes.
    options: Dict[str, FrozenSet[str]]
    #: The forms of the report of each command, and the commands that write several in one run.
    forms: Dict[str, FrozenSet[str]]
    several_outputs: FrozenSet[str]


_known: Dict[Tuple[str, float], Command] = {}


def bundled() -> str:
    """The path of the command in this package."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "scenario")


def find() -> Command:
    """The command that the environment names, or that of this package.

    :raises CommandError: it is missing, cannot be run, or is of another version than this package.
    """
    named = os.environ.get(VARIABLE)
    path = named or bundled()
    try:
        changed = os.stat(path).st_mtime
        if not os.path.isfile(path) or not os.access(path, os.X_OK):
            raise PermissionError
    except OSError:
        raise CommandError(
            f"{path}, which {VARIABLE} names, is no executable file" if named else
            f"the command {path} is missing: install the wheel of policy-scenario for this machine, or let {VARIABLE} name a "
            "command") from None
    if (path, changed) not in _known:
        _known[path, changed] = _examined(path)
    return _known[path, changed]


def _examined(path: str) -> Command:
    version = _output(path, "--version").decode("utf-8", "replace").strip().rpartition(" ")[2]
    expected = package_version()
    if expected is not None and version != expected:
        raise CommandError(
            f"{path} is scenario {version}, but this package is of version {expected}: install the package of the same version, "
            f"or unset {VARIABLE}")
    import json

    try:
        commands = json.loads(_output(path, "--dump-help"))["command"]["subcommands"]
    except (ValueError, KeyError, TypeError):
        raise CommandError(f"{path} does not describe its options: it is no command scenario of this time") from None
    options, forms = {}, {}
    several = set()
    for command in commands:
        name = command["commandName"]
        arguments: List[Dict[str, Any]] = [each for each in command["arguments"] if "preferredName" in each]
        options[name] = frozenset(known["name"] for each in arguments for known in each["names"])
        by_name = {each["preferredName"]["name"]: each for each in arguments}
        forms[name] = frozenset(by_name.get("format", {}).get("allValues", ()))
        if by_name.get("output", {}).get("isRepeating"):
            several.add(name)
    return Command(path, version, options, forms, frozenset(several))


def _output(path: str, option: str) -> bytes:
    import subprocess

    try:
        with uninterrupted():
            done = subprocess.run([path, option], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as problem:
        raise CommandError(f"{path} cannot be run: {problem.strerror}; is it made for this machine?") from problem
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise CommandError(f"{path} {option} ended with {done.returncode}: {said}", done.returncode)
    return done.stdout


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Puts an interrupt off while a process starts, which would be left behind where nobody knows it yet."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    interrupts: List[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if interrupts:
            signal.raise_signal(signal.SIGINT)


def package_version() -> Optional[str]:
    """The version of this package, or None where it was not installed from a wheel."""
    try:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "VERSION"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return None


def main() -> NoReturn:
    """Becomes the command: the program `scenario` that the package installs."""
    path = os.environ.get(VARIABLE) or bundled()
    try:
        os.execv(path, ["scenario", *sys.argv[1:]])
    except OSError as problem:
        print(f"scenario: error: {path} cannot be run: {problem.strerror}", file=sys.stderr)
        sys.exit(70)
