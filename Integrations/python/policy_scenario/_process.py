"""Runs the command: files and tables in, reports out. No thread is started, and nothing is left behind."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, BinaryIO, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._binary import find, uninterrupted
from ._errors import CommandError, Diagnostic, diagnostics
from ._progress import Progress, bytes_of, bytes_read

if TYPE_CHECKING:
    import subprocess


class Memory(NamedTuple):
    """A file in memory that the command inherits: what comes before its path on the command line, and what messages call it."""

    option: str
    name: str
    write: Callable[[BinaryIO], object]


class Feed(NamedTuple):
    """A table that the command reads through a pipe."""

    rows: int
    name: str
    #: Writes the table, and says after each part how many rows are done.
    write: Callable[[BinaryIO, Callable[[int], None]], None]
    #: The rows before each batch, once it is written.
    batches: List[int]


class Finished(NamedTuple):
    """The result of a run."""

    status: int
    #: The reports, by their form.
    reports: Dict[str, bytes]
    messages: Tuple[Diagnostic, ...]


# Inherited files get the first free numbers from here on, so that reports mostly name the same ones.
_FIRST_DESCRIPTOR = 200
# Bytes that a pipe holds, where the system allows it: as many as Linux gives to anyone.
_PIPE_BYTES = 1 << 20
# Seconds between two looks at a running command, and until one that was asked to end is ended.
_LOOK, _PATIENCE = 0.1, 5.0


class Invocation:
    """A command line, which can be carried out more than once."""

    def __init__(self, name: str, show_progress: bool = True) -> None:
        self.command = find()
        if name not in self.command.options:
            raise CommandError(f"scenario {self.command.version} has no `{name}`; a newer one may have it")
        self.name = name
        self.arguments: List[Union[str, Memory, Feed]] = []
        self.show_progress = show_progress

    def needs(self, option: str) -> None:
        """Raises unless the command has an option.

        :raises CommandError: the command is one without it.
        """
        if option not in self.command.options[self.name]:
            raise CommandError(f"scenario {self.command.version} has no `{self.name} --{option}`; a newer one may have it")

    @property
    def writes_several(self) -> bool:
        """True if one run writes the report in several forms."""
        return self.name in self.command.several_outputs

    def stamps(self) -> Dict[str, Tuple[int, ...]]:
        """What tells the files that the arguments name from later ones in their place."""
        values = (argument.partition("=")[2] if argument.startswith("--") else argument
                  for argument in self.arguments if isinstance(argument, str))
        return {path: stamp for value in values for path, stamp in _stamps(value)}

    def run(
        self, forms: Sequence[str] = (), extra: Sequence[str] = (), output: Optional[IO[bytes]] = None,
        decisions: Sequence[str] = (),
    ) -> Finished:
        """Runs the command to its end.

        :param forms: the endings of the files to write the report to, such as `json`.
        :param extra: further arguments.
        :param decisions: those of files to write decisions to.
        :param output: gets standard output.
        :raises CommandError: the command cannot be run.
        """
        with ExitStack() as stack:
            folder = stack.enter_context(private_folder())
            paths = {form: os.path.join(folder, f"report.{form}") for form in (*forms, *decisions)}
            messages = stack.enter_context(os.fdopen(os.memfd_create("messages"), "w+b"))
            reports = [f"--{'decisions' if form in decisions else 'output'}={path}" for form, path in paths.items()]
            names: Dict[str, str] = {}
            batches: Dict[str, List[int]] = {}
            status = self._carry_out([*reports, *extra], output, messages, names, batches)
            messages.seek(0)
            said = diagnostics(messages.read().decode("utf-8", "replace"), names, batches)
            return Finished(status, {form: _content(path) for form, path in paths.items() if os.path.exists(path)}, said)

    def _carry_out(
        self, extra: Sequence[str], output: Optional[IO[bytes]], messages: IO[bytes], names: Dict[str, str],
        batches: Dict[str, List[int]],
    ) -> int:
        # Imported where it is used, as other large modules are, so that an import of the package is quick.
        import subprocess

        with ExitStack() as stack:
            inherited = stack.enter_context(ExitStack())
            line = [self.command.path, self.name]
            numbers: List[int] = []
            feeds: List[Tuple[Feed, Optional[IO[bytes]]]] = []
            for argument in self.arguments:
                if isinstance(argument, str):
                    line.append(argument)
                    continue
                option, path = "", "-"
                if isinstance(argument, Memory):
                    option = argument.option
                    with os.fdopen(os.memfd_create("policy-scenario"), "wb") as file:
                        argument.write(file)
                        file.flush()
                        numbers.append(_inheriting(file.fileno(), inherited))
                    path = f"/dev/fd/{numbers[-1]}"
                elif feeds:
                    reading, writing = os.pipe()
                    _widen(writing)
                    pipe: BinaryIO = os.fdopen(writing, "wb")
                    stack.callback(_close, pipe)
                    with os.fdopen(reading, "rb"):
                        numbers.append(_inheriting(reading, inherited))
                    path = f"/dev/fd/{numbers[-1]}"
                    feeds.append((argument, pipe))
                else:
                    feeds.append((argument, None))
                line.append(option + path)
                names[path] = argument.name
                if isinstance(argument, Feed):
                    batches[path] = argument.batches
            with uninterrupted():
                try:
                    process = subprocess.Popen(
                        [*line, *extra], stdin=subprocess.PIPE if feeds else subprocess.DEVNULL,
                        stdout=subprocess.DEVNULL if output is None else output, stderr=messages, pass_fds=numbers)
                except OSError as problem:
                    raise CommandError(f"{self.command.path} cannot be run: {problem.strerror}") from problem
                # Now these are the command's alone, so that writing fails once it has ended.
                inherited.close()
                if process.stdin is not None:
                    _widen(process.stdin.fileno())
                    stack.callback(_close, process.stdin)
                # Ended before its input is closed, the end of which would look like that of a whole table.
                stack.callback(_end, process)
            self._feed_and_wait(process, [(feed, pipe or process.stdin) for feed, pipe in feeds])
            return int(process.returncode)

    def _feed_and_wait(
        self, process: subprocess.Popen[bytes], feeds: Sequence[Tuple[Feed, Optional[IO[bytes]]]],
    ) -> None:
        import subprocess

        operands = [argument for argument in self.arguments if isinstance(argument, str) and not argument.startswith("-")]
        total = sum(feed.rows for feed, _ in feeds) if feeds else bytes_of(operands)
        with Progress(self.name, total, self.show_progress) as progress:
            done = 0
            for feed, pipe in feeds:
                try:
                    feed.write(pipe, lambda rows, before=done: progress.show(before + rows))  # type: ignore[arg-type,misc]
                except OSError as problem:
                    # The command has read enough, or has ended and says why. The error of polars has no number.
                    if not isinstance(problem, BrokenPipeError) and not _ends(process):
                        raise
                _close(pipe)
                done += feed.rows
            while process.poll() is None:
                progress.show(done if feeds else bytes_read(process.pid))
                try:
                    process.wait(_LOOK)
                except subprocess.TimeoutExpired:
                    pass


def _stamps(value: str) -> Iterator[Tuple[str, Tuple[int, ...]]]:
    """The files that a value is the path of: one, or those of a folder."""
    try:
        paths = [os.path.join(at, name) for at, _, names in os.walk(value) for name in names] or [value]
        for path in paths:
            found = os.stat(path)
            if stat.S_ISREG(found.st_mode):
                yield path, (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    except (OSError, ValueError):
        # It is no path.
        return


def _inheriting(file: int, stack: ExitStack) -> int:
    number = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR)
    stack.callback(os.close, number)
    return number


def _widen(pipe: int) -> None:
    """Lets a pipe hold more, so that the two processes take turns less often; as it was where the system refuses."""
    command = getattr(fcntl, "F_SETPIPE_SZ", None)
    if command is None:
        # Python 3.9, or another system.
        return
    try:
        fcntl.fcntl(pipe, command, _PIPE_BYTES)
    except OSError:
        # The system limits what all pipes of a user hold together.
        pass


def _ends(process: subprocess.Popen[bytes]) -> bool:
    """True if a command has ended, or ends in a moment."""
    import subprocess

    try:
        process.wait(_LOOK)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a command that still runs, which removes what it has not finished."""
    import subprocess

    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.kill()
        process.wait()


def _close(pipe: Optional[IO[bytes]]) -> None:
    if pipe is not None:
        try:
            pipe.close()
        except BrokenPipeError:
            pass


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


_PREFIX = "policy-scenario-"
# Seconds after which a folder that nobody has locked belongs to nobody.
_ABANDONED = 60.0


@contextmanager
def private_folder() -> Iterator[str]:
    """A new folder that others cannot read, removed at the end. One that a killed process left is removed by the next."""
    import shutil
    import tempfile

    for name in os.listdir(tempfile.gettempdir()):
        if name.startswith(_PREFIX):
            _remove_abandoned(os.path.join(tempfile.gettempdir(), name))
    folder = tempfile.mkdtemp(prefix=_PREFIX)
    try:
        lock = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH)
            yield folder
        finally:
            os.close(lock)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(folder: str) -> None:
    import shutil

    try:
        if time.time() - os.stat(folder).st_mtime < _ABANDONED:
            return
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:
        # Its process is there.
        pass
    finally:
        os.close(lock)
