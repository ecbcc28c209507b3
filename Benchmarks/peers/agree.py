"""Compares the report of `scenario replay --format json` with the figures that a peer printed.

usage: agree.py REPORT.json PEER.tsv

A figure is a line of four columns: kind, name, how many passed, how many failed. The kinds are `total`, `lifetime` (by
seconds), `filter` (matches), `flag`, `rejection` (by flag), `app`, `hour` and `day` (devices). Exits with 1 where a
figure differs or is on one side only.
"""
import json
import re
import sys

import rules


def reported(report):
    """The figures of a report."""
    metrics = report["metrics"]
    figures = {("total", "all"): (metrics.get("pass", 0), metrics.get("fail", 0))}
    for flag in rules.FLAGS:
        figures["flag", flag] = (metrics.get(f"pass-flag-{flag}", 0), metrics.get(f"fail-flag-{flag}", 0))
        if flag in rules.REJECTING:
            figures["rejection", flag] = (metrics.get(f"rejection-flag-{flag}", 0), 0)
    for name in rules.NAMES:
        figures["filter", name] = (metrics.get(f"filter-{name}", 0), 0)
    for metric, count in metrics.items():
        # `pass-app-and-com.example.bank.android`; the peers count an app whatever its system.
        if part := re.fullmatch(r"(pass|fail)-app-(?:and|ios|unknown)-(.+)", metric):
            passes, failures = figures.get(("app", part[2]), (0, 0))
            figures["app", part[2]] = (passes + count, failures) if part[1] == "pass" else (passes, failures + count)
    for kind, windows, length in (("hour", "hourly", 13), ("day", "daily", 10)):
        for window in report["windows"][windows]:
            figures[kind, window["start"][:length].replace("T", " ")] = (window["pass"], window["fail"])
    return {key: figure for key, figure in figures.items() if figure != (0, 0)}


def printed(path):
    """The figures of a peer, and its lifetimes, which the report does not have by verdict."""
    figures, lifetimes = {}, {}
    for line in open(path, encoding="utf-8"):
        kind, name, passes, failures = line.rstrip("\n").split("\t")
        if kind == "lifetime":
            lifetimes[name] = int(passes) + int(failures)
        elif (int(passes), int(failures)) != (0, 0):
            figures[kind, name] = (int(passes), int(failures))
    return figures, {name: count for name, count in lifetimes.items() if count}


def main():
    report = json.load(open(sys.argv[1], encoding="utf-8"))
    ours = reported(report)
    theirs, lifetimes = printed(sys.argv[2])
    wrong = [f"{kind} {name}: report {ours.get((kind, name))}, peer {theirs.get((kind, name))}"
             for kind, name in sorted(ours.keys() | theirs.keys())
             if ours.get((kind, name)) != theirs.get((kind, name))]
    if report["lifetimes"] != lifetimes:
        wrong.append(f"lifetimes: report {report['lifetimes']}, peer {lifetimes}")
    if wrong:
        sys.exit("\n".join(wrong[:20]))
    print(f"{len(theirs) + len(lifetimes)} figures agree")


main()
