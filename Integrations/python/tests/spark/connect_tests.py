"""Replays through Spark Connect, whose sessions have no SparkContext, come to the bytes of one machine.

Needs a Spark that brings its Connect server along, as those of 4.0 and newer do.
"""

import unittest

from pyspark.sql import SparkSession
from support import SameBytes


class ConnectTests(SameBytes, unittest.TestCase):
    @classmethod
    def started(cls):
        return (
            SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "4")
            .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())

    def test_there_is_no_context(self):
        with self.assertRaisesRegex(Exception, "not supported|JVM"):
            self.spark.sparkContext
        self.assertEqual(type(self.spark).__module__, "pyspark.sql.connect.session")


if __name__ == "__main__":
    unittest.main()
