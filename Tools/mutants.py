#!/usr/bin/env python3
"""Changes the sources of a module one place at a time, and says which changes no test notices.

All changes of a module are built into one copy of the package: each place asks at run time whether it is the one that is
changed. So one build serves them all. First it is recorded which test reaches which place; then each change is tried with
the tests that reach it, the quickest first, until one fails.

    Tools/mutants.py MODULE [--count N] [--seed N] [--jobs N] [--paths FOLDER ...]

A change that nobody could notice stands in Tools/mutants.txt, with the reason. The exit status is 1 where another one is
not noticed.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LISTED = ROOT / "Tools" / "mutants.txt"
DIGITS = "⊕⊖⊗⊘⊙⊚⊛⊜⊝⊞"

# By operator: what it becomes, its precedence, and the types that it is tried for.
COMPARABLE = "<T: Comparable>(a: T, b: T) -> Bool"
EQUATABLE = "<T: Equatable>(a: T, b: T) -> Bool"
BOOLEAN = "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
NUMBER = "<T: BinaryInteger>(a: T, b: T) -> T"
FIXED = "<T: FixedWidthInteger>(a: T, b: T) -> T"
SHIFT = "<T: FixedWidthInteger, U: BinaryInteger>(a: T, b: U) -> T"
FIXED_SHIFT = "<T: FixedWidthInteger>(a: T, b: T) -> T"
CHANGE = "<T: BinaryInteger>(a: inout T, b: T)"
INFIX = {
    "==": ("!=", "ComparisonPrecedence", EQUATABLE), "!=": ("==", "ComparisonPrecedence", EQUATABLE),
    "<": ("<=", "ComparisonPrecedence", COMPARABLE), "<=": ("<", "ComparisonPrecedence", COMPARABLE),
    ">": (">=", "ComparisonPrecedence", COMPARABLE), ">=": (">", "ComparisonPrecedence", COMPARABLE),
    "&&": ("||", "LogicalConjunctionPrecedence", BOOLEAN), "||": ("&&", "LogicalDisjunctionPrecedence", BOOLEAN),
    "+": ("-", "AdditionPrecedence", NUMBER), "-": ("+", "AdditionPrecedence", NUMBER),
    "*": ("+", "MultiplicationPrecedence", NUMBER), "/": ("*", "MultiplicationPrecedence", NUMBER),
    "%": ("/", "MultiplicationPrecedence", NUMBER), "&+": ("&-", "AdditionPrecedence", FIXED),
    "&-": ("&+", "AdditionPrecedence", FIXED), "&*": ("&+", "MultiplicationPrecedence", FIXED),
    "&": ("|", "MultiplicationPrecedence", NUMBER), "|": ("&", "AdditionPrecedence", NUMBER),
    "^": ("|", "AdditionPrecedence", NUMBER), "<<": (">>", "BitwiseShiftPrecedence", SHIFT),
    ">>": ("<<", "BitwiseShiftPrecedence", SHIFT), "&<<": ("&>>", "BitwiseShiftPrecedence", FIXED_SHIFT),
    "&>>": ("&<<", "BitwiseShiftPrecedence", FIXED_SHIFT), "+=": ("-=", "AssignmentPrecedence", CHANGE),
    "-=": ("+=", "AssignmentPrecedence", CHANGE), "|=": ("&=", "AssignmentPrecedence", CHANGE),
    "&=": ("|=", "AssignmentPrecedence", CHANGE), "^=": ("|=", "AssignmentPrecedence", CHANGE),
}
KEYWORDS = (
    "return let var if guard for while switch case default throw func init struct enum class extension protocol import "
    "break continue defer do precondition preconditionFailure repeat else public package private internal static "
    "subscript typealias deinit fileprivate indirect mutating where associatedtype").split()


def masked(text):
    """The text with comments and literals of text blanked out, so that only code is left at its place."""
    out, at = list(text), 0

    def blank(start, end):
        for index in range(start, min(end, len(out))):
            if out[index] != "\n":
                out[index] = " "

    def string_end(start, hashes, quotes):
        index, closing = start, quotes + "#" * hashes
        while index < len(text):
            if text.startswith("\\" + "#" * hashes + "(", index):
                depth, index = 1, index + 2 + hashes
                while depth and index < len(text):
                    if text[index] == '"':
                        triple = text.startswith('"""', index)
                        index = string_end(index + (3 if triple else 1), 0, '"""' if triple else '"')
                        continue
                    depth += {"(": 1, ")": -1}.get(text[index], 0)
                    index += 1
                continue
            if hashes == 0 and text[index] == "\\":
                index += 2
                continue
            if text.startswith(closing, index):
                return index + len(closing)
            index += 1
        return index

    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            blank(at, end)
        elif text.startswith("/*", at):
            end = text.find("*/", at) + 2
            blank(at, end)
        elif match := re.compile(r'(#*)("""|")').match(text, at):
            end = string_end(match.end(), len(match[1]), match[2])
            blank(at, end)
            # A literal stays an operand.
            out[at] = out[end - 1] = "\u00a4"
        else:
            end = at + 1
        at = end
    return "".join(out)


