"""Runs that end before their time leave no process, thread, file or open descriptor behind."""

import gzip
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from support import ACCOUNT, CAPTURE, COMMAND, PACKAGE, Tests

import policy_scenario as ps
from policy_scenario import _process, _streams


def children():
    """The processes that this one started and that still exist."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def long_capture(path):
    """A capture of 20 million records in a small file: 100 members of gzip, each with the same lines."""
    line = b'{"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","ip":"10.0.0.1"}\n'
    with open(path, "wb") as file:
        file.write(gzip.compress(line * 200_000, compresslevel=1) * 100)


class EndTests(Tests):
    def setUp(self):
        super().setUp()
        # Libraries keep some files open from the first time on.
        ps.replay(CAPTURE, ACCOUNT).decisions()
        self.descriptors = os.listdir("/proc/self/fd")
        self.addCleanup(self.assert_as_before)

    def assert_as_before(self):
        self.assertEqual(children(), [])
        self.assertEqual(threading.active_count(), 1)
        self.assertEqual(os.listdir("/proc/self/fd"), self.descriptors)

    def command(self, script):
        """Another command in place of the usual one, but for questions about itself."""
        path = self.script(f'case $1 in -*) exec {COMMAND} "$@";; esac\n{script}')
        os.environ["POLICY_SCENARIO_COMMAND"] = path
        self.addCleanup(os.environ.__setitem__, "POLICY_SCENARIO_COMMAND", COMMAND)

    def interrupt_after(self, seconds):
        signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
        signal.setitimer(signal.ITIMER_REAL, seconds)
        self.addCleanup(signal.setitimer, signal.ITIMER_REAL, 0)

    def test_after_a_run_all_is_as_before(self):
        ps.replay(CAPTURE, {"account": "a"}, labels=[{"ip": "10.0.0.1", "label": "bad"}])
        with self.assertRaises(ps.InputError):
            ps.replay(CAPTURE, {"accoun": "a"})
        ps.replay(CAPTURE, ACCOUNT).decisions()

    def test_interrupt_while_the_command_works(self):
        self.command("exec sleep 30")
        self.interrupt_after(0.3)
        start = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            ps.replay(CAPTURE)
        self.assertLess(time.monotonic() - start, 5)

    def test_interrupt_while_the_command_starts(self):
        class Interrupted(subprocess.Popen):
            def __init__(process, line, **options):
                super().__init__(line, **options)
                if "replay" in line:
                    signal.raise_signal(signal.SIGINT)

        self.command("exec sleep 30")
        self.addCleanup(setattr, subprocess, "Popen", subprocess.Popen)
        subprocess.Popen = Interrupted
        with self.assertRaises(KeyboardInterrupt):
            ps.replay(CAPTURE)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_interrupt_of_a_command_that_does_not_want_to_end(self):
        self.command("trap '' TERM; while :; do sleep 0.05; done")
        self.addCleanup(setattr, _process, "_PATIENCE", _process._PATIENCE)
        _process._PATIENCE = 0.2
        self.interrupt_after(0.3)
        with self.assertRaises(KeyboardInterrupt):
            ps.replay(CAPTURE)

    def test_interrupt_while_a_table_is_written(self):
        # Nobody reads, so the pipe fills.
        self.command("exec sleep 30")
        self.interrupt_after(0.5)
        with self.assertRaises(KeyboardInterrupt):
            ps.replay(Endless())

    def test_a_table_that_fails_in_the_middle_gives_no_report(self):
        done = self.write("done", "")
        os.unlink(done)
        self.command(f"{COMMAND} \"$@\"; echo $? > {done}")
        with self.assertRaisesRegex(ZeroDivisionError, "middle"):
            ps.replay(Endless(rows=100))

    def test_the_command_is_killed_while_it_reads_a_table(self):
        self.command("head -c 1000 > /dev/null; kill -9 $$")
        with self.assertRaisesRegex(ps.CommandError, "by signal 9"):
            ps.replay(Endless())

    def test_the_command_ends_before_the_table(self):
        self.command("head -c 1000 > /dev/null; echo 'table: error: enough' >&2; exit 2")
        with self.assertRaisesRegex(ps.InputError, "enough"):
            ps.replay(Endless())

    def test_a_full_disk(self):
        # A file system of its own, smaller than what is written.
        for work in (f"ps.replay({CAPTURE!r}, {ACCOUNT!r}).decisions()", f"ps.pack({CAPTURE!r}, sys.argv[1] + '/day.arrow')"):
            script = (
                f"import os, sys; sys.path.insert(0, {str(PACKAGE)!r})\n"
                "import tempfile; tempfile.tempdir = sys.argv[1]\n"
                "import policy_scenario as ps\n"
                f"try: {work}\n"
                "except ps.ScenarioError as error: print(type(error).__name__, error)\n"
                "except OSError as error: print(error)\n"
                "print(os.listdir(sys.argv[1]))\n")
            done = subprocess.run(
                ["unshare", "--mount", "bash", "-c", 'mount -t tmpfs -o size=4k none "$1" && exec "$2" -c "$3" "$1"', "-",
                 self.folder, sys.executable, script], capture_output=True, text=True, check=False)
            if "unshare" in done.stderr or "mount:" in done.stderr:
                self.skipTest("only root may mount a file system")
            said, left = done.stdout.strip().rsplit("\n", 1)
            with self.subTest(work=work):
                self.assertRegex(said, "InputError .*: error: no space left on device")
                self.assertEqual(left, "[]")

    def test_what_a_killed_python_left_goes_with_the_next_run(self):
        self.command("echo $$ > " + f"{self.folder}/started; exec sleep 30")
        script = (
            f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\nimport tempfile; tempfile.tempdir = {self.temporary!r}\n"
            f"import policy_scenario as ps\nps.replay({CAPTURE!r})\n")
        process = subprocess.Popen([sys.executable, "-c", script])
        while not os.path.exists(f"{self.folder}/started") or not Path(f"{self.folder}/started").read_text():
            time.sleep(0.02)
        os.environ["POLICY_SCENARIO_COMMAND"] = COMMAND
        self.addCleanup(setattr, _process, "_ABANDONED", _process._ABANDONED)
        _process._ABANDONED = -1
        ps.lint(ACCOUNT)
        self.assertEqual(len(os.listdir(self.temporary)), 1)
        process.kill()
        process.wait()
        os.kill(int(Path(f"{self.folder}/started").read_text()), signal.SIGKILL)
        ps.lint(ACCOUNT)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_an_interrupt_at_the_terminal(self):
        """The key reaches the command, too, and whichever notices first, Python is interrupted."""
        long_capture(f"{self.folder}/day.jsonl.gz")
        script = (
            f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\nimport tempfile; tempfile.tempdir = {self.temporary!r}\n"
            "import policy_scenario as ps\ntry:\n    print('ready', flush=True)\n    ps.replay('day.jsonl.gz', jobs=1)\n"
            "except KeyboardInterrupt: print('interrupted')\n")
        for seconds in (0.05, 0.2, 0.4):
            with subprocess.Popen(
                [sys.executable, "-c", script], cwd=self.folder, start_new_session=True, stdout=subprocess.PIPE, text=True,
            ) as process:
                self.assertEqual(process.stdout.readline(), "ready\n")
                time.sleep(seconds)
                os.killpg(process.pid, signal.SIGINT)
                self.assertEqual(process.stdout.read(), "interrupted\n")
            self.assertEqual(subprocess.run(["pgrep", "--session", str(process.pid)], check=False).returncode, 1)

    def test_an_interrupt_of_a_real_command(self):
        long_capture(f"{self.folder}/day.jsonl.gz")
        self.interrupt_after(0.2)
        with self.assertRaises(KeyboardInterrupt):
            ps.replay(f"{self.folder}/day.jsonl.gz", jobs=1)


class Endless:
    """A table that does not end, or fails after some rows."""

    def __init__(self, rows=None):
        self.rows = rows

    __arrow_c_stream__ = None
    iloc = None


Endless.__module__ = "pandas.tests"


class EndlessFeed:
    def __init__(self, table):
        self.rows = table.rows

    def kinds(self):
        return {"time": "text", "device-id": "text"}

    def count(self):
        return 1 << 30

    def write(self, file):
        line = b'{"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw=="}\n'
        while self.rows is None:
            file.write(1000 * line)
            yield 1000
        file.write(self.rows * line)
        raise ZeroDivisionError("in the middle")


def setUpModule():
    usual = _streams.feed

    def feed(table, timezone=None):
        if not isinstance(table, Endless):
            return usual(table, timezone)
        source = EndlessFeed(table)
        return ps._process.Feed(
            source.count(), "table", lambda file, show: _streams._write(source.write(file), show, []), [])

    ps._arguments.feed = feed


def tearDownModule():
    ps._arguments.feed = _streams.feed
    assert tempfile.gettempdir()
