"""What the tests of all kinds of Spark have in common: captures, and that replays come to the bytes of one machine.

The command is the one that the variable SCENARIO names.
"""

import base64
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

PACKAGE = str(Path(__file__).resolve().parent.parent.parent)
sys.path.insert(0, PACKAGE)
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [PACKAGE, os.environ.get("PYTHONPATH")]))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
# Tests are over before code is worth compiling well.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

from policy_scenario import spark as on_spark  # noqa: E402

SCENARIO = os.path.abspath(os.environ["SCENARIO"])
ACCOUNT = """\
policy: default,default,all
flags:
  - {name: own-flag, risk: true}
filters:
  - {name: ten, key: ip, regex: '^10[.]', reject: true}
  - {name: banned, key: ip, match: 1.2.3.4, ban: true}
"""
CHANGE = ["policy -set default,allow-root,risk"]


def device(number):
    """A device ID: 16 bytes in Base64, of which the first two differ."""
    return base64.b64encode(number.to_bytes(2, "big") + bytes(14)).decode()


def records(seed, count, start, flags):
    """Attestations in the order of time; one device has half of them."""
    draw = random.Random(seed)
    time = start
    for _ in range(count):
        time += draw.choice([0, 0, 1, 7])
        names = sorted(set(draw.sample(flags, draw.choice([0, 0, 1, 2]))))
        yield {
            "time": time, "device-id": device(0 if draw.random() < 0.5 else draw.randrange(1, 60)),
            "public-flags": ",".join(names), "ip": draw.choice(["1.2.3.4", "10.0.0.1", "11.0.0.1"]),
            "device": draw.choice(["Android 8.1.0, Nexus", "iOS, 12.1, iPhone7,2"]),
            "appid": draw.choice(["com.a", "com.b"]), "rejection-flags": draw.choice(["", "rooted"]),
        }


def instant(seconds, form):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime(form)


def json_lines(items):
    return "".join(json.dumps({**item, "time": instant(item["time"], "%Y-%m-%dT%H:%M:%SZ")}) + "\n" for item in items)


def information(items):
    text = ""
    for item in items:
        text += f"--- {item['device-id']} {instant(item['time'], '%Y-%m-%d %H:%M:%S UTC')} ---\n"
        text += "".join(f"{key}: {value}\n" for key, value in item.items() if key not in ("time", "device-id"))
    return text


class Captures:
    """Captures in a folder, and a session that replays them; `started` makes the session."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="scenario-spark-tests-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        day = list(records(1, 1500, 1_600_000_000, ["rooted", "xposed", "new-b", "own-flag"]))
        evening = list(records(2, 800, 1_600_020_000, ["rooted", "new-a", "new-did", "frida"]))
        cls.day = cls.write("day.jsonl", json_lines(day))
        cls.evening = cls.write("evening.txt", information(evening))
        cls.account = cls.write("account.yaml", ACCOUNT)
        cls.captures = [cls.day, cls.evening]
        cls.spark = cls.started()
        cls.addClassCleanup(cls.spark.stop)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.folder, name)
        Path(path).write_text(text)
        return path

    def command(self, script):
        """A command that does something before it is `scenario`."""
        path = self.write(f"command-{self.id()}", f"#!/bin/bash\n{script}\nexec {SCENARIO} \"$@\"\n")
        os.chmod(path, 0o755)
        return path

    def one_machine(self, *arguments):
        done = subprocess.run([SCENARIO, *arguments], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def whole(self, *captures):
        return self.one_machine("replay", *(captures or self.captures), f"--account={self.account}", "--format=json")

    def replay(self, paths=None, **options):
        options = {"binary": SCENARIO, "account": self.account, "split": True, "range_bytes": 100_000, **options}
        return on_spark.replay(self.spark, paths or self.captures, **options)

    def assert_nothing_left(self):
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("scenario-spark-")], [])


class SameBytes(Captures):
    """Tests that every kind of Spark has to pass."""

    def test_replay_is_that_of_one_machine(self):
        for shards in (1, 2, 7):
            for split in (False, True):
                with self.subTest(shards=shards, split=split):
                    self.assertEqual(self.replay(shards=shards, split=split).bytes, self.whole())
        self.assert_nothing_left()

    def test_one_machine_gets_one_part_and_all_cores(self):
        # Captures, and a table whose rows were split.
        lines = json_lines(records(5, 90, 1_600_000_000, ["rooted", "new-e"]))
        path = self.write("small.jsonl", lines)
        for number, (source, options) in enumerate((
            (path, {}), (self.table(lines.splitlines()), {"columns": {"file": "place"}, "work": self.folder}),
            (path, {"shards": 2}), (path, {"shards": 1, "jobs": 3}), (path, {"jobs": 1}),
        )):
            with self.subTest(number=number):
                log = os.path.join(self.folder, f"log-{self.id()}-{number}")
                binary = self.command(f'case $1 in replay) echo "$*" >> {log};; esac')
                report = self.replay(source, split=None, binary=binary, **options)
                self.assertEqual(report.bytes, self.whole(path))
                expected = [["1/1 2"], ["1/1 2"], ["1/2 1", "2/2 1"], ["1/1 3"], ["1/1 1"]][number]
                found = re.findall(r"--jobs=(\d+) .*--shard=(\S+)", Path(log).read_text())
                self.assertEqual(sorted(f"{shard} {jobs}" for jobs, shard in found), expected)

    def test_comparison_is_that_of_one_machine(self):
        report = on_spark.diff(
            self.spark, self.captures, self.account, change=CHANGE, shards=5, range_bytes=150_000, binary=SCENARIO)
        arguments = ["diff", *self.captures, f"--account={self.account}", f"--change={CHANGE[0]}"]
        self.assertEqual(report.bytes, self.one_machine(*arguments, "--format=json"))
        self.assertEqual(str(report).encode(), self.one_machine(*arguments))
        self.assertEqual(report.json["after"]["summary"]["attestations"], 2300)
        self.assertIn("<html", report.to_html())
        table = report.to_pandas()
        self.assertEqual(table.loc["pass", "after"], report.json["after"]["metrics"]["pass"])

    def test_decisions_are_those_of_one_machine(self):
        expected = self.one_machine(
            "replay", *self.captures, f"--account={self.account}", "--decisions=-", "--output=/dev/null")
        for shards, split in ((2, False), (7, True)):
            with self.subTest(split=split):
                frame = on_spark.decisions(
                    self.spark, self.captures, self.account, shards=shards, split=split, range_bytes=100_000,
                    binary=SCENARIO)
                rows = [row.asDict() for row in frame.orderBy("index").collect()]
                self.assertEqual(rows, [json.loads(line) for line in expected.splitlines()])
                self.assertEqual(len(rows), 2300)

    def table(self, texts):
        """Rows in any order, with the time of each record and where it stood."""
        rows = [
            (text, number // 3, "day", number) for number, text in enumerate(texts)]
        random.Random(3).shuffle(rows)
        return self.spark.createDataFrame(rows, "record string, time long, place string, offset long").repartition(5)

    def test_a_table_is_that_of_one_machine(self):
        # Three neighbours get one time, so that places decide. Records of text have several lines.
        for form in (json_lines, information):
            with self.subTest(form=form.__name__):
                items = list(records(4, 600, 1_600_000_000, ["rooted", "new-b", "new-d"]))
                path = self.write(f"{form.__name__}.txt", form(items))
                report = self.replay(
                    self.table([form([item]) for item in items]), columns={"file": "place"}, work=self.folder, shards=3)
                self.assertEqual(report.bytes, self.whole(path))
        self.assert_nothing_left()