class Site:
    """A place that can be changed: what stands there, what comes in its place, and how the build is told."""

    def __init__(self, file, line, start, end, kind, text, change, render):
        self.file, self.line, self.start, self.end = file, line, start, end
        self.kind, self.text, self.change, self.render = kind, text, change, render
        self.number, self.source, self.name = 0, "", ""

    @property
    def key(self):
        """What names it, whatever line it stands on."""
        return f"{self.file} | {self.source} | {self.text} → {self.change}"


def sites(file, text):
    code, found = masked(text), []
    lines, starts = code.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def add(line, start, end, kind, change, render):
        found.append(Site(file, line + 1, start, end, kind, text[start:end], change, render))

    for number, line in enumerate(lines):
        base = starts[number]
        stripped = line.strip()
        if not stripped or stripped.startswith(("import ", "internal import", "@", "#", "package import", "public import")):
            continue
        if re.search(r"\bfunc \S+ ?\(|\boperator\b|\btypealias\b|\bassociatedtype\b", line) and "{" not in line:
            continue
        is_header = re.search(r"\b(func|init|subscript)\b", line) is not None
        for match in re.finditer(r"(?<=[\w)\]\u00a4}] )(\S+)(?= [^\s])", line):
            if match[1] in INFIX and not (is_header and line[:match.start()].rstrip().endswith("func")):
                add(number, base + match.start(1), base + match.end(1), "operator", INFIX[match[1]][0], "infix")
        for match in re.finditer(r"(?<=[\w)\]])(\.\.<|\.\.\.)(?=[\w(])", line):
            add(number, base + match.start(), base + match.end(), "range", "one less", "range")
        for match in re.finditer(r"(?<=[\s(\[])!(?=[\w(])", line):
            add(number, base + match.start(), base + match.end(), "operator", "nothing", "not")
        if not stripped.startswith(("case ", "enum ")) or "=" not in stripped or ":" in stripped:
            for match in re.finditer(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*)(?![\w.]|\s*\.\.\.)", line):
                add(number, base + match.start(), base + match.end(), "constant", "one more", "number")
        for match in re.finditer(r"(?<![\w.@])(true|false)\b(?!:)", line):
            change = "false" if match[1] == "true" else "true"
            add(number, base + match.start(), base + match.end(), "constant", change, "flag")
        condition = re.match(r"^(\s*(?:\} else )?(?:if|guard|while) )(.+?)( else)? \{.*$", line) \
            or re.match(r"^(.*\bfor .+ where )(.+?)()( \{.*)$", line)
        if condition:
            words = condition[2]
            if not re.search(r"\b(let|var|case|some|any)\b|,|#|\{|\?\?", words) and words.count("(") == words.count(")"):
                start = base + condition.start(2)
                add(number, start, start + len(words), "condition", "its opposite", "condition")
        if is_statement(lines, number):
            start = base + len(line) - len(line.lstrip())
            add(number, start, start + len(stripped), "step", "nothing", "step")
    return found


def is_statement(lines, number):
    line = lines[number].strip()
    word = re.match(r"[A-Za-z_]\w*", line)
    if word is None or word[0] in KEYWORDS or any(line.count(a) != line.count(b) for a, b in ("()", "[]", "{}")):
        return False
    is_call = re.match(r"^(try |unsafe )*[\w.\[\]$]+(\(.*\))?[\w.?()\[\]]*\(.*\)$", line) and " ? " not in line
    is_change = re.match(r"^[\w.\[\]()$, +-]+ (=|[-+*|&^]=) \S.*[^{,(]$", line)
    if not (is_call or is_change):
        return False
    before = next((lines[index].strip() for index in range(number - 1, -1, -1) if lines[index].strip()), "")
    after = next((lines[index].strip() for index in range(number + 1, len(lines)) if lines[index].strip()), "")
    if re.search(r"([,(\[=?:|&+*<-]|\belse|\breturn|\bin)$", before) or re.match(r"[.?:&|+*\])=-]", after):
        return False
    is_alone = before.endswith("{") and after.startswith("}")
    return not (is_alone and is_call and re.search(r"->|\bvar\b|\bget\b|= \{|\bin$", before))


