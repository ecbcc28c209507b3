"""Checks YAML documents against JSON Schemas, reading YAML 1.2 as editors do.

Input (JSON): {"schemas": {NAME: PATH}, "documents": [{"schema": NAME, "name": NAME, "text": TEXT}…]}
Output (JSON): {"problems": [null|TEXT…]}, for each document the first problem; null where it is accepted.
"""

import json
import re
import sys
from pathlib import Path

import jsonschema
import yaml


class Loader(yaml.CSafeLoader):
    """The core schema of YAML 1.2: `on` is text, and so is a date; a key that is given twice is an error."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        if len(set(keys)) < len(keys):
            raise yaml.YAMLError("a key is given twice")
        # Keys are text, whatever they look like.
        return {key.value: self.construct_object(value, deep=True) for key, value in node.value}

    def construct_map(self, node):
        yield self.construct_mapping(node)


Loader.yaml_implicit_resolvers = {}
Loader.add_constructor("tag:yaml.org,2002:map", Loader.construct_map)
for tag, form, starts in (
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]), ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("int", r"[-+]?[0-9]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{form})$"), list(starts))
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))


def problem(validator, text):
    try:
        content = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        return f"no YAML: {error}"
    found = jsonschema.exceptions.best_match(validator.iter_errors(content))
    return found and f"{'/'.join(map(str, found.absolute_path))}: {found.message[:200]}"


def main():
    work = json.load(sys.stdin)
    validators = {}
    for name, path in work["schemas"].items():
        schema = json.loads(Path(path).read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = jsonschema.Draft202012Validator(schema)
    json.dump({"problems": [problem(validators[each["schema"]], each["text"]) for each in work["documents"]]},
              sys.stdout)


if __name__ == "__main__":
    main()
