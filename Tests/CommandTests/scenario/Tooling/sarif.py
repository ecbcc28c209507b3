"""Checks files against the JSON schema of SARIF 2.1.0.

Input (JSON): {"schema": PATH, "files": [PATH…]}
Output (JSON): {PATH: [PROBLEM…]}
"""

import json
import sys
from pathlib import Path

import jsonschema


def main():
    work = json.load(sys.stdin)
    schema = json.loads(Path(work["schema"]).read_text())
    checker = jsonschema.validators.validator_for(schema)
    checker.check_schema(schema)
    validator = checker(schema, format_checker=jsonschema.FormatChecker())
    json.dump({path: [f"{'/'.join(map(str, problem.absolute_path))}: {problem.message}"
                      for problem in validator.iter_errors(json.loads(Path(path).read_text(encoding="utf-8")))]
               for path in work["files"]}, sys.stdout)


if __name__ == "__main__":
    main()
