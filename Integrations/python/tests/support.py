"""Captures, accounts, and the command that the variable POLICY_SCENARIO_COMMAND names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.parent.parent
sys.path.insert(0, str(PACKAGE))

COMMAND = os.path.abspath(os.environ.setdefault("POLICY_SCENARIO_COMMAND", str(ROOT / ".build/release/scenario")))
os.environ["POLICY_SCENARIO_COMMAND"] = COMMAND
CAPTURE = "Scenarios/captures/new-devices-2020-07-23.txt"
AFTERNOON = "Scenarios/captures/afternoon-2020-07-23.jsonl"
ACCOUNT = "Scenarios/accounts/bank.yaml"
STRICT = "default,strict,risk"
# Commands that write reports as JSON and are no functions: `merge` is for several machines, and `policy` asks about no device.
NOT_FUNCTIONS = {"merge", "policy"}


class Tests(unittest.TestCase):
    """Tests in the folder of the repository, each with a folder of its own that is also the one for temporary files."""

    def setUp(self) -> None:
        os.chdir(ROOT)
        self.ignore_warnings()
        self.folder = tempfile.mkdtemp(prefix="tests-")
        self.addCleanup(subprocess.run, ["rm", "-rf", self.folder], check=True)
        self.temporary = os.path.join(self.folder, "temporary")
        os.mkdir(self.temporary)
        before = tempfile.tempdir
        tempfile.tempdir = self.temporary
        self.addCleanup(setattr, tempfile, "tempdir", before)
        self.addCleanup(self.assert_nothing_left)

    def ignore_warnings(self) -> None:
        """Shows no warnings of the command; tests about these expect them."""
        from policy_scenario import ScenarioWarning

        filters = warnings.catch_warnings()
        filters.__enter__()
        self.addCleanup(filters.__exit__, None, None, None)
        warnings.simplefilter("ignore", ScenarioWarning)

    def assert_nothing_left(self) -> None:
        self.assertEqual(os.listdir(self.temporary), [])

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        Path(path).write_text(text, encoding="utf-8")
        return path

    def script(self, text: str) -> str:
        """A program of the shell."""
        path = self.write("command", f"#!/bin/bash\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def json_of(self, *arguments: str) -> Any:
        """The JSON report of the command itself."""
        done = subprocess.run([COMMAND, *arguments, "--format=json"], capture_output=True, check=False)
        self.assertTrue(done.stdout, done.stderr)
        return json.loads(done.stdout)


def reporting() -> Dict[str, Any]:
    """The commands that write reports as JSON and are functions, by name."""
    dump = json.loads(subprocess.run([COMMAND, "--dump-help"], capture_output=True, check=True).stdout)
    return {each["commandName"]: each for each in dump["command"]["subcommands"]
            if "reports" in each and each["commandName"] not in NOT_FUNCTIONS}


def function_of(name: str) -> Any:
    """The function of a command; `return` has `return_`."""
    import policy_scenario

    return getattr(policy_scenario, name, None) or getattr(policy_scenario, f"{name}_")


def result_of(name: str) -> Any:
    """The class of what the function of a command gives."""
    import policy_scenario

    return getattr(policy_scenario, function_of(name).__annotations__["return"])


def leaves(value: Any, path: Tuple[Any, ...] = ()) -> Iterator[Tuple[Tuple[Any, ...], Any]]:
    """Every value of a JSON report that is not an object or an array with something in it, and the way to it."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from leaves(item, (*path, number))
    else:
        yield path, value


def records(text: str) -> List[dict]:
    """The records of a capture of device information, as JSON Lines has them."""
    found: List[dict] = []
    for line in text.splitlines():
        if line.startswith("--- "):
            found.append({})
        elif ": " in line or line.endswith(":"):
            key, _, value = line.partition(":")
            found[-1][key] = value.strip()
    return found
