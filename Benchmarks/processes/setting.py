"""What the measuring is given, and what it makes of it before anything is timed."""
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

EVENTS = 1_000_000


def run(*command, **options):
    """Runs a command whose success matters and whose output does not."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")


@dataclass
class Setting:
    """Folders, programs and how often to run."""
    root: Path
    data: Path
    scratch: Path
    python: str
    runs: int
    count: int = EVENTS

    @property
    def peers(self):
        """The folder of the programs that do the same work, of the generator and of the agreement check."""
        return self.root / "Benchmarks/peers"

    @property
    def scenario(self):
        return self.root / ".build/release/scenario"

    @property
    def decisions(self):
        return self.root / ".build/release/decisions"

    @property
    def floor(self):
        return self.scratch / "floor"

    @property
    def account(self):
        return self.data / "account.yaml"

    def events(self, form):
        return self.data / f"events-{self.count}.{form}"

    def packed(self, name):
        return self.scratch / f"{name}.arrow"

    def ask(self, columns):
        """The figures that DuckDB finds in the generated attestations, by expressions of SQL."""
        statement = f"SELECT {columns} FROM read_parquet('{self.events('parquet')}')"
        program = f"import duckdb; print(*duckdb.connect().execute({statement!r}).fetchall()[0])"
        done = subprocess.run([self.python, "-c", program], capture_output=True, text=True, check=True)
        return [int(figure) for figure in done.stdout.split()]

    def prepare(self):
        """Builds what is timed, and makes the data that is missing."""
        run("make", "build", "gate", cwd=self.root)
        run("cc", "-O2", "-pthread", self.peers / "floor.c", "-o", self.floor)
        if not self.events("parquet").exists():
            run(self.python, "-B", self.peers / "generate.py", EVENTS, self.data)
        for form in ("txt", "jsonl"):
            self.pack(form, "gz", "gzip", "--stdout")
            self.pack(form, "zst", "zstd", "--stdout", "--quiet")

    def pack(self, form, suffix, *command):
        packed = self.data / f"events-{EVENTS}.{form}.{suffix}"
        if packed.exists():
            return
        part = packed.with_suffix(".part")
        with open(self.events(form), "rb") as whole, open(part, "wb") as output:
            subprocess.run(command, stdin=whole, stdout=output, check=True)
        part.rename(packed)
