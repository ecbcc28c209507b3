#!/usr/bin/env python3
"""Checks that no source is bound to one library of C, that ARCHITECTURE.md names each folder of a module, that no module has more
lines of Swift than its table there allows, and the direction of knowledge: modules and their tests import only modules above them in the list of the manifest (tests also what TestSupport
imports), and the folders of a module use one another's types in one direction only. Says each use that closes a cycle, and
exits with 1."""

import re
import sys
from collections import defaultdict
from pathlib import Path

MODULES = [
    "Statistics", "PolicyEngine", "Documents", "Columns", "Accounts", "Figures", "Replay", "Scenarios", "Proofs",
    "Analysis", "Reports", "HTTP", "Service", "Explore", "Editor", "scenario",
]
# Those that do not know each other, whatever their order.
APART = [
    {"PolicyEngine", "Documents"}, {"Accounts", "Figures"}, {"Accounts", "Replay"}, {"Proofs", "Documents"},
    {"Proofs", "Accounts"}, {"Proofs", "Figures"}, {"Proofs", "Replay"}, {"Proofs", "Scenarios"},
    {"Columns", "Statistics"}, {"Columns", "PolicyEngine"}, {"Columns", "Documents"}, {"Columns", "Accounts"},
    {"Columns", "Figures"}, {"Columns", "Proofs"},
    {"Service", "Explore"}, {"Explore", "Editor"}, {"Service", "Editor"},
    {"Statistics", "PolicyEngine"}, {"Statistics", "Documents"}, {"Statistics", "Accounts"}, {"Statistics", "Proofs"},
]
# Modules that any test may use, because TestSupport does.
TEST_SUPPORT = {"PolicyEngine", "Documents", "Accounts", "Figures", "Replay", "Scenarios"}
ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"

DECLARATION = re.compile(
    r"^(?:(?:public|package|final|indirect|nonisolated|@\w+(?:\([^)]*\))?)\s+)*"
    r"(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)", re.MULTILINE)
NESTED = re.compile(r"\b(?:struct|class|enum|protocol|actor|typealias|associatedtype)\s+([A-Z]\w*)|<([A-Z]\w*)\s*:")
IMPORT = re.compile(r"^(?:@\w+ )?(?:(?:internal|package|public|private) )?import (\w+)", re.MULTILINE)


def without_text(source):
    """The source without comments and string literals."""
    source = re.sub(r'"""(.|\n)*?"""', '""', source)
    source = re.sub(r"//[^\n]*", "", source)
    return re.sub(r'"(?:\\.|[^"\\\n])*"', '""', source)


def sources(module):
    return {path: without_text(path.read_text()) for path in sorted((SOURCES / module).rglob("*.swift"))}


def folder(module, path):
    parts = path.relative_to(SOURCES / module).parts
    return parts[0] if len(parts) > 1 else ""


# The library of C by its name on one system; others have another. `CLibrary` is it by whichever name it has.
SYSTEM = re.compile(r"^(?:@\w+ )?(?:(?:internal|package|public|private) )?import (?:Glibc|Musl|Darwin)\b", re.MULTILINE)
CHOICE = re.compile(
    r"#if canImport\(Darwin\)\n\s*[a-z ]*import Darwin\n#elseif canImport\(Musl\)\n\s*[a-z ]*import Musl\n"
    r"#else\n\s*[a-z ]*import Glibc\n#endif\n")


def bare_imports():
    for top in ["Sources", "Tests", "Benchmarks/Sources", "Snippets"]:
        for path in sorted((ROOT / top).rglob("*.swift")):
            if path.parent.name == "CLibrary":
                continue
            text = without_text(path.read_text())
            rest = CHOICE.sub("", text)
            if SYSTEM.search(rest.replace("    ", "")) or re.search(r"(?<![\w.])(?:Glibc|Musl|Darwin)\.\w", rest):
                yield f"{path.relative_to(ROOT)}: the library of C is imported by the name that one system has, and not as CLibrary"


def upward_imports(module, texts):
    below = MODULES[MODULES.index(module):]
    for path, text in texts.items():
        for name in IMPORT.findall(text):
            if name in below or {module, name} in APART:
                yield f"{path.relative_to(SOURCES)}: {module} must not import {name}"


