"""Times `scenario lsp`: from a keystroke in a scenario of 10,000 lines until its problems are there.

usage: editor.py COMMAND [KEYSTROKES]

Every second keystroke makes an error, and the next one takes it out again. Processor milliseconds are those of the server, and do
not depend on what else the machine does.
"""
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

LINES = 10_000
URI = "file:///dense/s.yaml"
WORD = "verdict: f"


def scenario():
    """Lines of the scenario: a hundred groups, and steps that expect something, each on a line."""
    lines = [
        "scenario: Dense", "account:", "  account: prod", "  filters:",
        '    - {name: vpn, key: ip, regex: "^10\\\\.", reject: true}', "devices:",
        *[f"  group-{number}: {{os: android, flags: [rooted], attributes: {{ip: 10.0.0.{number}}}}}"
          for number in range(100)],
        "steps:"]
    for second in range(LINES - len(lines)):
        group = f"group-{second % 100}"
        lines.append(f"  - {{at: {second}s, fetch: {group}, expect: {{verdict: fail, rejections: [\"filter:vpn\"]}}}}")
    return lines


class Server:
    """The command, and the messages to and from it."""

    def __init__(self, command):
        self.process = subprocess.Popen([command, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.notify("initialize", {"capabilities": {}}, id=0)
        self.receive()

    def notify(self, method, params, **more):
        message = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(message), message))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            length = int(line.removeprefix(b"Content-Length:"))
        return json.loads(self.process.stdout.read(length))

    def problems(self):
        return self.receive()["params"]["diagnostics"]

    def processor_ticks(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


def main(command, keystrokes=41):
    lines = scenario()
    text = "\n".join(lines) + "\n"
    server = Server(command)
    server.notify("textDocument/didOpen", {
        "textDocument": {"uri": URI, "languageId": "yaml", "version": 0, "text": text}})
    assert server.problems() == [], "the scenario has no problems"
    ticks, times = server.processor_ticks(), []
    for number in range(keystrokes):
        line = LINES // 2 + 17 * (number // 2)
        column = lines[line].index(WORD) + len(WORD)
        is_mistake = number % 2 == 0
        start = time.perf_counter()
        server.notify("textDocument/didChange", {
            "textDocument": {"uri": URI, "version": number + 1},
            "contentChanges": [{
                "range": {"start": {"line": line, "character": column},
                          "end": {"line": line, "character": column + (not is_mistake)}},
                "text": "x" if is_mistake else ""}]})
        found = server.problems()
        times.append((time.perf_counter() - start) * 1000)
        assert bool(found) == is_mistake, found[:1]
    processor = (server.processor_ticks() - ticks) * 10 / keystrokes
    server.notify("shutdown", None, id=1)
    server.receive()
    server.notify("exit", None)
    assert server.process.wait() == 0
    print(f"{len(lines):,} lines, {len(text):,} bytes: {statistics.median(times):.0f} ms until problems are there "
          f"(median of {keystrokes}; {min(times):.0f} to {max(times):.0f}), {processor:.0f} ms of processor time")


main(sys.argv[1], *map(int, sys.argv[2:]))
