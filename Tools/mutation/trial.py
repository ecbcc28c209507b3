"""Runs tests of a build, and stops at the first that fails."""
import json
import os
import re
import resource
import subprocess
import threading
import time


class Trial:
    """The tests of a build."""

    SLOW = 0.3
    """A test that takes longer, in seconds, runs only where the others notice nothing."""

    def __init__(self, build):
        self.build = build
        self.binary = str(build.folder / ".build/debug/policy-enginePackageTests.xctest")
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
        """Runs tests. Returns whether all passed, and the processor's seconds; a run that takes too long did not pass."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)

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
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return passed and status == 0, used

    def timed(self):
        """The seconds that each test takes, by its name."""
        stream = self.build.scratch / "events.json"
        stream.unlink(missing_ok=True)
        self.run([], more=["--event-stream-output-path", str(stream)])
        started, seconds = {}, {}
        for line in filter(None, stream.read_text().split("\n")):
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
        stream.unlink()
        # A name that ends as a suite contains other tests.
        return {name: taken for name, taken in seconds.items() if name.endswith(")")}

    def find_groups(self):
        """The suites without their slow tests, and each slow test."""
        seconds = self.timed()
        slow = sorted(name for name, taken in seconds.items() if taken > self.SLOW)
        suites = sorted({name.split("/")[0] for name in seconds if name not in slow})
        self.skip = ["--skip", "^(?:" + "|".join(map(re.escape, slow)) + ")"] if slow else []
        self.groups = [Group(suite, ["--filter", f"^{re.escape(suite)}/", *self.skip], False) for suite in suites]
        self.groups += [Group(name, ["--filter", "^" + re.escape(name)], True) for name in slow]

    def find_reach(self, state):
        """Runs every group once without a change, and notes the places that it reaches; once for a state of the sources."""
        kept = self.build.folder.parent / "reach.json"
        known = json.loads(kept.read_text()) if kept.exists() else {}
        if known.get("state") == state:
            self.skip = known["skip"]
            self.groups = [Group.of(group) for group in known["groups"]]
            return
        self.find_groups()
        record = self.build.scratch / "reach"
        for group in self.groups:
            record.unlink(missing_ok=True)
            passed, group.seconds = self.run(group.choice, record=record)
            if not passed or not record.exists():
                print(f"  {group.name} does not pass without a change, and is left out", flush=True)
                continue
            group.places = {int(line) for line in record.read_text().split()}
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
            passed, _ = self.run(self.batch(batch), number=number, seconds=seconds)
            if not passed:
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
