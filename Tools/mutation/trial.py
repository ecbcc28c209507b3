"""Runs tests of a build, and stops at the first that fails."""
import concurrent.futures
import json
import os
import pathlib
import re
import resource
import subprocess
import tempfile
import threading


def durations(events):
    """The seconds that each test takes, by its name, from the events that a run writes."""
    started, seconds = {}, {}
    for line in filter(None, events.read_text().split("\n")):
        event = json.loads(line)
        payload = event.get("payload", {})
        test, kind = payload.get("testID", ""), payload.get("kind")
        if event.get("kind") != "event" or "/" not in test:
            continue
        moment = payload["instant"]["absolute"]
        name = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", test)
        if kind == "testStarted":
            started[name] = moment
        elif kind == "testEnded" and name in started:
            seconds[name] = moment - started[name]
    # A name that ends as a suite contains other tests.
    return {name: taken for name, taken in seconds.items() if name.endswith(")")}


class Trial:
    """The tests of a build."""

    SLOW = 0.3
    """A test that takes longer, in seconds, runs only where the others notice nothing."""

    def __init__(self, build):
        self.build = build
        self.binary = str(build.folder / ".build/release/policy-enginePackageTests.xctest")
        self.groups, self.skip = [], []

    def environment(self, number, record):
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=str(self.build.scratch))
        environment.pop("EXHAUSTIVE", None)
        if number is not None:
            environment["MUTANT"] = str(number)
        if record is not None:
            environment["MUTANT_RECORD"] = str(record)
        return environment

    def run(self, choice, number=None, record=None, seconds=None, more=()):
        """Runs tests. Returns whether all passed; a run that takes too long did not pass."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if seconds is not None:
                most = int(5 + 4 * seconds)
                resource.setrlimit(resource.RLIMIT_CPU, (most, most))
                resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

        process = subprocess.Popen(
            [self.binary, "--testing-library", "swift-testing", "--no-parallel", *choice, *more],
            cwd=self.build.folder, env=self.environment(number, record), stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT if number is None else subprocess.PIPE, preexec_fn=limit)
        # One that waits for what never comes takes no time of the processor.
        timer = threading.Timer(60 + 40 * (seconds or 0) if seconds is not None else 3600, process.kill)
        timer.start()
        passed = True
        for line in process.stderr or ():
            if b"recorded an issue" in line:
                passed = False
                process.kill()
                break
        if process.stderr:
            process.stderr.close()
        status = process.wait()
        timer.cancel()
        return passed and status == 0

    def suites(self):
        """The names of all suites."""
        names = subprocess.run([self.binary, "--testing-library", "swift-testing", "--list-tests"], cwd=self.build.folder,
                               env=self.environment(None, None), capture_output=True, text=True, check=True).stdout
        return sorted({line.split("/")[0] for line in names.splitlines() if "/" in line})

    def examined(self, group):
        """Runs a group without a change, and notes the places that it reaches. Returns the seconds that each of its tests takes, or
        nothing where a test does not pass."""
        with tempfile.TemporaryDirectory(dir=self.build.scratch) as folder:
            events, record = pathlib.Path(folder, "events.json"), pathlib.Path(folder, "reach")
            passed = self.run(group.choice, record=record, more=["--event-stream-output-path", str(events)])
            if not passed or not record.exists():
                print(f"  {group.name} does not pass without a change, and is left out", flush=True)
                return None
            group.places = {int(line) for line in record.read_text().split()}
            seconds = durations(events)
        group.seconds = sum(seconds.values())
        return seconds

    def find_reach(self, state, jobs):
        """Runs every suite once without a change, and its slow tests alone, and notes the places that they reach; once for a state of
        the sources."""
        kept = self.build.folder.parent / "reach.json"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("state") == state:
            self.skip = known["skip"]
            self.groups = [Group.of(group) for group in known["groups"]]
            return
        suites = [Group(suite, ["--filter", f"^{re.escape(suite)}/"], False) for suite in self.suites()]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            found = list(pool.map(self.examined, suites))
            slow = sorted(name for seconds in found for name, taken in (seconds or {}).items() if taken > self.SLOW)
            alone = [Group(name, ["--filter", "^" + re.escape(name)], True) for name in slow]
            alone = [group for group, seconds in zip(alone, pool.map(self.examined, alone)) if seconds is not None]
        self.skip = ["--skip", "^(?:" + "|".join(map(re.escape, slow)) + ")"] if slow else []
        quick = []
        for group, seconds in zip(suites, found):
            left = [taken for taken in (seconds or {}).values() if taken <= self.SLOW]
            if left:
                group.choice, group.seconds = [*group.choice, *self.skip], sum(left)
                quick.append(group)
        self.groups = quick + alone
        kept.write_text(json.dumps(
            {"state": state, "skip": self.skip, "groups": [group.kept for group in self.groups]}))

    def batch(self, groups):
        """The arguments that choose some groups of quick tests, or one slow test."""
        if len(groups) == 1:
            return groups[0].choice
        names = "|".join(re.escape(group.name) for group in groups)
        return ["--filter", f"^(?:{names})/", *self.skip]

    def noticing(self, number):
        """What notices a change: the tests that were running; or nothing."""
        reaching = [group for group in self.groups if number in group.places]
        # A test that reaches little says more about each place.
        quick = sorted((group for group in reaching if not group.is_slow), key=lambda group: len(group.places))
        slow = sorted((group for group in reaching if group.is_slow), key=lambda group: group.seconds)
        for batch in [quick[:3], quick[3:12], quick[12:], *([group] for group in slow)]:
            if not batch:
                continue
            seconds = sum(group.seconds for group in batch)
            if not self.run(self.batch(batch), number=number, seconds=seconds):
                return " ".join(group.name for group in batch[:3])
        return None

    def reaches(self, number):
        return any(number in group.places for group in self.groups)


class Group:
    """Tests that run together: those of a suite, or a slow one alone."""

    def __init__(self, name, choice, is_slow):
        self.name, self.choice, self.is_slow = name, choice, is_slow
        self.places, self.seconds = set(), 0.0

    @staticmethod
    def of(kept):
        group = Group(kept["name"], kept["choice"], kept["slow"])
        group.places, group.seconds = set(kept["places"]), kept["seconds"]
        return group

    @property
    def kept(self):
        return {"name": self.name, "choice": self.choice, "slow": self.is_slow, "places": sorted(self.places),
                "seconds": self.seconds}