def operator_name(number):
    return "⊟" + "".join(DIGITS[int(digit)] for digit in str(number))


def rewrite(text, chosen):
    """The text with every chosen place asking whether it is changed."""
    edits = []
    for site in chosen:
        name, length = operator_name(site.number), site.end - site.start
        if site.render in ("infix", "range", "not"):
            # The digits of a prefix operator are those of the infix one.
            edits.append((site.start, 2, 0, site.end, "⊠" + name[1:] if site.render == "not" else name))
            continue
        word = {"number": "mutatedNumber", "flag": "mutatedFlag", "condition": "mutatedCondition"}.get(site.render)
        opening = f"{word}({site.number}, " if word else f"if !mutant({site.number}) {{ "
        # At one place the inner one closes first and opens last.
        edits.append((site.start, 1, -length, site.start, opening))
        edits.append((site.end, 0, length, site.end, ")" if word else " }"))
    out, at = [], 0
    for start, _, _, end, new in sorted(edits):
        out.append(text[at:start] + new)
        at = end
    return "".join(out) + text[at:]


def declarations(chosen):
    lines = [
        "internal import CMutants", "",
        "@inline(__always) func mutant(_ number: Int) -> Bool { mutant_is_on(number) }",
        "@inline(__always) func mutatedNumber<T: FixedWidthInteger>(_ number: Int, _ value: T) -> T {",
        "    mutant(number) ? value &+ 1 : value", "}",
        "@inline(__always) func mutatedFlag(_ number: Int, _ value: Bool) -> Bool { mutant(number) != value }",
        "@inline(__always) func mutatedCondition(_ number: Int, _ value: Bool) -> Bool { mutant(number) != value }",
    ]
    for site in chosen:
        name = operator_name(site.number)
        if site.render == "not":
            lines.append(f"prefix operator ⊠{name[1:]}")
            lines.append(f"prefix func ⊠{name[1:]}(a: Bool) -> Bool {{ mutant({site.number}) == a }}")
        elif site.render == "range":
            kind = "Range" if site.text == "..<" else "ClosedRange"
            lines.append(f"infix operator {name}: RangeFormationPrecedence")
            lines.append(
                f"func {name}<T: Strideable & Comparable>(a: T, b: T) -> {kind}<T> where T.Stride: SignedInteger {{ "
                f"mutant({site.number}) && a < b ? a{site.text}b.advanced(by: -1) : a{site.text}b }}")
        elif site.render == "infix":
            change, precedence, signature = INFIX[site.text]
            lines.append(f"infix operator {name}: {precedence}")
            if signature == CHANGE:
                body = f"if mutant({site.number}) {{ a {change} b }} else {{ a {site.text} b }}"
            elif signature == BOOLEAN:
                body = f"mutant({site.number}) ? try a {change} b() : try a {site.text} b()"
            else:
                body = f"mutant({site.number}) ? a {change} b : a {site.text} b"
            lines.append(f"func {name}{signature} {{ {body} }}")
            if signature == EQUATABLE:
                isnt = "" if site.text == "==" else "!"
                lines.append(
                    f"func {name}<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ "
                    f"mutant({site.number}) != ({isnt}(a == nil)) }}")
    return "\n".join(lines) + "\n"


C_HEADER = """#include <stdbool.h>
extern long mutant_selected;
extern unsigned char mutant_reached[];
static inline bool mutant_is_on(long number) {
    mutant_reached[number] = 1;
    return number == mutant_selected;
}
"""
C_SOURCE = """#include "CMutants.h"
#include <stdio.h>
#include <stdlib.h>
enum { COUNT = 65536 };
long mutant_selected = -1;
unsigned char mutant_reached[COUNT];
static void note(void) {
    const char *path = getenv("MUTANT_RECORD");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (long number = 0; number < COUNT; number++) if (mutant_reached[number]) fprintf(file, "%ld\\n", number);
    fclose(file);
}
__attribute__((constructor)) static void begin(void) {
    const char *selected = getenv("MUTANT");
    if (selected) mutant_selected = atol(selected);
    atexit(note);
}
"""


