"""Counts in the plainest way what the commands that `init bank` names should answer, and compares.

Reads {"scenario": PATH, "folder": PATH} and writes how many figures were equal; ends with an error at the first difference. Devices
are decided here from flags, addresses and versions alone.
"""
import collections
import csv
import json
import os
import re
import subprocess
import sys

work = json.load(sys.stdin)
os.chdir(work["folder"])
equal = collections.Counter()
ACCOUNT, THIS, LAST = "Scenarios/accounts/bank.yaml", "captures/this-week.jsonl", "captures/last-week.jsonl"
REJECTED = frozenset({"rooted", "jailbroken", "frida", "cloned", "debug", "app-not-registered"})
STRICT = REJECTED | {"safetynet-unavailable", "safetynet-fail-profile", "devicecheck-unavailable"}
EXEMPT = {"QmFuayBvZiBFeGFtcGxlMQ==", "QmFuayBvZiBFeGFtcGxlMg=="}
RIGHT = "filter -add stolen-version -key app-version -matchValue '^5\\.1([^0-9]|\\z)' -regex -reject"
FARM = "filter -add farm -conjunction hosting+android7 -reject"


def run(*words):
    done = subprocess.run([work["scenario"], *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), (words, done.stderr)
    return done.stdout


def answer(*words):
    return json.loads(run(*words, "--format", "json"))


def same(kind, actual, expected):
    assert actual == expected, (kind, actual, expected)
    equal[kind] += 1


def records(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def failing(path, version, flags=REJECTED, farm=False):
    """The devices that fail at least once."""
    devices = set()
    for record in records(path):
        of_farm = record["ip"].startswith("203.0.113.") and record["device"].startswith("Android 7")
        if record["device-id"] not in EXEMPT and (
                flags & set(record["public-flags"].split(",")) or version(record["app-version"]) or farm and of_farm):
            devices.add(record["device-id"])
    return devices


def written(version):
    return version.startswith("5.1")


def meant(version):
    return re.fullmatch(r"5\.1(\D.*)?", version) is not None


run("init", "bank")
week = records(THIS)
everybody = {record["device-id"] for record in week}
same("devices", len(everybody), 2000)
same("captured verdicts", {r["device-id"] for r in week if r["rejection-flags"]}, failing(THIS, written))
shares = {(value["key"], value["value"]): (value["before"], value["after"])
          for value in answer("compare", LAST, THIS, "--account", ACCOUNT)["values"]}
same("comparison", shares["verdict", "fail"], (len(failing(LAST, written)), len(failing(THIS, written))))

labels = {}
with open("labels.csv", encoding="utf-8") as lines:
    for label in csv.DictReader(lines):
        for record in week:
            if label["device-id"] == record["device-id"] or (
                    label["user-property"] and label["user-property"] == record.get("user-property")):
                labels[record["device-id"]] = label["label"]
good = {device for device in labels if labels[device] == "good"}
bad = set(labels) - good

changes = answer("diff", "--change", RIGHT)["changes"]
freed = failing(THIS, written) - failing(THIS, meant)
same("correction", (changes["let-in"], changes["locked-out"]), (len(freed), 0))
same("correction of good ones", changes["labels"]["after"]["good"]["blocked"], len(good & failing(THIS, meant)))
run("approov", "--account", ACCOUNT, "--yes", *RIGHT.replace("'", "").split())

before = failing(THIS, meant)
edits = {edit["command"]: edit for edit in answer("whatif")["edits"]}
caught = failing(THIS, meant, farm=True)
for command, after in [(FARM, caught), ("policy -set default,strict,risk", failing(THIS, meant, STRICT))]:
    edit = edits[command]
    same("edits", edit["newly-rejected"]["devices"], len(after - before))
    same("edits of labelled ones", (edit["labels"]["bad"]["caught"], edit["labels"]["good"]["blocked"]),
         (len(bad & after), len(good & after)))
found = answer("search", "--catch", "90%", "--max-good-blocked", "1%")["answers"][0]
same("search", (found["commands"], found["caught"], found["blocked"]),
     ([FARM], len(bad & caught), len(good & caught)))
print(json.dumps(equal))
