"""Counts verdicts by labels in the plainest way, and compares the counts with those of the command.

Reads {"scenario": PATH, "folder": PATH, "seeds": [N, …]} and writes how many reports of each kind were equal; ends with an error at
the first difference. The verdicts are those of the command's own decisions; labels, days, costs and efficient edits are counted here.
"""
import base64
import collections
import datetime
import json
import os
import random
import subprocess
import sys

COST = "missed=40,blocked=6,rejected-unknown=1"
KEYS = ["device-id", "ip", "app-version"]
CHANGE = "policy -set default,allow-root,default"
ACCOUNT = """account: a
policy: default,default,default
filters:
  - {name: ten, key: ip, match: 10.0.0.1, reject: true}
  - {name: two, key: ip, match: 10.0.0.2}
"""
START = datetime.datetime(2020, 7, 20, 20, 0, 0)
work = json.load(sys.stdin)
os.chdir(work["folder"])
equal = collections.Counter()


def time(seconds):
    return "" if seconds is None else (START + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def run(*arguments, status=0):
    done = subprocess.run([work["scenario"], *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


class Problem:
    """A random capture and labels."""

    def __init__(self, seed):
        chance = random.Random(seed)
        devices = [base64.b64encode(bytes([number + 1] + [0] * 15)).decode() for number in range(chance.randint(2, 9))]
        self.records, seconds = [], 0
        for number in range(chance.randint(5, 40)):
            seconds += chance.choice([0, 30, 3600, 30000])
            flags = [name for name in ["rooted", "frida", "emulator", "debug"] if chance.random() < 0.15]
            self.records.append({
                "seconds": seconds, "device-id": chance.choice(devices), "ip": f"10.0.0.{chance.randint(1, 5)}",
                "app-version": chance.choice("12"), "flags": flags + ([] if number else ["new-did"])})
        usual, self.rows = chance.choice(["bad", "good"]), []
        for line in range(2, chance.randint(3, 10)):
            key = chance.choice(["device-id"] * 4 + ["ip", "app-version"])
            value = chance.choice({"device-id": devices + ["////////////////////AA=="],
                                   "ip": [f"10.0.0.{number}" for number in range(1, 8)], "app-version": "123"}[key])
            label = chance.choice(["bad", "good"]) if key == "device-id" else usual
            start = chance.choice([None, None, None, chance.randint(-1000, seconds)])
            end = chance.choice([None, None, None, (start or 0) + chance.randint(1, seconds + 2)])
            self.rows.append((key, value, label, start, end, line))
        self.labels = collections.defaultdict(set)
        for record in self.records:
            for row in self.rows:
                if self.fits(row, record):
                    self.labels[record["device-id"]].add(row[2])

    @staticmethod
    def fits(row, record):
        key, value, _, start, end, _ = row
        return (record[key] == value and (start is None or start <= record["seconds"])
                and (end is None or record["seconds"] < end))

    def write(self):
        with open("capture.jsonl", "w", encoding="utf-8") as file:
            for record in self.records:
                members = {key: record[key] for key in KEYS}
                members |= {"time": time(record["seconds"]), "public-flags": ",".join(record["flags"])}
                file.write(json.dumps(members) + "\n")
        with open("labels.csv", "w", encoding="utf-8") as file:
            file.write(",".join(KEYS + ["label", "from", "until"]) + "\n")
            for key, value, label, start, end, _ in self.rows:
                cells = [value if key == other else "" for other in KEYS]
                file.write(",".join(cells + [label, time(start), time(end)]) + "\n")

    def contradicts(self):
        def overlap(one, other):
            least, most = float("-inf"), float("inf")
            starts = [row[3] if row[3] is not None else least for row in (one, other)]
            ends = [row[4] if row[4] is not None else most for row in (one, other)]
            return starts[0] < ends[1] and starts[1] < ends[0]
        pairs = any(one[:2] == other[:2] and one[2] != other[2] and overlap(one, other)
                    for one in self.rows for other in self.rows)
        return pairs or any(len(labels) == 2 for labels in self.labels.values())

    def verdicts(self, *changes):
        run("replay", "capture.jsonl", "--account=account.yaml", *[f"--change={change}" for change in changes],
            "--decisions=decisions.jsonl", "--output=report.txt")
        with open("decisions.jsonl", encoding="utf-8") as file:
            return [json.loads(line)["verdict"] == "pass" for line in file]

    def count(self, verdicts):
        """By label: the devices, those that are rejected, their days, and those on which they are rejected."""
        counts = {}
        for label in ["bad", "good", "unknown"]:
            pairs = [(record["device-id"], time(record["seconds"])[:10], passed)
                     for record, passed in zip(self.records, verdicts)
                     if (list(self.labels[record["device-id"]]) or ["unknown"])[0] == label]
            counts[label] = ({pair[0] for pair in pairs}, {pair[0] for pair in pairs if not pair[2]},
                             {pair[:2] for pair in pairs}, {pair[:2] for pair in pairs if not pair[2]})
        return counts

    def compare(self, found, verdicts, before=None):
        """Compares an account's counts, and returns its cost, and the bad, good and unknown devices that it rejects."""
        counts = self.count(verdicts)
        for label, word in [("bad", "caught"), ("good", "blocked"), ("unknown", "rejected")]:
            actual = [found[label][key] for key in ["devices", word, "days", f"{word}-days", "unevaluated"]]
            assert actual == [len(part) for part in counts[label]] + [0], (label, found, counts)
        bad, good, unknown = counts["bad"], counts["good"], counts["unknown"]
        cost = 40 * (len(bad[2]) - len(bad[3])) + 6 * len(good[3]) + len(unknown[3])
        assert found["cost"] == cost
        assert (found["recall"] is None) == (not bad[0])
        if bad[0]:
            assert abs(found["recall"]["share"] - len(bad[1]) / len(bad[0])) < 1e-6
        if before is not None:
            old = self.count(before)
            for label, part in counts.items():
                assert found["newly-rejected"][label] == len(part[1] - old[label][1])
                assert found["no-longer-rejected"][label] == len(old[label][1] - part[1])
        return cost, len(bad[1]), len(good[1]), len(unknown[1])


with open("account.yaml", "w", encoding="utf-8") as account:
    account.write(ACCOUNT)
for seed in work["seeds"]:
    problem = Problem(seed)
    problem.write()
    options = ["capture.jsonl", "--account=account.yaml", "--labels=labels.csv", f"--cost={COST}", "--format=json",
               f"--jobs={[1, 2, 7][seed % 3]}"]
    if problem.contradicts():
        run("replay", *options, status=2)
        equal["refused"] += 1
        continue
    own = problem.verdicts()
    replay = json.loads(run("replay", *options))["labels"]
    base = problem.compare(replay["account"], own)
    lines = [row[5] for row in problem.rows if not any(problem.fits(row, record) for record in problem.records)]
    assert [row["line"] for row in replay["unmatched"]] == lines
    equal["replays"] += 1
    equal["unmatched"] += len(lines)
    changed = json.loads(run("diff", *options, f"--change={CHANGE}"))["changes"]["labels"]
    problem.compare(changed["before"], own)
    cost = problem.compare(changed["after"], problem.verdicts(CHANGE), own)[0]
    assert changed["after"]["saves"] == base[0] - cost
    equal["comparisons"] += 1
    if seed % 20:
        continue
    edits = json.loads(run("whatif", *options))["edits"]
    verdicts = [problem.verdicts(edit["command"]) for edit in edits]
    points = [problem.compare(edit["labels"], after, own) for edit, after in zip(edits, verdicts)]
    for edit, after, (cost, *rejected) in zip(edits, verdicts, points):
        assert edit["labels"]["saves"] == base[0] - cost
        caught, blocked, unknown = rejected
        beaten = any(other[1] >= caught and other[2] <= blocked and other[3] <= unknown and list(other[1:]) != rejected
                     for other in points + [base])
        # A policy under which nobody passes any more is no edit that anybody weighs.
        shuts_all_out = edit["command"].startswith("policy -set ") and any(own) and not any(after)
        assert edit["labels"]["efficient"] == (not beaten and not shuts_all_out), edit
    equal["edits"] += len(edits)
json.dump(equal, sys.stdout)
