#!/usr/bin/env python3
"""Checks what sources, tests and documents say of one another: every rule that a file names is in docs/RULES.md, and a test
names every rule there; every promise of SECURITY.md names a suite of tests or a target of `make`; and no file names a folder
beside the checkout or one of a machine. Says each error, and exits with 1."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A function that is named after a rule has `_` where that has a point.
NAMED_RULE = re.compile(r"(?:\b|_)(R[1-9][0-9]?[a-z]?(?:[._][0-9]+[a-z]?)?)\b")
# `- R4.3 …` is a rule; `## R16 …` is one where no rule is below it.
RULE = re.compile(r"^(?:- |## )(R[0-9]+[a-z]?(?:\.[0-9]+[a-z]?)?)\s", re.MULTILINE)
# The steps of an attestation, which R10 numbers without a rule each.
STEPS = {f"R10.{step}" for step in range(1, 15)}
# Written in two parts, so that this file is not found.
FORBIDDEN = ["../" + "shared", "/wo" + "rk/", "/ro" + "ot/"]
ROW = re.compile(r"^\| (?!---).*\|$(?!\n\| ---)", re.MULTILINE)


def texts():
    """The texts of the files that the checkout has."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout
    found = {}
    for name in filter(None, listed.split("\0")):
        try:
            found[name] = (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            continue
    return found


def wrong_rules(files):
    numbers = set(RULE.findall(files["docs/RULES.md"]))
    rules = STEPS | {number for number in numbers if not any(other.startswith(number + ".") for other in numbers)}
    tested = set()
    for name, text in files.items():
        if not name.endswith((".swift", ".py", ".yaml", ".md", ".txt")):
            continue
        folder = name.split("/")[0]
        if folder not in ("Sources", "Tests", "Snippets", "Benchmarks", "Scenarios"):
            continue
        named = {number.replace("_", ".") for number in NAMED_RULE.findall(text)}
        if folder == "Tests":
            tested |= named
        for number in sorted(number for number in named - rules if "." in number):
            yield f"{name}: docs/RULES.md has no rule {number}"
    for number in sorted(rules - STEPS - tested):
        yield f"docs/RULES.md: no test names {number}"
    if len(rules) < 90:
        yield f"docs/RULES.md: only {len(rules)} rules were found"


def wrong_promises(files):
    suites = {suite for name, text in files.items() if name.startswith("Tests/")
              for suite in re.findall(r"\bstruct (\w+Tests)\b", text)}
    targets = {f"make {target}" for target in re.findall(r"^([\w-]+):", files["Makefile"], re.MULTILINE)}
    rows = ROW.findall(files["SECURITY.md"])
    for row in rows:
        named = re.findall(r"`([^`]+)`", row.split("|")[-2])
        if not named:
            yield f"SECURITY.md: a promise names no test: {row}"
        for name in named:
            if name not in suites | targets | set(files):
                yield f"SECURITY.md: neither a suite of tests, nor a file of cases, nor a target: {name}"
    if len(rows) < 15:
        yield f"SECURITY.md: only {len(rows)} promises were found"


def forbidden_paths(files):
    for name, text in files.items():
        for path in FORBIDDEN:
            # The scripts for packages work in folders of clean roots.
            if path in text and not name.startswith("Packaging/"):
                yield f"{name}: names a path outside the checkout: {path}"


def main():
    files = texts()
    problems = [*wrong_rules(files), *wrong_promises(files), *forbidden_paths(files)]
    print("\n".join(problems) or "each rule and each promise has its test, and no path leads outside the checkout")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