def tests_of(module):
    """The folder with the tests of a module: of its name in a target, or the target of its name."""
    folders = sorted((ROOT / "Tests").glob(f"*Tests/{module}")) or [ROOT / "Tests" / f"{module}Tests"]
    return folders[0]


def upward_imports_of_tests(module):
    below = set(MODULES[MODULES.index(module) + 1:]) - TEST_SUPPORT
    for path in sorted(tests_of(module).rglob("*.swift")):
        for name in IMPORT.findall(without_text(path.read_text())):
            if name in below:
                yield f"{path.relative_to(ROOT)}: the tests of {module} must not import {name}"


def uses_between_folders(module, texts):
    """For each pair of folders the uses of one's types in the other, as (file, type)."""
    owner = {}
    for path, text in texts.items():
        for name in DECLARATION.findall(text):
            owner[name] = folder(module, path)
    uses = defaultdict(lambda: defaultdict(list))
    for path, text in texts.items():
        here = folder(module, path)
        local = {name for pair in NESTED.findall(text) for name in pair if name}
        for name in sorted(set(re.findall(r"(?<![.\w])[A-Z]\w*", text)) - local):
            there = owner.get(name)
            if there is not None and there != here:
                uses[here][there].append((path.name, name))
    return uses


def cycles(uses):
    """Groups of folders that reach one another."""
    reach = {}
    for start in uses:
        seen, todo = set(), [start]
        while todo:
            for there in uses.get(todo.pop(), {}):
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        reach[start] = seen
    groups = {frozenset({start} | {other for other in seen if start in reach.get(other, ())})
              for start, seen in reach.items() if start in seen}
    return sorted(groups, key=sorted)


def unnamed_folders(module):
    """The folders of a module that its rows of the table "Where to look" leave out."""
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Where to look")[2].partition("\n## ")[0]
    rows = table.partition(f"| `{module}` |")[2]
    rows = re.split(r"^\| `", rows, maxsplit=1, flags=re.MULTILINE)[0]
    for path in sorted((SOURCES / module).iterdir()):
        if path.is_dir() and path.suffix != ".docc" and f"`{path.name}`" not in rows:
            yield f"ARCHITECTURE.md: the folder {path.name} of {module} is missing"


def lines_of(folder):
    """The number of lines of Swift in a folder."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.swift"))


# The room of a row: with a larger part unused, its number is lowered, so that it says what the module weighs.
ROOM = 0.05


def weights():
    """Rows of the table "Lines" that do not hold: more lines than allowed, far more allowed than there are, or no row."""
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("\n## Lines\n")[2].partition("\n## ")[0]
    allowed = {name: int(number.replace(",", "")) for name, number in re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", table, re.MULTILINE)}
    found = {path.name: lines_of(path) for path in sorted(SOURCES.iterdir()) if path.is_dir() and lines_of(path)}
    found["Tests"] = lines_of(ROOT / "Tests")
    for name in sorted(allowed.keys() | found.keys()):
        lines, most = found.get(name, 0), allowed.get(name, 0)
        if lines > most:
            yield (f"{name} has {lines:,} lines of Swift, and the table Lines of ARCHITECTURE.md allows {most:,}: take lines out, or "
                   "raise the number and say in the message of the commit why")
        elif lines < most * (1 - ROOM) - 100:
            yield f"{name} has {lines:,} lines of Swift, and the table Lines of ARCHITECTURE.md allows {most:,}: lower the number"


def main():
    problems = list(bare_imports()) + list(weights())
    for module in MODULES:
        texts = sources(module)
        problems += upward_imports(module, texts)
        problems += upward_imports_of_tests(module)
        problems += unnamed_folders(module)
        uses = uses_between_folders(module, texts)
        for group in cycles(uses):
            problems.append(f"{module}: a cycle of folders: {', '.join(sorted(group))}")
            for here in sorted(group):
                for there in sorted(group & set(uses[here])):
                    names = ", ".join(f"{name} in {file}" for file, name in uses[here][there][:6])
                    problems.append(f"    {here} uses {there} ({len(uses[here][there])}): {names}")
    print("\n".join(problems) if problems else "imports go down, no folders form a cycle, ARCHITECTURE.md names them, and no module has more lines than it allows")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
