"""Replays on Spark in `local[2]` come to the bytes of one machine, whatever happens to the tasks.

The command is the one that the variable SCENARIO names.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [sys.path[0], os.environ.get("PYTHONPATH")]))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

from pyspark.sql import SparkSession  # noqa: E402

import scenario_spark  # noqa: E402
from scenario_spark._tasks import Task, perform  # noqa: E402

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
    import base64

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
    from datetime import datetime, timezone

    return datetime.fromtimestamp(seconds, timezone.utc).strftime(form)


def json_lines(items):
    return "".join(json.dumps({**item, "time": instant(item["time"], "%Y-%m-%dT%H:%M:%SZ")}) + "\n" for item in items)


def information(items):
    text = ""
    for item in items:
        text += f"--- {item['device-id']} {instant(item['time'], '%Y-%m-%d %H:%M:%S UTC')} ---\n"
        text += "".join(f"{key}: {value}\n" for key, value in item.items() if key not in ("time", "device-id"))
    return text


class SparkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="scenario-spark-tests-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        # Four attempts a task; with one, a task that is killed ends all.
        cls.spark = (
            SparkSession.builder.master("local[2,4]").appName("tests").config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.speculation", "true").config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
        cls.spark.sparkContext.setLogLevel("OFF")
        cls.addClassCleanup(cls.spark.stop)
        day = list(records(1, 1500, 1_600_000_000, ["rooted", "xposed", "new-b", "own-flag"]))
        evening = list(records(2, 800, 1_600_020_000, ["rooted", "new-a", "new-did", "frida"]))
        cls.day = cls.write("day.jsonl", json_lines(day))
        cls.evening = cls.write("evening.txt", information(evening))
        cls.account = cls.write("account.yaml", ACCOUNT)
        cls.captures = [cls.day, cls.evening]

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
        return scenario_spark.replay(self.spark, paths or self.captures, **options)

    def assert_nothing_left(self):
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("scenario-spark-")], [])

    def test_replay_is_that_of_one_machine(self):
        for shards in (1, 2, 7):
            for split in (False, True):
                with self.subTest(shards=shards, split=split):
                    self.assertEqual(self.replay(shards=shards, split=split).bytes, self.whole())
        self.assert_nothing_left()

    def test_comparison_is_that_of_one_machine(self):
        report = scenario_spark.diff(
            self.spark, self.captures, self.account, change=CHANGE, shards=5, range_bytes=150_000, binary=SCENARIO)
        arguments = ["diff", *self.captures, f"--account={self.account}", f"--change={CHANGE[0]}"]
        self.assertEqual(report.bytes, self.one_machine(*arguments, "--format=json"))
        self.assertEqual(str(report).encode(), self.one_machine(*arguments))
        self.assertEqual(report.json["after"]["summary"]["attestations"], 2300)
        self.assertIn("<html", report.to_html())
        table = report.to_pandas()
        self.assertEqual(table.loc["pass", "after"], report.json["after"]["metrics"]["pass"])

    def test_more_parts_than_devices(self):
        # 60 devices: many of the parts are empty.
        self.assertEqual(self.replay([self.evening], shards=64).bytes, self.whole(self.evening))

    def test_a_task_is_killed_on_its_first_attempt(self):
        # Of each stage one: a range and a part.
        marks = os.path.join(self.folder, "marks")
        os.makedirs(marks, exist_ok=True)
        binary = self.command(
            'case "$*" in *--range=0-*) mark=range;; *--shard=2/4*) mark=part;; *) mark=;; esac\n'
            f'if [ -n "$mark" ] && mkdir {marks}/$mark 2>/dev/null; then kill -9 $$; fi')
        self.assertEqual(self.replay(shards=4, binary=binary).bytes, self.whole())
        self.assertEqual(sorted(os.listdir(marks)), ["part", "range"])

    def test_attempts_at_the_same_time(self):
        # As speculation makes them: both write the same folder.
        target = os.path.join(self.folder, "split")
        task = Task(["split", self.day, "--shards=3"], target)
        with ThreadPoolExecutor() as pool:
            answers = list(pool.map(lambda _: perform(task, SCENARIO), range(4)))
        self.assertEqual([status for status, _, _ in answers], [0, 0, 0, 0])
        self.assertEqual(sorted(os.listdir(target)), ["manifest.json", "shard-1.zst", "shard-2.zst", "shard-3.zst"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("split-")], [])

    def test_a_malformed_record_is_told_with_file_and_line(self):
        lines = Path(self.day).read_text().splitlines(keepends=True)
        lines[1234] = "no record\n"
        path = self.write("spoilt.jsonl", "".join(lines))
        for split in (False, True):
            with self.subTest(split=split), self.assertRaises(scenario_spark.ScenarioError) as raised:
                self.replay([path], shards=3, split=split)
            self.assertEqual(raised.exception.status, 2)
            self.assertIn(f"{path}:1235: error: not a JSON object", str(raised.exception))
        report = self.replay([path], shards=3, skip_malformed=True)
        self.assertEqual(report.json["summary"]["malformed"], 1)
        self.assertIn(f"{path}:1235: warning:", "\n".join(report.messages))
        self.assert_nothing_left()

    def test_the_command_is_missing(self):
        for binary, message in (("/nowhere/scenario", "is no executable file on"), (None, "is missing on")):
            with self.subTest(binary=binary), self.assertRaises(scenario_spark.ScenarioError) as raised:
                self.replay(binary=binary)
            self.assertIn(message, str(raised.exception))
            self.assertEqual(str(raised.exception).count("\n"), 0)

    def test_decisions_are_those_of_one_machine(self):
        expected = self.one_machine(
            "replay", *self.captures, f"--account={self.account}", "--decisions=-", "--output=/dev/null")
        for shards, split in ((2, False), (7, True)):
            with self.subTest(split=split):
                frame = scenario_spark.decisions(
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

    def test_a_malformed_row_is_told_with_its_place(self):
        texts = json_lines(records(4, 50, 1_600_000_000, ["rooted", "frida"])).splitlines()
        texts[31] = "no record"
        with self.assertRaises(scenario_spark.ScenarioError) as raised:
            self.replay(self.table(texts), columns={"file": "place"}, work=self.folder, shards=2)
        self.assertIn("(day at 31)", str(raised.exception))
        for options, message in (({}, "needs `work`"), ({"work": self.folder}, "has no column file")):
            with self.subTest(options=options), self.assertRaises(scenario_spark.ScenarioError) as raised:
                self.replay(self.table(texts), shards=2, **options)
            self.assertIn(message, str(raised.exception))

    def test_what_the_command_refuses(self):
        for options, message in (
            ({"account": "/nowhere.yaml"}, "no such file"), ({"policy": "default,nothing,all"}, "nothing"),
            ({"shards": 0}, "shards is a number from 1"),
        ):
            with self.subTest(options=options), self.assertRaises(scenario_spark.ScenarioError) as raised:
                self.replay(**options)
            self.assertIn(message, str(raised.exception))
        with self.assertRaises(scenario_spark.ScenarioError) as raised:
            self.replay([os.path.join(self.folder, "none-*")])
        self.assertIn("no such file", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
