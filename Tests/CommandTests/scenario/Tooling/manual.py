"""Checks manual pages by mandoc and by groff.

Input (JSON): {"files": [PATH…]}
Output (JSON): {PATH: {"problems": [LINE…], "text": TEXT as a terminal would show it}}
"""

import json
import re
import subprocess
import sys

# Pages have no date, because equal versions have equal pages; and NAME is one line, which makes the index of pages.
EXPECTED = re.compile(r"missing date|^mandoc: see above|:3:\d+: STYLE: input text line longer")


def ran(*words):
    return subprocess.run(words, text=True, capture_output=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})


def checked(path):
    found = ran("mandoc", "-T", "lint", "-W", "style", path).stdout.splitlines()
    found += ran("groff", "-man", "-Tutf8", "-ww", "-z", path).stderr.splitlines()
    text = re.sub(".\b", "", ran("mandoc", "-T", "utf8", path).stdout)
    return {"problems": [line for line in found if not EXPECTED.search(line)], "text": text}


def main():
    json.dump({path: checked(path) for path in json.load(sys.stdin)["files"]}, sys.stdout)


if __name__ == "__main__":
    main()
