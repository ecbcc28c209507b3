#!/usr/bin/env python3
"""Runs all tests with counters in the code, and says which lines of the sources no test reaches, file by file, and at the end what
share of the lines of each module tests reach.

    Tools/coverage.py [MODULE]

With a module, its files alone are looked at. A line of PolicyEngine that no test
reaches is in Tools/uncovered.txt, with the reason; the exit status is 1 where another one is found.
"""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / ".build" / "coverage"
LISTED = ROOT / "Tools" / "uncovered.txt"
CHECKED = "Sources/PolicyEngine/"


def tool(name):
    """A program of the toolchain, which is beside the compiler."""
    compiler = shutil.which("swiftc")
    beside = pathlib.Path(os.path.realpath(compiler)).parent / name if compiler else None
    return str(beside) if beside and beside.exists() else name


def uncovered(module):
    """By file: the lines that no test reaches, and how many lines hold code."""
    command = ["swift", "test", "--enable-code-coverage", "--scratch-path", str(SCRATCH)]
    # All tests, since a module is reached by the cases of others.
    environment = {name: value for name, value in os.environ.items() if name not in ("MODULE", "FILTER")}
    if subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit("a test fails")
    report = subprocess.run(
        [tool("llvm-cov"), "export", "-format=lcov", str(SCRATCH / "debug" / "policy-enginePackageTests.xctest"),
         "-instr-profile", str(SCRATCH / "debug" / "codecov" / "default.profdata")],
        capture_output=True, text=True, check=True).stdout
    files, lines = {}, {}
    for line in report.splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            path = pathlib.Path(value)
            name = str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else ""
            lines = {}
            if name.startswith(f"Sources/{module}/" if module else "Sources/") and name.endswith(".swift"):
                files[name] = lines
        elif kind == "DA":
            number, count = value.split(",")[:2]
            lines[int(number)] = max(lines.get(int(number), 0), int(count))
    return files


def listed():
    """The lines that no test can reach, with the reason of each."""
    reasons = {}
    for line in LISTED.read_text().splitlines() if LISTED.exists() else []:
        if line and not line.startswith("#"):
            key, _, reason = line.partition(" :: ")
            reasons[key] = reason
    return reasons


def main():
    module = sys.argv[1] if len(sys.argv) > 1 else ""
    reasons, missing, totals = listed(), 0, {}
    for name, lines in sorted(uncovered(module).items()):
        total = totals.setdefault(name.split("/")[1], [0, 0])
        total[0] += sum(count > 0 for count in lines.values())
        total[1] += len(lines)
        source = (ROOT / name).read_text().split("\n")
        cold = [number for number, count in sorted(lines.items()) if count == 0 and source[number - 1].strip(" \t})],")]
        if not cold:
            continue
        print(f"{name}: {len(cold)} of {len(lines)} lines")
        for number in cold:
            text = source[number - 1].strip()
            reason = reasons.get(f"{name} | {text}", "")
            if name.startswith(CHECKED) and not reason:
                missing += 1
            print(f"  {number}: {text}{'  — ' + reason if reason else ''}")
    for name, (reached, all_lines) in totals.items():
        print(f"{name}: {100 * reached / max(1, all_lines):.2f} % of {all_lines} lines are reached")
    if missing:
        print(f"{missing} lines of PolicyEngine are reached by no test and have no reason in {LISTED.relative_to(ROOT)}")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
