#!/usr/bin/env python3
"""Asks `scenario serve` as others would: by curl, from several clients at once, and with kills in between.

    serve.py COMMAND whole [ATTESTATIONS KILLS]    all of it, in numbers; what `make serve` runs
    serve.py COMMAND quick                         the same with few of each; what the tests run

Ends with 0 and a line for each thing that holds, or with the first thing that does not."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ACCOUNT = """account: my-account
arc: on
propagation: 0s
keys: account.keys
apis: [{domain: my.api.io}]
filters:
  - {name: blocked, key: ip, match: 6.6.6.6, ban: true}
  - {name: old, key: app-version, regex: '^1[.]', reject: true}
devices: [{id: DoYouReadThisText01234==, ban-mode: ban}]
"""
SECRET = bytes(range(64))
KEY = "a-key-for-tests-of-backends"
KEYS = f"account-secret: {base64.b64encode(SECRET).decode()}\napi-key: {KEY}\n"


class Service:
    """A running service."""

    def __init__(self, command, folder, *options):
        self.errors = open(os.path.join(folder, "errors"), "ab")
        self.process = subprocess.Popen(
            [command, "serve", "--account", "account.yaml", *options], cwd=folder, stdout=subprocess.PIPE,
            stderr=self.errors, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            raise SystemExit(f"the service does not start: {open(self.errors.name).read()}")
        self.url = line.split()[-1]
        self.host = self.url.removeprefix("http://")

    def connect(self):
        return http.client.HTTPConnection(self.host, timeout=30)

    def ask(self, method, path, body=None, connection=None, **headers):
        connection = connection or self.connect()
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        return status


def expect(holds, what):
    if not holds:
        raise SystemExit(f"does not hold: {what}")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o600)
    return path


def run(command, folder, *arguments):
    return subprocess.run([command, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


# As the manual prints it.
FLAGS = ["app-not-registered", "rooted", "root-risk", "xposed"]


def token(claims):
    """A token as the account makes it."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")
    text = part(b'{"alg":"HS256","typ":"JWT"}') + b"." + part(json.dumps(claims, separators=(",", ":")).encode())
    return (text + b"." + part(hmac.new(SECRET, text, hashlib.sha256).digest())).decode()


def transcripts(command, folder):
    """The manual's three endpoints, by the command lines that it prints."""
    code = run(command, folder, "arc", "--encode", "failed", ",".join(FLAGS), "--account", "account.yaml").strip()
    service = Service(command, folder, "--clock", "2020-12-09T15:31:02Z")

    def curl(*arguments):
        return subprocess.run(
            ["curl", "--silent", "--show-error", *arguments], check=True, capture_output=True, text=True).stdout

    key = ["-H", f"Authorization: Bearer {KEY}"]
    listed = ",\n".join(f'    "{flag}"' for flag in FLAGS)
    end = f'"deviceProperties": [\n{listed}\n  ]\n}}\n'
    answer = curl(*key, "-H", f"Arc: {code}", f"{service.url}/arc-info/")
    expect(answer == '{\n  "status": "failed",\n  ' + end, f"arc-info: {answer}")
    claims = {"arc": code, "did": "qZka0yfv+ExvOq3PRh6pGw==", "exp": 1607528162, "ip": "1.2.3.4"}
    printed = (
        '{\n  "did": "qZka0yfv+ExvOq3PRh6pGw==",\n  "status": "failed",\n  "claims": {\n'
        f'    "arc": "{code}",\n    "did": "qZka0yfv+ExvOq3PRh6pGw==",\n    "exp": 1607528162,\n'
        '    "ip": "1.2.3.4"\n  },\n  "expiryTime": "2020-12-09 15:36:02 UTC",\n  ' + end)
    show = [*key, "-H", f"Approov-Token: {token(claims)}"]
    answer = curl("-X", "PUT", *show, f"{service.url}/token-info/")
    expect(answer == printed, f"token-info: {answer}")
    message = "Report-Message: Expected a token fail on this device, contact ops@mydomain.com"
    answer = curl("-X", "PUT", *show, "-H", message, f"{service.url}/token-info/")
    expect(answer == printed, f"token-info with a report: {answer}")
    curl("-X", "POST", "-d", '{"advance":"2s"}', f"{service.url}/clock")
    answer = curl("-X", "GET", f"{service.url}/healthcheck/att-my-account")
    expect(answer == '{\n  "HealthState": "passed"\n}\n', f"healthcheck: {answer}")
    answer = curl(*key, "-d", '["token","-reports"]', f"{service.url}/approov")
    expect("contact ops@mydomain.com" in answer, f"reports: {answer}")
    expect(service.end() == 0, "it ends with 0 when it is interrupted")
    errors = open(os.path.join(folder, "errors")).read()
    expect(KEY not in errors, "no key is in what it says")
    print("the manual's arc-info, token-info and healthcheck are answered as printed")


def record(chance):
    """A record of one of few devices, so that what they did before matters."""
    device = chance.choice(["DoYouReadThisText01234==", *(f"{chr(65 + n)}{'A' * 21}==" for n in range(1, 20))])
    flags = chance.sample(["rooted", "xposed", "root-risk", "debug", "app-not-registered", "odd-flag"], chance.choice(
        [0, 0, 0, 1, 2]))
    made = {"device-id": device, "public-flags": ",".join(flags)}
    if chance.random() < 0.8:
        made |= {"appid": chance.choice(["com.a", "com.b"]), "app-version": chance.choice(["1.0", "2.0"])}
    if chance.random() < 0.8:
        made["ip"] = chance.choices(["1.2.3.4", "6.6.6.6"], [60, 1])[0]
    return made


