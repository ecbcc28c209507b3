"""Replays on Spark in `local[2]` come to the bytes of one machine, whatever happens to the tasks."""

import importlib
import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

from pyspark.sql import SparkSession
from support import SCENARIO, SameBytes, device, json_lines, records

from policy_scenario import spark as on_spark
from policy_scenario.spark._sessions import ALL, default_jobs, local_cores
from policy_scenario.spark._tasks import Task, perform


class SparkTests(SameBytes, unittest.TestCase):
    @classmethod
    def started(cls):
        # Four attempts a task; with one, a task that is killed ends all.
        spark = (
            SparkSession.builder.master("local[2,4]").appName("tests").config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
        spark.sparkContext.setLogLevel("OFF")
        return spark

    def test_more_parts_than_devices(self):
        # At least five of the eight are empty.
        few = [device(number) for number in range(3)]
        items = [item for item in records(6, 300, 1_600_000_000, ["rooted", "new-c"]) if item["device-id"] in few]
        path = self.write("few.jsonl", json_lines(items))
        self.assertEqual(self.replay([path], shards=8).bytes, self.whole(path))

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
        self.assertEqual(sorted(os.listdir(target)), ["shard-1.arrow", "shard-2.arrow", "shard-3.arrow"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("split-")], [])

    def test_a_malformed_record_is_told_with_file_and_line(self):
        lines = Path(self.day).read_text().splitlines(keepends=True)
        lines[1234] = "no record\n"
        path = self.write("spoilt.jsonl", "".join(lines))
        for split in (False, True):
            with self.subTest(split=split), self.assertRaises(on_spark.ScenarioError) as raised:
                self.replay([path], shards=3, split=split)
            self.assertEqual(raised.exception.status, 2)
            self.assertIn(f"{path}:1235: error: not a JSON object", str(raised.exception))
        report = self.replay([path], shards=3, skip_malformed=True)
        self.assertEqual(report.json["summary"]["malformed"], 1)
        self.assertIn(f"{path}:1235: warning:", "\n".join(report.messages))
        self.assert_nothing_left()

    def test_the_command_is_missing(self):
        for binary, message in (("/nowhere/scenario", "is no executable file on"), (None, "is missing on")):
            with self.subTest(binary=binary), self.assertRaises(on_spark.ScenarioError) as raised:
                self.replay(binary=binary)
            self.assertIn(message, str(raised.exception))
            self.assertEqual(str(raised.exception).count("\n"), 0)

    def test_a_malformed_row_is_told_with_its_place(self):
        texts = json_lines(records(4, 50, 1_600_000_000, ["rooted", "frida"])).splitlines()
        texts[31] = "no record"
        with self.assertRaises(on_spark.ScenarioError) as raised:
            self.replay(self.table(texts), columns={"file": "place"}, work=self.folder, shards=2)
        self.assertIn("(day at 31)", str(raised.exception))
        for options, message in (({}, "needs `work`"), ({"work": self.folder}, "has no column file")):
            with self.subTest(options=options), self.assertRaises(on_spark.ScenarioError) as raised:
                self.replay(self.table(texts), shards=2, **options)
            self.assertIn(message, str(raised.exception))

    def test_the_former_name_warns(self):
        sys.modules.pop("scenario_spark", None)
        with self.assertWarnsRegex(DeprecationWarning, "scenario_spark is now policy_scenario.spark"):
            former = importlib.import_module("scenario_spark")
        self.assertIs(former.replay, on_spark.replay)
        self.assertIs(former.ScenarioError, on_spark.ScenarioError)

    def test_which_sessions_are_on_one_machine(self):
        for master, cores, jobs in (
            ("local", 1, 1), ("local[4]", 4, 4), ("local[*]", ALL, None), ("local[3,2]", 3, 3), ("local[*, 2]", ALL, None),
            ("local[2000]", 2000, 1024),
            ("local-cluster[2,1,1024]", None, 5), ("spark://local[2]:7077", None, 5), ("yarn", None, 5), (None, None, 1),
        ):
            def get(name, default, master=master):
                if master is None:
                    raise PermissionError(f"{name} is not to be asked")
                return {"spark.master": master, "spark.task.cpus": "5"}.get(name, default)

            with self.subTest(master=master):
                session = SimpleNamespace(conf=SimpleNamespace(get=get))
                self.assertEqual(local_cores(session), cores)
                self.assertEqual(default_jobs(session, 1), jobs)
                self.assertEqual(default_jobs(session, 2), 1 if master is None else 5)

    def test_what_the_command_refuses(self):
        for options, message in (
            ({"account": "/nowhere.yaml"}, "no such file"), ({"policy": "default,nothing,all"}, "nothing"),
            ({"shards": 0}, "shards is a number from 1"),
        ):
            with self.subTest(options=options), self.assertRaises(on_spark.ScenarioError) as raised:
                self.replay(**options)
            self.assertIn(message, str(raised.exception))
        with self.assertRaises(on_spark.ScenarioError) as raised:
            self.replay([os.path.join(self.folder, "none-*")])
        self.assertIn("no such file", str(raised.exception))


if __name__ == "__main__":
    unittest.main()
