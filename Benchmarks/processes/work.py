"""Processes to time, and what they cost."""
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """What one run of a process cost."""
    seconds: float
    processor_seconds: float
    resident_megabytes: float


@dataclass
class Work:
    """A process to time: its command, what is piped into it, and where its output goes."""
    name: str
    command: list
    output: Path
    piped: Path | None = None
    environment: dict | None = None
    costs: list = field(default_factory=list)

    @property
    def seconds(self):
        return statistics.median(cost.seconds for cost in self.costs)

    @property
    def processor_seconds(self):
        return statistics.median(cost.processor_seconds for cost in self.costs)

    @property
    def resident_megabytes(self):
        return statistics.median(cost.resident_megabytes for cost in self.costs)

    def run(self):
        """Runs it once and returns what it cost; stops everything when it fails."""
        usage = self.output.with_suffix(".usage")
        command = ["/usr/bin/time", "-f", "%U %S %M", "-o", usage, *map(str, self.command)]
        source = subprocess.Popen(["cat", self.piped], stdout=subprocess.PIPE) if self.piped else None
        with open(self.output, "wb") as output:
            start = time.perf_counter()
            done = subprocess.run(
                command, stdin=source.stdout if source else subprocess.DEVNULL, stdout=output,
                stderr=subprocess.PIPE, env=self.environment)
            seconds = time.perf_counter() - start
        if source:
            source.stdout.close()
            source.wait()
        if done.returncode:
            sys.exit(f"{self.name}: exit {done.returncode}\n{done.stderr.decode()}")
        user, system, kilobytes = usage.read_text().split()
        return Cost(seconds, float(user) + float(system), int(kilobytes) / 1000)


def alternate(works, runs, check=None):
    """Runs all works in turn: once to warm up and to check what comes of them, then several times for their costs."""
    for work in works:
        print(f"  {work.name}", file=sys.stderr)
        work.run()
    if check:
        check()
    for _ in range(runs):
        for work in works:
            work.costs.append(work.run())
    return works
