"""Asks `scenario explore` as its page and as strangers do: by sockets, and with kills. Exits with 1 at the first wrong answer.

usage: explore.py SCENARIO FOLDER, where FOLDER has day.jsonl and account.yaml."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

PROGRAM, FOLDER = sys.argv[1:]
CHANGE = "policy -set default,strict,risk"
FILES = ["day.jsonl", "--account", "account.yaml"]


def check(condition, message):
    if not condition:
        sys.exit(f"explore.py: {message}")


class Exploration:
    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM, "explore", *FILES, "--port", "0"], cwd=FOLDER, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.fullmatch(r"exploring at http://(127\.0\.0\.1):(\d+)(/[0-9a-f]{32}/)\n", line)
        check(found, f"the first line is {line!r}")
        self.port, self.path = int(found[2]), found[3]

    def ask(self, method, path, body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def raw(self, text, wait=5):
        """All that is answered to some bytes, until the connection is closed or the time is over."""
        with socket.create_connection(("127.0.0.1", self.port)) as stream:
            stream.settimeout(wait)
            received = b""
            try:
                stream.sendall(text)
                while part := stream.recv(65536):
                    received += part
            except (TimeoutError, ConnectionError):
                pass
            return received

    def end(self, number):
        self.process.send_signal(number)
        return self.process.wait(60)


def command(*words):
    return subprocess.run([PROGRAM, *words], cwd=FOLDER, capture_output=True, check=True).stdout


def answers(exploration, expected):
    status, body = exploration.ask("POST", exploration.path + "answer", json.dumps({"changes": [CHANGE]}))
    check(status == 200 and body == expected, f"the answer is not that of diff: {status} {body[:200]!r}")


def strangers(exploration):
    path, port = exploration.path, exploration.port
    question = json.dumps({"changes": [CHANGE]})
    for name, status, answer in [
        ("no secret", 404, exploration.ask("POST", "/answer", question)),
        ("a wrong secret", 404, exploration.ask("POST", "/" + "0" * 32 + "/answer", question)),
        ("another origin", 403, exploration.ask("POST", path + "answer", question, {"Origin": "http://attacker.example"})),
        ("a rebound host", 421, exploration.ask("POST", path + "answer", question, {"Host": f"attacker.example:{port}"})),
        ("a form", 415, exploration.ask(
            "POST", path + "answer", "changes=", {"Content-Type": "application/x-www-form-urlencoded"})),
        ("a preflight", 405, exploration.ask("OPTIONS", path + "answer")),
    ]:
        check(answer[0] == status and b"newly" not in answer[1], f"{name} is answered with {answer}")
    socket_head = f"GET {path}answer HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    socket_head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    check(b" 426 " in exploration.raw(socket_head.encode())[:20], "a WebSocket is not refused")
    head = f"POST {path}answer HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    large = exploration.raw(f"{head}Content-Length: 10485760\r\n\r\n".encode() + b"[" * 10_485_760)
    check(b" 200 " not in large[:20] and b"newly" not in large, "a body of 10 MB is answered")
    half = exploration.raw(f"{head}Content-Length: 100\r\n\r\n{{".encode(), wait=15)
    check(b" 200 " not in half and b"newly" not in half, f"half a request is answered: {half[:100]!r}")


def killed(exploration, expected):
    """The next one has another secret, and nobody needs to tidy up."""
    path = exploration.path
    check(exploration.end(signal.SIGKILL) == -signal.SIGKILL, "it was not killed")
    following = Exploration()
    check(following.path != path, "the secret is the same")
    status, _ = following.ask("POST", path + "answer", "{}")
    check(status == 404, f"the former secret is answered with {status}")
    answers(following, expected)
    check(following.end(signal.SIGTERM) == 0, "it does not end with 0")


def main():
    expected = command("diff", *FILES, "--change", CHANGE, "--format", "json")
    exploration = Exploration()
    status, page = exploration.ask("GET", exploration.path)
    check(status == 200 and page.lower().startswith(b"<!doctype html>"), f"there is no page: {status}")
    answers(exploration, expected)
    strangers(exploration)
    answers(exploration, expected)
    killed(exploration, expected)
    check(sorted(os.listdir(FOLDER)) == sorted(before), "files were left behind")


before = os.listdir(FOLDER)
start = time.monotonic()
main()
