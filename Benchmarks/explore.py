"""Times `scenario explore` over HTTP: the first view, and the answers to random changes, each made after the one before.

usage: explore.py COMMAND CAPTURE ACCOUNT [CHANGES [SEED]]

A change is one that the page offers: another name of the policy, a flag that rejects, an option of a filter, a filter less or with
another pattern, the sampling, or an entry of a device. Every fifth answer is compared with the report of `diff`, byte by byte.
Processor milliseconds are those of the server, and do not depend on what else the machine does.
"""
import json
import os
import random
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PATTERNS = ["^iOS, 1[0-3]", "Android 8", "(?i)pixel", "^[4-6]", "user$", "^1[0-9]{2}\\."]
LONGEST = 5  # commands, after which the account is as it was


class Server:
    """The command, and questions to it."""

    def __init__(self, command, capture, account):
        self.start = time.perf_counter()
        self.process = subprocess.Popen(
            [command, "explore", capture, "--account", account, "--no-progress"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def ask(self, subject, **members):
        request = urllib.request.Request(
            self.url + subject, json.dumps(members).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def processor(self):
        """Milliseconds so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def memory(self, name):
        """Bytes: VmRSS now, or VmHWM at most."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))


def commands(switches, chance):
    """A command that the page offers beside the account, or that somebody types there."""
    kind = chance.choice(["name", "name", "flag", "flag", "flag", "option", "option", "remove", "pattern", "sampling", "device"])
    match kind:
        case "name":
            return [one["command"] for part in switches["names"] for one in part["choices"]]
        case "flag":
            return [flag["command"] for flag in switches["flags"]]
        case "option":
            return [option["command"] for one in switches["filters"] for option in one["options"]]
        case "remove":
            return [one["remove"] for one in switches["filters"]]
        case "pattern":
            return [f"filter -add {one['name']} -key {one['key']} -matchValue '{chance.choice(PATTERNS)}' -regex -reject"
                    for one in switches["filters"] if one["key"] and one["key"] not in ("device-id", "flags-all")]
        case "sampling":
            return [f"filter -setSamplingPercentage {chance.choice([0, 1, 10, 50])}"]
        case "device":
            return [entry["remove"] for entry in switches["entries"]] + [
                f"device -add {chance.choice(DEVICES)} -policy default,whitelist,risk"]


DEVICES = ["ffAc9FaBFeGhBCpGA4VXLA==", "w4mmGFZkpz5oPz6w6gl1Cw=="]


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def line(name, seconds, processor):
    print(f"{name:10} {statistics.median(seconds) * 1000:7.0f} ms (median), {percentile(seconds, 0.95) * 1000:.0f} ms "
          f"(95th percentile), {max(seconds) * 1000:.0f} ms (most); processor {statistics.median(processor):.0f} ms (median), "
          f"{percentile(processor, 0.95):.0f} ms (95th percentile)")


def main(command, capture, account, changes="200", seed="1"):
    start = time.perf_counter()
    usage = os.times()
    subprocess.run([command, "replay", capture, "--account", account, "--no-progress"], stdout=subprocess.DEVNULL, check=True)
    replay = (time.perf_counter() - start, 1000 * (sum(os.times()[2:4]) - sum(usage[2:4])))
    server = Server(command, capture, account)
    server.ask("answer", changes=[], session="a")
    first = (time.perf_counter() - server.start, server.processor())
    read = json.loads(urllib.request.urlopen(server.url + "captures").read())
    print(f"{read['attestations']:,} attestations of {read['devices']:,} devices")
    print(f"first view {first[0]:.2f} s, replay {replay[0]:.2f} s; processor {first[1]:.0f} ms, replay {replay[1]:.0f} ms: "
          f"{first[1] / replay[1]:.2f} replays")
    chance = random.Random(int(seed))
    listed, times = [], {"answer": ([], []), "account": ([], [])}

    def timed(subject):
        seconds, ticks = time.perf_counter(), server.processor()
        answer = server.ask(subject, changes=listed, session="a")
        times[subject][0].append(time.perf_counter() - seconds)
        times[subject][1].append(server.processor() - ticks)
        return answer

    switches = json.loads(timed("account"))
    for number in range(int(changes)):
        before = listed
        while True:
            offered = [one for one in commands(switches, chance) or [] if one]
            if not offered:
                continue
            listed = before + [chance.choice(offered)]
            try:
                server.ask("check", changes=before, line=listed[-1])
                break
            except urllib.error.HTTPError:
                continue
        answer = timed("answer")
        if number % 5 == 0:
            words = [word for change in listed for word in ("--change", change)]
            report = subprocess.run(
                [command, "diff", capture, "--account", account, "--format", "json", "--no-progress", *words],
                stdout=subprocess.PIPE, check=True).stdout
            assert answer == report, listed
        if os.environ.get("SHOW"):
            print(f"{times['answer'][0][-1] * 1000:6.0f} {times['answer'][1][-1]:6.0f} {listed}")
        if len(listed) >= LONGEST:
            listed = []
        switches = json.loads(timed("account"))
    line("a change", *times["answer"])
    line("switches", *times["account"])
    seconds, ticks = time.perf_counter(), server.processor()
    server.ask("whatif", changes=listed, session="a")
    print(f"all edits {time.perf_counter() - seconds:.2f} s, processor {server.processor() - ticks:.0f} ms")
    now, most = server.memory("VmRSS"), server.memory("VmHWM")
    print(f"memory {now / 1e6:.0f} MB, {now / read['attestations']:.0f} bytes an attestation; most {most / 1e6:.0f} MB")
    server.process.terminate()
    assert server.process.wait() == 0


main(*sys.argv[1:])
