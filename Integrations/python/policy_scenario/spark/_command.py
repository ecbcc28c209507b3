"""Finds the command `scenario` on the current machine, and runs it."""

from __future__ import annotations

import ctypes
import importlib.resources
import os
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Callable, NamedTuple, Optional, Sequence

from .._binary import package_version
from .._errors import ScenarioError

# Exit statuses that another attempt may not have: a fault of the command, no memory, a signal.
_PASSING = (70, 71)


class Finished(NamedTuple):
    """The result of a run of the command."""

    status: int
    output: bytes
    messages: str


def find(binary: Optional[str] = None) -> str:
    """The path of the command: the one given, or the one in this package, which is made executable.

    Packages that are shipped as an archive lose the execute bit (SPARK-37677), or are imported from the archive itself.
    """
    if binary is not None:
        if not os.access(binary, os.X_OK):
            raise ScenarioError(f"{binary} is no executable file on {socket.gethostname()}")
        return binary
    folder = importlib.resources.files(__package__.rpartition(".")[0]) / "bin"
    command = folder / "scenario"
    if not command.is_file():
        raise ScenarioError(
            f"the command scenario is missing on {socket.gethostname()}: "
            "the package policy-scenario there was not installed from its wheel")
    path = Path(str(command))
    if path.is_file() and (os.access(path, os.X_OK) or _made_executable(path)):
        return str(path)
    return str(_copied(folder))


def _made_executable(path: Path) -> bool:
    try:
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    except OSError:
        return False
    return os.access(path, os.X_OK)


def _copied(folder: importlib.resources.abc.Traversable) -> Path:
    """A copy of the command and its libraries in a folder of this process's user."""
    target = Path(tempfile.gettempdir()) / f"policy-scenario-{os.getuid()}-{package_version()}"
    if not target.is_dir():
        partial = Path(tempfile.mkdtemp(prefix="policy-scenario-"))
        (partial / "lib").mkdir()
        for source, here in ((folder, partial), (folder / "lib", partial / "lib")):
            for item in source.iterdir():
                if item.is_file():
                    (here / item.name).write_bytes(item.read_bytes())
        _made_executable(partial / "scenario")
        try:
            partial.rename(target)
        except OSError:
            shutil.rmtree(partial, ignore_errors=True)
    if target.stat().st_uid != os.getuid():
        raise ScenarioError(f"{target} on {socket.gethostname()} belongs to somebody else")
    return target / "scenario"


def started(arguments: Sequence[str], binary: Optional[str] = None, **streams: Any) -> subprocess.Popen[bytes]:
    """Starts the command in a task; it ends with the task.

    Spark kills the process of a task when another attempt was first. Its command would otherwise continue, to no purpose.
    """
    return subprocess.Popen([find(binary), *arguments], preexec_fn=ending_with_parent(), **streams)


def ending_with_parent() -> Callable[[], None]:
    """What a new process does first: it asks the kernel for an end when the process that started it ends.

    The kernel goes by the thread that started it, so that thread must live as long as the command may run.
    """
    prctl, parent = getattr(ctypes.CDLL(None), "prctl", None), os.getpid()

    def ask() -> None:
        if prctl is not None:
            prctl(_SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL)
        if os.getppid() != parent:
            # It was faster.
            os.kill(os.getpid(), signal.SIGKILL)

    return ask


# PR_SET_PDEATHSIG of Linux.
_SIGNAL_OF_PARENTS_DEATH = 1


def run(arguments: Sequence[str], binary: Optional[str] = None) -> Finished:
    """Runs the command to its end, in a task.

    Raises where another attempt may do better, so that Spark makes one; what the input is refused for is returned.
    """
    try:
        command = started(
            arguments, binary, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with command:
            try:
                output, said = command.communicate()
            except BaseException:
                # Else it would be waited for.
                command.kill()
                raise
    except OSError as failure:
        raise ScenarioError(f"scenario cannot be run on {socket.gethostname()}: {failure}") from failure
    messages = said.decode("utf-8", "replace")
    _refuse_passing(command.returncode, messages)
    return Finished(command.returncode, output, messages)


def _refuse_passing(status: int, messages: str) -> None:
    """Raises where a command was ended by a signal, or by what may pass."""
    if status < 0 or status in _PASSING:
        raise RuntimeError(f"scenario ended with {status} on {socket.gethostname()}: {messages}")


def checked(arguments: Sequence[str], binary: Optional[str] = None) -> bytes:
    """The output of the command on the driver; raises what it said where it did not succeed."""
    try:
        done = subprocess.run([find(binary), *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as failure:
        raise ScenarioError(f"scenario cannot be run on {socket.gethostname()}: {failure}") from failure
    messages = done.stderr.decode("utf-8", "replace").strip()
    _refuse_passing(done.returncode, messages)
    if done.returncode != 0:
        raise ScenarioError(messages, done.returncode)
    return done.stdout
