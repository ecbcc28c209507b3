"""The package as a whole: examples in descriptions, and what an import costs."""

import doctest
import importlib
import os
import pkgutil
import resource
import subprocess
import sys

import policy_scenario as ps
from support import PACKAGE, Tests

# Seconds of processor time.
IMPORT = 0.06


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

    def test_an_import_is_quick(self):
        def seconds(code):
            least = float("inf")
            for _ in range(7):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": str(PACKAGE)})
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                least = min(least, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
            return least

        nothing = seconds("pass")
        # A slow machine is slow for the modules of Python, too.
        usual = seconds("import json, subprocess, tempfile, typing") - nothing
        self.assertLess(seconds("import policy_scenario") - nothing, max(IMPORT, 2.5 * usual))

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
