"""Runs programs of the tests in this process, one after another, so that what they import is imported once.

Input: a line of JSON for each program, {"program": PATH, "arguments": [TEXT…], "input": TEXT for its standard input}
Output: a line of JSON for each, {"status": its exit status, "output": what it wrote to standard output}
"""

import io
import json
import os
import runpy
import sys
import traceback

# Processes that a program starts must not write between the answers.
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


HOME = os.getcwd()


def run(program, arguments, text):
    os.chdir(HOME)
    sys.argv, sys.path[0] = [program, *arguments], os.path.dirname(program)
    sys.stdin, sys.stdout = io.StringIO(text), io.StringIO()
    status = 0
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except Exception:
        traceback.print_exc()
        status = 1
    return {"status": status, "output": sys.stdout.getvalue()}


REQUESTS = sys.stdin
for line in REQUESTS:
    request = json.loads(line)
    json.dump(run(request["program"], request["arguments"], request["input"]), ANSWERS)
    ANSWERS.write("\n")
    ANSWERS.flush()
