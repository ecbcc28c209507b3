"""Takes OpenMetrics as others do: the Python client parses them, promtool makes blocks of them, and a Prometheus answers
queries about those blocks.

Input (JSON): {"file": PATH, "queries": [PROMQL…], "time": SECONDS, "parses": true|false}
Output (JSON): {"samples": COUNT, "labels": {NAME: [VALUE…]}, "answers": [VALUE or null…]}
"""

import json
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from prometheus_client.openmetrics.parser import text_fd_to_metric_families

ATTEMPTS = 300


def parse(path):
    """What the Python client reads: it refuses what is not grouped, not in order, or without an end."""
    count, labels = 0, {}
    with open(path, encoding="utf-8", newline="\n") as file:
        for family in text_fd_to_metric_families(file):
            for sample in family.samples:
                count += 1
                for name, value in sample.labels.items():
                    labels.setdefault(name, set()).add(value)
    return count, {name: sorted(values) for name, values in labels.items()}


class Prometheus:
    """A server over the blocks of a folder, at a port that is free."""

    def __init__(self, data, folder):
        configuration = Path(folder, "prometheus.yml")
        configuration.write_text("global: {}\n")
        self.log = Path(folder, "log")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={data}",
             "--storage.tsdb.retention.time=100y", "--web.listen-address=127.0.0.1:0", "--log.format=json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log.open("wb"))
        self.address = self.find_address()
        for _ in range(ATTEMPTS):
            try:
                with urllib.request.urlopen(f"http://{self.address}/-/ready"):
                    return
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        raise RuntimeError("prometheus does not get ready: " + self.log.read_text())

    def find_address(self):
        for _ in range(ATTEMPTS):
            for line in self.log.read_text().splitlines():
                entry = json.loads(line)
                if entry.get("msg") == "Listening on":
                    return entry["address"]
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("prometheus does not start: " + self.log.read_text())

    def ask(self, query, at):
        parameters = urllib.parse.urlencode({"query": query, "time": at})
        with urllib.request.urlopen(f"http://{self.address}/api/v1/query?{parameters}") as answer:
            result = json.load(answer)["data"]["result"]
        return float(result[0]["value"][1]) if len(result) == 1 else None

    def close(self):
        self.process.terminate()
        self.process.wait(60)


def backfill(path, data):
    made = subprocess.run(
        ["promtool", "tsdb", "create-blocks-from", "openmetrics", "--quiet", "--max-block-duration=744h", path, data],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise RuntimeError("promtool: " + made.stdout + made.stderr)


def main():
    work = json.load(sys.stdin)
    answer = {"answers": []}
    if work["parses"]:
        answer["samples"], answer["labels"] = parse(work["file"])
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "data"))
        backfill(work["file"], data)
        if work["queries"]:
            server = Prometheus(data, folder)
            try:
                answer["answers"] = [server.ask(query, work["time"]) for query in work["queries"]]
            finally:
                server.close()
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
