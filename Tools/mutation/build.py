"""A copy of the package, built once with all chosen changes of all modules."""
import atexit
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from .places import places
from .rewriting import C_HEADER, C_SOURCE, declarations, rewrite

PLACES = 8192
# As `make test` builds: optimised tests reach their places in a quarter of the time.
FLAGS = ["--configuration", "release", "-debug-info-format", "none", "-Xswiftc", "-enable-testing"]
# The command, which some tests start, and the tests.
PRODUCTS = ["scenario", "policy-enginePackageTests"]
MANIFEST = """
// The changed modules ask which change is chosen.
for target in package.targets where [CHANGED].contains(target.name) { target.dependencies.append("CMutants") }
package.targets.append(.target(name: "CMutants"))
"""


def write(path, text):
    """Writes a file, unless it says that already: then it need not be compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def mirror(source, target, kept):
    """Copies a folder where it differs, and removes what is not in it; what is `kept` is written by others."""
    for path in target.rglob("*") if target.exists() else ():
        name = path.relative_to(target)
        if path.is_file() and not (source / name).exists() and "CMutants" not in path.parts \
                and path.name != "Mutants.swift":
            path.unlink()
    for path in source.rglob("*"):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        elif path not in kept and (not copy.exists() or copy.read_bytes() != path.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


def quoted(names):
    return ", ".join(f'"{name}"' for name in sorted(names))


def changeable(text, places):
    """The text of a file with its changes, where it has any."""
    if not places:
        return text
    text = rewrite(text, places).replace("@inline(__always)", "")
    # Code that may be compiled into other modules cannot ask.
    text = re.sub(r"@inlinable(?=(\s+@\w+)*\s+public\b)", "", text)
    return text.replace("@inlinable", "@usableFromInline")


class Build:
    """Chooses places by the seed, and builds the package with them."""

    def __init__(self, root, parts, seed):
        self.root, self.parts, self.seed = root, parts, seed
        self.folder = root / ".build" / "mutants" / "package"
        # Below the system's temporary folder, with a short name: messages cut long paths.
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="m-"))
        self.known = root / ".build" / "mutants" / "excluded.json"
        (root / ".build" / "mutants").mkdir(parents=True, exist_ok=True)
        atexit.register(shutil.rmtree, self.scratch, ignore_errors=True)
        self.excluded = set(json.loads(self.known.read_text())) if self.known.exists() else set()
        self.all = {part.module: self.find(part) for part in parts}

    def find(self, part):
        """The places of a module in the order in which they are drawn."""
        files = sorted((self.root / "Sources" / part.module).rglob("*.swift"))
        names = {str(file.relative_to(self.root)): file for file in files}
        found, counts = [], {}
        for name, file in names.items():
            if part.paths and not any(name.startswith(path) for path in part.paths):
                continue
            text = file.read_text()
            lines = text.split("\n")
            for place in places(name, text):
                place.source = lines[place.line - 1].strip()
                counts[place.key] = counts.get(place.key, 0) + 1
                place.name = f"{place.key} #{counts[place.key]}"
                found.append(place)
        return sorted(found, key=lambda place: hashlib.sha256(f"{self.seed} {place.name}".encode()).digest())

    def draw(self, part, spare):
        """Places that a change can be made at: as many as are asked for, and spare ones for those where it cannot."""
        able = [place for place in self.all[part.module] if place.name not in self.excluded]
        return able[:part.count + spare * (part.count // 5 + 5)] if part.count else able

    def chosen(self, part):
        return self.draw(part, spare=0)

    def draw_all(self):
        """Draws the places that are compiled; each keeps its number, so that other files stay as they are."""
        drawn = []
        for first, part in enumerate(self.parts):
            for number, place in enumerate(self.all[part.module]):
                place.number = first * PLACES + number
            drawn += self.draw(part, spare=1)
        return drawn

    def copy(self):
        """Copies the package but for the files that are changed."""
        self.drawn = self.draw_all()
        changed = {self.root / place.file for place in self.drawn}
        for name in ("Sources", "Tests", "Scenarios", "docs", "Integrations", "Snippets", "Packaging", "Tools"):
            mirror(self.root / name, self.folder / name, kept=changed)
        for file in self.root.glob("*.md"):
            shutil.copy(file, self.folder / file.name)
        # The other programs that tests ask.
        for name in ("wheels", "columns", "editor"):
            link, installed = self.folder / ".build" / name, self.root / ".build" / name
            link.parent.mkdir(parents=True, exist_ok=True)
            if installed.exists() and not link.exists():
                link.symlink_to(installed.resolve())
        named = {part.module for part in self.parts}
        manifest = (self.root / "Package.swift").read_text().replace(".treatAllWarnings(as: .error)", "")
        manifest += MANIFEST.replace("CHANGED", quoted(named))
        write(self.folder / "Package.swift", manifest)
        home = self.folder / "Sources" / "CMutants"
        (home / "include").mkdir(parents=True, exist_ok=True)
        write(home / "include" / "CMutants.h", C_HEADER)
        write(home / "CMutants.c", C_SOURCE)

    def state(self, tests):
        """What changes where another build may reach other places."""
        sum = hashlib.sha256(tests.encode())
        for place in self.drawn:
            sum.update(f"{place.number} {place.name}".encode())
        for part in self.parts:
            for file in sorted((self.root / "Sources" / part.module).rglob("*.swift")):
                sum.update(file.read_bytes())
        return sum.hexdigest()

    def write(self):
        by_file = {}
        for place in self.drawn:
            by_file.setdefault(place.file, []).append(place)
        for part in self.parts:
            for file in (self.root / "Sources" / part.module).rglob("*.swift"):
                name = str(file.relative_to(self.root))
                write(self.folder / name, changeable(file.read_text(), by_file.get(name, [])))
            own = [place for place in self.drawn if place.file.startswith(f"Sources/{part.module}/")]
            write(self.folder / "Sources" / part.module / "Mutants.swift", declarations(own))

    def compile(self):
        """Leaves out the places where a change does not compile, until the rest does."""
        environment = {name: value for name, value in os.environ.items() if name != "MODULE"}
        for _ in range(60):
            self.write()
            for product in PRODUCTS:
                result = subprocess.run(["swift", "build", *FLAGS, "--product", product], cwd=self.folder, env=environment,
                                        capture_output=True, text=True)
                if result.returncode != 0:
                    break
            if result.returncode == 0:
                if self.has_enough():
                    return
                self.drawn = self.draw_all()
                continue
            dropped = self.wrong(self.drawn, result.stdout + result.stderr)
            if not dropped:
                sys.exit((result.stdout + result.stderr)[-4000:])
            print(f"  {len(dropped)} places cannot be changed so", flush=True)
            self.excluded.update(dropped)
            self.drawn = [place for place in self.drawn if place.name not in dropped]
            self.known.write_text(json.dumps(sorted(self.excluded), ensure_ascii=False, indent=0))
        sys.exit("the changed package does not build")

    def has_enough(self):
        """Whether every place that is tried is among those that were compiled."""
        names = {place.name for place in self.drawn}
        return all(place.name in names for part in self.parts for place in self.chosen(part))

    def wrong(self, drawn, output):
        """The names of the places on the lines of errors."""
        names = set()
        for path, line in set(re.findall(r"^(/[^:\n]+):(\d+):\d+: error:", output, re.M)):
            if not path.startswith(str(self.folder)):
                continue
            file, number = str(pathlib.Path(path).relative_to(self.folder)), int(line)
            around = [place for place in drawn if place.file == file]
            # A mistake may be seen elsewhere, such as at the end of the function.
            nearest = min((abs(place.line - number) for place in around), default=0)
            names.update(place.name for place in around if abs(place.line - number) == nearest)
        return names
