"""Types command lines into a real shell that has read completions, and says what a press of the Tab key makes of them.

Input (JSON): {"shell": "bash"|"zsh"|"fish", "completions": PATH, "tool": PATH, "folder": PATH, "lines": [LINE…]}
Output (JSON): {LINE: LINE after Tab}; of fish, which says what it would offer, the line with the only offer, or all offers
joined by ` | `.
"""

import json
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60  # seconds
START = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
}
# The first input: completions, and a key that writes the line which is being edited into a file.
SETUP = {
    "bash": """bind 'set bell-style none'
source {completions}
dump() {{ printf %s "$READLINE_LINE" > {work}/next; mv {work}/next {work}/dump; }}
bind -x '"\\C-xd": dump'
""",
    "zsh": """unsetopt beep automenu autolist
fpath=({work}/functions $fpath)
autoload -Uz compinit; compinit -u -d {work}/zcompdump
dump() {{ print -rn -- "$BUFFER" > {work}/next; mv {work}/next {work}/dump }}
zle -N dump; bindkey '^Xd' dump
""",
}


def environment(tool, work):
    return {"PATH": f"{Path(tool).parent}:/usr/bin:/bin", "HOME": str(work), "TERM": "dumb", "LC_ALL": "C.UTF-8"}


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, shell, completions, tool, folder, work):
        self.work = work
        (work / "functions").mkdir()
        shutil.copy(completions, work / "functions" / "_scenario")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(START[shell][0], START[shell], environment(tool, work))
        self.type(SETUP[shell].format(completions=completions, work=work))
        # Nothing typed, nothing completed: from here on the shell answers.
        self.answer()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def answer(self):
        """The line that is being edited."""
        self.type("\x18d")
        end, dump = time.monotonic() + PATIENCE, self.work / "dump"
        while not dump.exists():
            if time.monotonic() > end:
                raise TimeoutError("the shell does not answer")
            if select.select([self.terminal], [], [], 0.002)[0]:
                os.read(self.terminal, 65536)
        text = dump.read_text()
        dump.unlink()
        return text

    def completed(self, line):
        self.type("\x15" + line + "\t")
        return self.answer()

    def end(self):
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def asked_of_fish(completions, tool, folder, lines, work):
    """What fish would offer for each line."""
    script = "source $argv[1]; for line in $argv[2..]; complete --do-complete $line; echo ====; end"
    done = subprocess.run(["fish", "--no-config", "-c", script, completions, *lines], cwd=folder,
                          env=environment(tool, work), text=True, capture_output=True, check=True, timeout=PATIENCE)
    if done.stderr:
        raise RuntimeError(done.stderr)
    for line, offers in zip(lines, done.stdout.split("====\n")):
        words = [offer.split("\t")[0] for offer in offers.splitlines()]
        yield line, line.rpartition(" ")[0] + " " + " | ".join(words)


def main():
    work = json.load(sys.stdin)
    arguments = work["completions"], work["tool"], work["folder"], work["lines"]
    with tempfile.TemporaryDirectory() as folder:
        if work["shell"] == "fish":
            answers = dict(asked_of_fish(*arguments, Path(folder)))
        else:
            terminal = Terminal(work["shell"], *arguments[:3], Path(folder))
            answers = {line: terminal.completed(line) for line in work["lines"]}
            terminal.end()
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main()
