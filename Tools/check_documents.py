#!/usr/bin/env python3
"""Runs the commands that the documents show, and compares what they print with what the documents show.

usage: check_documents.py [FILE…]     (by default every Markdown file with a `console` block; needs `make build`)

In a block of the language `console` a line that starts with `$ ` is a command, which may continue behind a `\\` at the end of a
line. The lines below it are what it prints, errors included; a line `…` stands for any lines. A block of `yaml` that
is headed by `title=NAME` is a file that the commands of that document find. Commands run in an empty folder beside
which only `Scenarios` is there; a block begins in the folder where the one before it ended. Exits with 1 where something
differs, or where a link leads nowhere.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w+)(?: title=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def documents():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in listed if (ROOT / name).exists()]


def transcript(block):
    """The commands of a block, each with the lines that it should print."""
    commands = []
    goes_on = False
    for line in block.splitlines():
        if goes_on or line.startswith("$ "):
            text = line if goes_on else line[2:]
            goes_on = text.endswith("\\")
            if line.startswith("$ "):
                commands.append([text, []])
            else:
                commands[-1][0] += "\n" + text
        else:
            commands[-1][1].append(line)
    return commands


def printed(commands, folder):
    """What each command of a block prints, one after another in one shell, and the folder where the last one ends."""
    mark = "==== the next command ===="
    script = ["shopt -s expand_aliases", "status=0"]
    for command, _ in commands:
        script += [f"(exit $status)\n{command}", "status=$?", f"echo; echo '{mark}'"]
    # A document shows what a person sees at a terminal: some options are refused where CI is set, and tables follow COLUMNS.
    inherited = {name: value for name, value in os.environ.items() if name not in ("CI", "COLUMNS", "CLICOLOR_FORCE")}
    environment = inherited | {"PATH": f"{ROOT / '.build/release'}:{os.environ['PATH']}", "NO_COLOR": "1",
                               "XDG_STATE_HOME": "/dev/null"}
    done = subprocess.run(["bash", "-c", "\n".join([*script, "pwd"])], cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    *parts, end = done.stdout.split(mark)
    return [part.strip("\n").splitlines() for part in parts], end.strip() or folder


def matches(expected, lines):
    """Whether lines are as expected, where `…` stands for any number of them."""
    if not expected:
        return not lines
    if expected[0].strip() == "…":
        return any(matches(expected[1:], lines[start:]) for start in range(len(lines) + 1))
    return bool(lines) and expected[0].rstrip() == lines[0].rstrip() and matches(expected[1:], lines[1:])


def wrong_transcripts(path, text):
    """What is wrong with the blocks of a document."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "Scenarios").symlink_to(ROOT / "Scenarios")
        working = folder
        for block in BLOCK.finditer(text):
            language, title, content = block.groups()
            if title:
                (Path(folder) / title).write_text(content, encoding="utf-8")
            if language != "console":
                continue
            commands = transcript(content)
            results, working = printed(commands, working)
            for (command, expected), lines in zip(commands, results):
                if not matches(expected, lines):
                    line = text.count("\n", 0, block.start()) + 1
                    yield f"{path}:{line}: $ {command}\n  prints\n" + "\n".join(f"    {each}" for each in lines[:40])


def anchor(heading):
    """The name by which a heading is linked to."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def wrong_links(path, text):
    """The links of a document that lead nowhere."""
    for link in LINK.findall(re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, heading = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        if not target.exists():
            yield f"{path}: no file {link}"
        elif heading and heading not in map(anchor, HEADING.findall(target.read_text(encoding="utf-8"))):
            yield f"{path}: no heading {link}"


def main():
    wrong = []
    for path in [Path(name).resolve() for name in sys.argv[1:]] or documents():
        text = path.read_text(encoding="utf-8")
        wrong += [*wrong_transcripts(path, text), *wrong_links(path, text)]
    print("\n".join(wrong) or "all commands and links of the documents hold")
    sys.exit(bool(wrong))


main()
