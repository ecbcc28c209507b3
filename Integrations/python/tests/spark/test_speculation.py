"""With speculation, two attempts at a task are active at a time, and the report is the same bytes.

Spark makes no second attempt on the host of the first. So neither `local[N]` nor `local-cluster`, whose workers share a
host, would do: this is a standalone cluster, with a worker on each of two addresses of this machine.
"""

import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

import pyspark
from pyspark.sql import SparkSession
from policy_scenario.spark._command import ending_with_parent
from support import SCENARIO, Captures

HOME = os.path.dirname(pyspark.__file__)


class SpeculationTests(Captures, unittest.TestCase):
    @classmethod
    def started(cls):
        cls.daemon("Master", "127.0.0.1", "--port", "0")
        master = cls.waited(lambda: re.search(r"spark://127\.0\.0\.1:\d+", cls.said("Master", "127.0.0.1")))[0]
        for host in ("127.0.0.2", "127.0.0.3"):
            cls.daemon("Worker", host, "--cores", "1", "--memory", "1g", "--work-dir", cls.path(host), master)
        # One failure of a task ends all: another attempt can be one of speculation only.
        spark = (
            SparkSession.builder.master(master).appName("speculation").config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false").config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.task.maxFailures", "1").config("spark.speculation", "true")
            .config("spark.speculation.interval", "100ms").config("spark.speculation.quantile", "0.25")
            .config("spark.speculation.multiplier", "1.5").getOrCreate())
        spark.sparkContext.setLogLevel("OFF")
        return spark

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def daemon(cls, kind, host, *arguments):
        """Starts a part of the cluster; what it says goes to a file."""
        with open(cls.path(f"{kind}-{host}.log"), "wb") as log:
            process = subprocess.Popen(
                [f"{HOME}/bin/spark-class", f"org.apache.spark.deploy.{kind.lower()}.{kind}", "--host", host,
                 "--webui-port", "0", *arguments],
                stdout=log, stderr=log, preexec_fn=ending_with_parent(),
                env={**os.environ, "SPARK_HOME": HOME, "SPARK_LOCAL_IP": host, "SPARK_DAEMON_MEMORY": "256m"})
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.kill)

    @classmethod
    def said(cls, kind, host):
        return Path(cls.path(f"{kind}-{host}.log")).read_text()

    @classmethod
    def waited(cls, found, seconds=300):
        """What is found within some time."""
        end = time.monotonic() + seconds
        while not (result := found()):
            if time.monotonic() > end:
                raise AssertionError(f"nothing within {seconds} s")
            time.sleep(0.05)
        return result

    def test_two_attempts_at_a_time(self):
        # Of each stage one task is slow, on its first attempt. It says which attempt it is, and whether it got any further.
        slow = self.write("slow", f"""\
#!{sys.executable} -S
import os, sys, time
words = " ".join(sys.argv)
stage = "range" if "day.jsonl --shards=4 --no-progress --range=0-" in words else "part" if "--shard=2/4" in words else None
if stage:
    os.makedirs({self.path("attempts")!r}, exist_ok=True)
    number = 1
    while True:
        try:
            with open(f"{self.path('attempts')}/{{stage}}-{{number}}", "x") as file:
                file.write(str(os.getpid()))
            break
        except FileExistsError:
            number += 1
    if number == 1:
        time.sleep(300)
        open(f"{self.path('attempts')}/{{stage}}-1-went-on", "x")
os.execv({SCENARIO!r}, [{SCENARIO!r}, *sys.argv[1:]])
""")
        os.chmod(slow, 0o755)
        self.assertEqual(self.replay(shards=4, binary=slow).bytes, self.whole())
        attempts = sorted(os.listdir(self.path("attempts")))
        self.assertEqual(attempts, ["part-1", "part-2", "range-1", "range-2"])
        # The first attempts ended when Spark had no more use for them, and left nothing.
        for name in attempts:
            process = f"/proc/{Path(self.path('attempts'), name).read_text()}"
            self.waited(lambda process=process: not os.path.exists(process))
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()
