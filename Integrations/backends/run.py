#!/usr/bin/env python3
"""Runs the tests of the example backends against `scenario serve`.

    run.py COMMAND

For each backend: its own tests, then tokens of every algorithm, of a phone that passes and of one that does not, and those
that `scenario forge` makes. Ends with 0 where all hold."""

import base64
import datetime
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
API_KEY = "a-key-for-tests-of-backends"
SECRET = base64.b64encode(bytes(range(64))).decode()
ENCRYPTION_SECRET = base64.b64encode(bytes(range(32))).decode()
SIGNED = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
# A key set has ten keys at most, so two accounts have all algorithms.
ACCOUNTS = [[*SIGNED, "HS512"], ["HS256", "HS384"]]
BACKENDS = {
    "flask": (["/usr/bin/python3", "-B", "test_backend.py"], ["/usr/bin/python3", "-B", "backend.py"], True),
    # ruby-jwt opens no encrypted tokens.
    "ruby": (["ruby", "test_backend.rb"], ["ruby", "backend.rb"], False),
    "perl": (["perl", "backend.t"], ["plackup", "--host", "127.0.0.1", "backend.psgi"], True),
}


class Service:
    """A running service of an account of its own."""

    def __init__(self, command, folder, algorithms, behind=0):
        self.command, self.folder = command, folder
        write(folder, "account.keys", f"account-secret: {SECRET}\nencryption-secret: {ENCRYPTION_SECRET}\napi-key: {API_KEY}\n")
        domains = ["{domain: api.example.com}", "{domain: sealed.example.com, alg: A256GCMKW}"]
        write(folder, "account.yaml", account(domains))
        for name in algorithms:
            subprocess.run(
                [command, "approov", "--account", "account.yaml", "--yes", "keyset", "-add", name, "-kid", name],
                cwd=folder, check=True, capture_output=True)
        domains += [f"{{domain: {name.lower()}.example.com, type: keyset, kid: {name}}}" for name in algorithms]
        if "ES256" in algorithms:
            domains.append("{domain: keys.example.com, type: keyset, kid: ES256}")
        write(folder, "account.yaml", account(domains))
        with open(os.path.join(HERE, "phones.yaml")) as phones:
            write(folder, "phones.yaml", phones.read())
        now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=behind)
        self.process = subprocess.Popen(
            [command, "serve", "--account", "account.yaml", "--population", "phones.yaml", "--clock",
             now.strftime("%Y-%m-%dT%H:%M:%SZ")], cwd=folder, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def environment(self):
        """The settings that a backend gets."""
        shared = {}
        keys = open(os.path.join(self.folder, "account.keys")).read()
        for item in keys.partition("key-set:")[2].split("  - ")[1:]:
            key = dict(line.strip().split(": ", 1) for line in item.splitlines() if ": " in line)
            key = {name: value.strip("'\"") for name, value in key.items()}
            if key["kty"] == "oct":
                shared[key["kid"]] = key
        return os.environ | {
            "APPROOV_URL": self.url, "APPROOV_SECRET": SECRET, "APPROOV_ENCRYPTION_SECRET": ENCRYPTION_SECRET,
            "APPROOV_API_KEY": API_KEY, "APPROOV_KEYS": json.dumps(shared)}

    def token(self, group, domain):
        body = json.dumps({"group": group}).encode()
        with urllib.request.urlopen(f"{self.url}/attest?domain={domain}", body) as answer:
            found = json.load(answer)
            return found["token"], found["decision"]["verdict"] == "pass"

    def forged(self, domain):
        """The tokens that a backend has to accept or to refuse: kind, text and answer."""
        target = os.path.join(self.folder, f"forged-{domain}")
        subprocess.run(
            [self.command, "forge", domain, "--account", "account.yaml", "--at", "now", "--output", target],
            cwd=self.folder, check=True, capture_output=True)
        with open(os.path.join(target, "manifest.json")) as manifest:
            tokens = json.load(manifest)["tokens"]
        for token in tokens:
            with open(os.path.join(target, token["file"])) as file:
                yield token["kind"], file.read(), token["status"]

    def end(self):
        self.process.terminate()
        self.process.stdout.close()
        return self.process.wait()


def account(domains):
    listed = "".join(f"  - {domain}\n" for domain in domains)
    return (
        "account: backends\narc: on\npropagation: 0s\nkeys: account.keys\n"
        f"devices: [{{id: DoYouReadThisText01234==, ban-mode: ban}}]\napis:\n{listed}")


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o600)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, token):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/hello", headers={"Approov-Token": token})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def wait_for(port):
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the backend does not start")


def sweep(name, words, service, domains, opens_encrypted):
    """The number of tokens, of every algorithm, that a backend answers otherwise than it has to."""
    port = free_port()
    words = [*words[:1], "--port", str(port), *words[1:]] if words[0] == "plackup" else words
    backend = subprocess.Popen(
        words, cwd=os.path.join(HERE, name), env=service.environment() | {"PORT": str(port)},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    failures = 0
    try:
        wait_for(port)
        for domain in domains:
            for group in ["normal", "rooted", "banned"]:
                token, passed = service.token(group, domain)
                expected = 200 if passed and (opens_encrypted or token.count(".") == 2) else 401
                found = ask(port, token)
                if found != expected or passed != (group == "normal"):
                    failures += 1
                    print(f"{name}, {domain}, {group}: {found} and not {expected}", file=sys.stderr)
            for kind, token, status in service.forged(domain):
                expected = status if opens_encrypted or token.count(".") != 4 else 401
                found = ask(port, token)
                if found != expected:
                    failures += 1
                    print(f"{name}, {domain}, {kind}: {found} and not {expected}", file=sys.stderr)
    finally:
        backend.terminate()
        backend.wait()
    return failures


def main():
    command, failures = os.path.abspath(sys.argv[1]), 0
    for name, (tests, words, opens_encrypted) in BACKENDS.items():
        with tempfile.TemporaryDirectory() as folder:
            service = Service(command, folder, ["ES256"], behind=3600)
            status = subprocess.run(tests, cwd=os.path.join(HERE, name), env=service.environment(), stdout=subprocess.DEVNULL)
            failures += status.returncode != 0
            failures += service.end() != 0
        for algorithms in ACCOUNTS:
            with tempfile.TemporaryDirectory() as folder:
                service = Service(command, folder, algorithms)
                domains = ["api.example.com", "sealed.example.com"]
                domains += [f"{algorithm.lower()}.example.com" for algorithm in algorithms]
                failures += sweep(name, words, service, domains, opens_encrypted)
                service.end()
        print(f"{name}: {'all hold' if failures == 0 else 'something does not hold'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