def send(service, seed, count, answered):
    """Sends records over one connection, and keeps what was answered by its number."""
    chance = random.Random(seed)
    connection = service.connect()
    try:
        while count > 0:
            count -= 1
            made = record(chance)
            status, text = service.ask("POST", "/attest", json.dumps(made), connection)
            expect(status == 200, text)
            # As it is there, not as Python would write it.
            decision = text[len('{"decision":'):text.index(',"token":')]
            answered.append((json.loads(decision)["index"], made, decision))
    except (OSError, http.client.HTTPException):
        pass  # It was killed.


def from_clients(service, seeds, count, answered):
    lists = [[] for _ in seeds]
    threads = [
        threading.Thread(target=send, args=(service, seed, count, found)) for seed, found in zip(seeds, lists)]
    for thread in threads:
        thread.start()
    return threads, lambda: answered.extend(one for found in lists for one in found)


def replayed(command, folder, records):
    """The decisions of a replay, and the devices that are banned in the end."""
    write(folder, "capture.jsonl", "".join(json.dumps(made) + "\n" for made in records))
    report = run(
        command, folder, "replay", "--account", "account.yaml", "capture.jsonl", "--decisions", "decisions",
        "--format", "json", "--no-progress")
    decisions = open(os.path.join(folder, "decisions")).read().splitlines()
    return decisions, json.loads(report)


def metrics(service):
    """Samples by their names and labels."""
    text = service.ask("GET", "/metrics")[1]
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in text.splitlines() if line[0] != "#"}


def compare_metrics(found, report, what):
    verdicts = {"pass": 0, "fail": 0}
    for name, value in found.items():
        if name.startswith("scenario_attestations_total"):
            verdicts["pass" if 'verdict="pass"' in name else "fail"] += value
    for verdict, value in verdicts.items():
        expect(value == report["metrics"][verdict], f"{what}: {verdict} is {value}, not {report['metrics'][verdict]}")
    banned = report["devices"]["banned"]
    expect(found['scenario_devices{state="banned"}'] == banned, f"{what}: other bans than {banned}")
    expect(banned > 0 or len(found) < 8, f"{what}: nobody is banned, so bans show nothing")


def clients(command, folder, count):
    """Decisions of eight clients are those of a replay in the order in which they were answered."""
    service = Service(command, folder)
    answered, start = [], time.monotonic()
    threads, take = from_clients(service, range(8), count // 8, answered)
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - start
    take()
    found = metrics(service)
    service.end()
    answered.sort(key=lambda one: one[0])
    expect([number for number, _, _ in answered] == list(range(len(answered))), "every number is given once")
    expect(len(answered) == count // 8 * 8, "every request is answered")
    records = [made | {"time": json.loads(decision)["time"]} for _, made, decision in answered]
    decisions, report = replayed(command, folder, records)
    for (number, _, decision), other in zip(answered, decisions, strict=True):
        expect(decision == other, f"decision {number}: {decision} and not {other}")
    compare_metrics(found, report, "eight clients")
    print(f"{len(answered)} attestations from 8 clients are decided as a replay decides them ({seconds:.1f} s)")


def kills(command, folder, count):
    """Nothing that was answered is lost, whenever the process is killed."""
    chance = random.Random(1)
    answered, lost = [], 0
    for number in range(count):
        service = Service(command, folder, "--state", "state")
        threads, take = from_clients(service, range(number * 4 + 100, number * 4 + 104), 1 << 30, answered)
        time.sleep(chance.uniform(0, 0.12))
        service.end(signal.SIGKILL)
        for thread in threads:
            thread.join()
        take()
    service = Service(command, folder, "--state", "state")
    found = metrics(service)
    service.end()
    with sqlite3.connect(os.path.join(folder, "state")) as database:
        events = database.execute("SELECT kind, time, body FROM event ORDER BY number").fetchall()
    expect(all(kind == "attestation" for kind, _, _ in events), "only attestations happened")
    records = []
    for _, seconds, body in events:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
        records.append(json.loads(body) | {"time": moment})
    decisions, report = replayed(command, folder, records)
    expect(len({index for index, _, _ in answered}) == len(answered), "no number is given twice")
    for index, made, decision in answered:
        if index >= len(decisions) or decisions[index] != decision:
            lost += 1
        else:
            expect({name: records[index][name] for name in made} == made, f"record {index} is another")
    expect(lost == 0, f"{lost} of {len(answered)} answers are lost")
    compare_metrics(found, report, "after the kills")
    print(f"killed {count} times: none of {len(answered)} answers is lost, of {len(events)} that were kept")


def main():
    command = os.path.abspath(sys.argv[1])
    counts = {"quick": (240, 3), "whole": (20_000, 200)}[sys.argv[2]]
    if len(sys.argv) == 5:
        counts = int(sys.argv[3]), int(sys.argv[4])
    for work, count in [(transcripts, None), (clients, counts[0]), (kills, counts[1])]:
        with tempfile.TemporaryDirectory() as folder:
            write(folder, "account.yaml", ACCOUNT)
            write(folder, "account.keys", KEYS)
            work(command, folder, *([count] if count else []))


if __name__ == "__main__":
    main()