def write(path, text):
    """Writes a file, unless it says that already: then it need not be compiled again."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def mirror(source, target):
    """Copies a folder where it differs, and removes what is not in it."""
    for path in target.rglob("*") if target.exists() else ():
        known = source / path.relative_to(target)
        if path.is_file() and not known.exists() and "CMutants" not in path.parts:
            path.unlink()
    for path in source.rglob("*"):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
        elif not copy.exists() or copy.read_bytes() != path.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)


class Build:
    """A copy of the package with all changes of a module."""

    def __init__(self, module, paths):
        self.module, self.paths = module, paths
        self.folder = ROOT / ".build" / "mutants" / module
        self.tests = "CommandTests" if module == "scenario" else f"{module}Tests"

    def copy(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("Sources", "Tests", "Scenarios", "docs"):
            mirror(ROOT / name, self.folder / name)
        for name in ("README.md", "SECURITY.md"):
            shutil.copy(ROOT / name, self.folder / name)
        manifest = (ROOT / "Package.swift").read_text()
        manifest = manifest.replace("    .treatAllWarnings(as: .error),\n", "")
        manifest = manifest.replace('        .target(name: "CPrefetch"),\n',
                                    '        .target(name: "CPrefetch"),\n        .target(name: "CMutants"),\n')
        needed = re.search(rf'name: "{self.module}",\s*dependencies: \[', manifest)
        manifest = manifest[:needed.end()] + '"CMutants", ' + manifest[needed.end():]
        write(self.folder / "Package.swift", manifest)
        home = self.folder / "Sources" / "CMutants"
        (home / "include").mkdir(parents=True, exist_ok=True)
        write(home / "include" / "CMutants.h", C_HEADER)
        write(home / "CMutants.c", C_SOURCE)

    def find(self):
        source = ROOT / "Sources" / self.module
        files = sorted(source.rglob("*.swift"))
        if self.paths:
            files = [file for file in files if any(str(file.relative_to(ROOT)).startswith(path) for path in self.paths)]
        self.texts = {str(file.relative_to(ROOT)): file.read_text() for file in files}
        self.sites = [site for file, text in self.texts.items() for site in sites(file, text)]
        counts = {}
        for number, site in enumerate(self.sites):
            site.number = number
            site.source = self.texts[site.file].split("\n")[site.line - 1].strip()
            counts[site.key] = counts.get(site.key, 0) + 1
            site.name = f"{site.key} #{counts[site.key]}"

    def write(self):
        for file, text in self.texts.items():
            changed = rewrite(text, [site for site in self.sites if site.file == file])
            # What may be compiled into other modules cannot ask.
            write(self.folder / file, changed.replace("@inlinable ", "").replace("@inline(__always)", ""))
        write(self.folder / "Sources" / self.module / "Mutants.swift", declarations(self.sites))

    def compile(self):
        """Leaves out the places where a change does not compile, until the rest does."""
        environment = dict(os.environ, MODULE=self.module)
        known = self.folder / "excluded.json"
        excluded = set(json.loads(known.read_text())) if known.exists() else set()
        self.sites = [site for site in self.sites if site.name not in excluded]
        for _ in range(60):
            self.write()
            result = subprocess.run(
                ["swift", "build", "--target", self.module], cwd=self.folder, env=environment, capture_output=True,
                text=True)
            if result.returncode == 0:
                break
            bad = set()
            for path, line in re.findall(r"^(/[^:\n]+):(\d+):\d+: error:", result.stdout + result.stderr, re.M):
                if not path.startswith(str(self.folder)):
                    continue
                bad.add((str(pathlib.Path(path).relative_to(self.folder)), int(line)))
            dropped = set()
            for file, line in bad:
                near = [site for site in self.sites if site.file == file and site.line == line]
                if not near:
                    # The mistake is seen elsewhere, such as at the end of the function.
                    around = [site for site in self.sites if site.file == file]
                    nearest = min((abs(site.line - line) for site in around), default=0)
                    near = [site for site in around if abs(site.line - line) == nearest]
                dropped.update(site.number for site in near)
            if not dropped:
                sys.exit((result.stdout + result.stderr)[-4000:])
            print(f"  {len(dropped)} places cannot be changed so", file=sys.stderr)
            excluded.update(site.name for site in self.sites if site.number in dropped)
            known.write_text(json.dumps(sorted(excluded)))
            self.sites = [site for site in self.sites if site.number not in dropped]
        subprocess.run(["swift", "build", "--build-tests"], cwd=self.folder, env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        (self.folder / "sites.json").write_text(json.dumps([[site.number, site.key] for site in self.sites]))

    def run(self, tests, number=None, record=None, limit=None):
        """Runs tests. Returns whether all passed, and the seconds; a run that takes too long did not pass."""
        names = "|".join(re.escape(test) for test in tests)
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no")
        if number is not None:
            environment["MUTANT"] = str(number)
        if record is not None:
            environment["MUTANT_RECORD"] = str(record)
        begin = time.monotonic()
        try:
            result = subprocess.run(
                [str(self.folder / ".build/debug/policy-enginePackageTests.xctest"), "--testing-library",
                 "swift-testing", "--filter", f"^(?:{names})"],
                cwd=self.folder, env=environment, capture_output=True, timeout=limit)
            return result.returncode == 0, time.monotonic() - begin
        except subprocess.TimeoutExpired:
            return False, time.monotonic() - begin

    def list_tests(self):
        result = subprocess.run(
            [str(self.folder / ".build/debug/policy-enginePackageTests.xctest"), "--testing-library", "swift-testing",
             "--list-tests"], cwd=self.folder, capture_output=True, text=True)
        return [line.strip() for line in result.stdout.splitlines() if line.startswith(self.tests + ".")]

    def reach(self, jobs):
        """By place: the tests that reach it, the quickest first; and the seconds of each test."""
        tests = self.list_tests()

        def one(numbered):
            number, test = numbered
            record = self.folder / f".reach-{number}"
            passed, seconds = self.run([test], record=record)
            reached = [int(line) for line in record.read_text().split()] if record.exists() else []
            record.unlink(missing_ok=True)
            return test, passed, seconds, reached

        by_place, seconds = {}, {}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for test, passed, taken, reached in pool.map(one, enumerate(tests)):
                if not passed:
                    print(f"  {test} does not pass without a change, and is left out", file=sys.stderr)
                    continue
                seconds[test] = taken
                for place in reached:
                    by_place.setdefault(place, []).append(test)
        for place in by_place:
            by_place[place].sort(key=lambda test: seconds[test])
        return by_place, seconds

    def is_noticed(self, number, tests, seconds):
        start = 0
        for size in (1, 3, 8, 24, len(tests)):
            group = tests[start:start + size]
            if not group:
                break
            passed, _ = self.run(group, number=number, limit=10 + 5 * sum(seconds[test] for test in group))
            if not passed:
                return True
            start += size
        return False


def listed():
    """The changes that nobody could notice, with the reason of each."""
    reasons = {}
    for line in LISTED.read_text().splitlines() if LISTED.exists() else []:
        if line and not line.startswith("#"):
            key, _, reason = line.partition(" :: ")
            reasons[key] = reason
    return reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("module")
    parser.add_argument("--count", type=int, default=0, help="how many changes, drawn by the seed; all where 0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--paths", nargs="*", default=[], help="folders or files, beneath the checkout")
    options = parser.parse_args()
    build = Build(options.module, options.paths)
    build.copy()
    build.find()
    print(f"{options.module}: {len(build.sites)} places", file=sys.stderr)
    build.compile()
    by_place, seconds = build.reach(options.jobs)
    chosen = build.sites
    if options.count and options.count < len(chosen):
        chosen = sorted(random.Random(options.seed).sample(chosen, options.count), key=lambda site: site.number)
    reasons = listed()
    survivors, noticed, unnoticeable = [], 0, 0

    def one(site):
        if site.key in reasons:
            return site, None
        return site, build.is_noticed(site.number, by_place.get(site.number, []), seconds)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for site, result in pool.map(one, chosen):
            if result is None:
                unnoticeable += 1
            elif result:
                noticed += 1
            else:
                reached = "not noticed" if site.number in by_place else "reached by no test"
                survivors.append(site)
                print(f"{site.file}:{site.line}: {site.kind}: {site.text} → {site.change}: {reached}\n    {site.source}",
                      flush=True)
    tried = noticed + len(survivors)
    share = 100 * noticed / tried if tried else 100
    print(f"{options.module}: {len(build.sites)} places, {tried} changes tried, {noticed} noticed ({share:.1f} %), "
          f"{len(survivors)} not; {unnoticeable} nobody could notice")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
