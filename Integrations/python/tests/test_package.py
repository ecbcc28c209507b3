"""The package as a whole: examples in descriptions, and what an import costs."""

import doctest
import importlib
import os
import pkgutil
import subprocess
import sys

import policy_scenario as ps
from support import PACKAGE, Tests


class PackageTests(Tests):
    def test_examples_in_descriptions(self):
        count = 0
        for module in pkgutil.iter_modules(ps.__path__):
            if module.name != "spark":
                result = doctest.testmod(importlib.import_module(f"policy_scenario.{module.name}"))
                self.assertEqual(result.failed, 0, module.name)
                count += result.attempted
        result = doctest.testmod(ps)
        self.assertEqual(result.failed, 0)
        self.assertGreater(count, 30)

    def test_an_import_loads_little(self):
        """An import costs what it loads: its own modules, and few beside those that start a process and read its answer."""
        code = ("import sys, json, subprocess, tempfile, typing\n"
                "before = set(sys.modules)\n"
                "import policy_scenario\n"
                "added = [name.split('.')[0] == 'policy_scenario' for name in set(sys.modules) - before]\n"
                "print(added.count(True), added.count(False))")
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        own, others = map(int, done.stdout.split())
        self.assertLessEqual(own, 20)
        self.assertLessEqual(others, 30)

    def test_an_import_needs_no_other_package(self):
        code = ("import sys, policy_scenario\n"
                "print([name for name in ('polars', 'pyarrow', 'pandas', 'numpy', 'pyspark') if name in sys.modules])")
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
        self.assertEqual(done.stdout, b"[]\n")

    def test_all_names_are_there(self):
        self.assertEqual(sorted(ps.__all__), ps.__all__)
        for name in ps.__all__:
            self.assertTrue(getattr(ps, name).__doc__, name)
