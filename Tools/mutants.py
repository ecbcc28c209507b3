#!/usr/bin/env python3
"""Changes the sources one place at a time, and says which changes no test notices.

    Tools/mutants.py [--seed N] [--jobs N] [--again] MODULE[:COUNT[:FOLDER,FOLDER...]] ...

Of each module COUNT places are drawn by the seed, or all. All changes are built at once into one copy of the package: each
place asks at run time whether it is the one that is changed. First it is noted which tests reach which place; then each
change is tried with those that reach it, up to the first that fails; slow tests run only where the others notice nothing.

What was found is kept below .build/mutants. A change that was noticed is not tried again unless its file has changed, nor
one that was not unless tests have; with --again all are. A change that nobody could notice is in Tools/mutants.txt,
with the reason. The exit status is 1 where another one is not noticed.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import sys
import threading

from mutation.build import Build
from mutation.trial import Trial

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTED = ROOT / "Tools" / "mutants.txt"
KEPT = ROOT / ".build" / "mutants" / "results.json"


class Part:
    """What is changed of a module."""

    def __init__(self, word):
        words = word.split(":")
        self.module = words[0]
        self.count = int(words[1]) if len(words) > 1 and words[1] else 0
        self.paths = words[2].split(",") if len(words) > 2 else []


def digest(files):
    """A number that changes with what files say."""
    sum = hashlib.sha256()
    for file in sorted(files):
        sum.update(file.read_bytes())
    return sum.hexdigest()[:16]


class Results:
    """What was found before, a line a change; the latest line is true."""

    def __init__(self, again):
        self.lock = threading.Lock()
        self.lines = {}
        for line in KEPT.read_text().splitlines() if KEPT.exists() and not again else []:
            found = json.loads(line)
            self.lines[found["name"]] = found

    def known(self, place, sources, tests):
        found = self.lines.get(place.name)
        if found is None or found["sources"] != sources or (found["by"] is None and found["tests"] != tests):
            return None
        return found

    def add(self, place, by, sources, tests):
        found = {"name": place.name, "by": by, "sources": sources, "tests": tests}
        with self.lock, KEPT.open("a") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
        return found


def listed():
    """The changes that nobody could notice, with the reason of each."""
    reasons = {}
    for line in LISTED.read_text().splitlines() if LISTED.exists() else []:
        if line and not line.startswith("#"):
            key, _, reason = line.partition(" :: ")
            reasons[key] = reason
    return reasons


def is_listed(place, reasons):
    """True if nobody could notice a change: by the text there, or with `#2` at the second place with that text."""
    return place.key in reasons or place.name in reasons


def try_part(part, build, trial, results, jobs):
    """Tries the changes of a module. Returns whether all were noticed."""
    reasons = listed()
    chosen = [place for place in build.chosen(part)]
    tests = digest(path for path in (ROOT / "Tests").rglob("*") if path.is_file())
    sources = {place.file: digest([ROOT / place.file]) for place in chosen}
    unknown = [place for place in chosen
               if not is_listed(place, reasons) and not results.known(place, sources[place.file], tests)]
    if unknown:
        trial.find_reach(build.state(tests), jobs)
        print(f"{part.module}: {len(trial.groups)} groups of tests, {len(unknown)} changes to try", flush=True)

    def one(place):
        if is_listed(place, reasons):
            return place, "listed"
        found = results.known(place, sources[place.file], tests)
        if found is None:
            by = trial.noticing(place.number)
            found = results.add(place, by, sources[place.file], tests)
        return place, found["by"]

    survivors, noticed, unnoticeable = [], 0, 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for place, by in pool.map(one, chosen):
            if by == "listed":
                unnoticeable += 1
            elif by is not None:
                noticed += 1
            else:
                survivors.append(place)
                reach = "reached by no test" if unknown and not trial.reaches(place.number) else "not noticed"
                print(f"{place.file}:{place.line}: {place.kind}: {place.text} → {place.change}: {reach}\n"
                      f"    {place.key}", flush=True)
    tried = noticed + len(survivors)
    share = 100 * noticed / tried if tried else 100
    print(f"{part.module}: {len(build.all[part.module])} places, {tried} changes tried, {noticed} noticed "
          f"({share:.1f} %), {len(survivors)} not; {unnoticeable} nobody could notice", flush=True)
    return not survivors


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="+", metavar="MODULE[:COUNT[:FOLDERS]]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--again", action="store_true", help="forget what was found before")
    options = parser.parse_args()
    parts = [Part(word) for word in options.parts]
    build = Build(ROOT, parts, options.seed)
    build.copy()
    build.compile()
    if options.again:
        KEPT.unlink(missing_ok=True)
    results, trial = Results(options.again), Trial(build)
    held = [try_part(part, build, trial, results, options.jobs) for part in parts]
    sys.exit(0 if all(held) else 1)


if __name__ == "__main__":
    main()
