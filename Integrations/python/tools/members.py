#!/usr/bin/env python3
"""Writes what the package knows of JSON reports: `_columns.py` and `_members.pyi`, from `scenario schema report`.

usage: members.py SCENARIO [--check]     (with --check, exits with 1 where the files are not what they would be)
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

PACKAGE = Path(__file__).resolve().parent.parent / "policy_scenario"
sys.path.insert(0, str(PACKAGE.parent))

from policy_scenario._record import attribute  # noqa: E402

KINDS = {"string": "text", "integer": "int", "number": "float", "boolean": "bool"}
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
HEAD = "# Written by tools/members.py from `scenario schema report`.\n"
# A map by any names is a table with these columns.
NAME, VALUE = "name", "value"
# Values of any further columns, in place of a name.
OTHERS = "*"


def undescribed(value: Any) -> Any:
    """A schema without words for people, so that equal forms are equal. A member may have the name that these words have."""
    if isinstance(value, list):
        return [undescribed(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: undescribed(each) for name, each in value.items() if not (name == "description" and isinstance(each, str))}


class Schema:
    """The JSON Schema of all reports."""

    def __init__(self, text: bytes) -> None:
        self.definitions: Dict[str, Dict[str, Any]] = undescribed(json.loads(text)["$defs"])

    def form(self, schema: Dict[str, Any]) -> Tuple[Dict[str, Any], bool]:
        """A schema without references and null, and whether it may be null."""
        if "$ref" in schema:
            return self.form(self.definitions[schema["$ref"].rpartition("/")[2]])
        if "anyOf" in schema:
            rest = [each for each in schema["anyOf"] if each != {"type": "null"}]
            return self.form(rest[0])[0], len(rest) < len(schema["anyOf"])
        return schema, False

    def kind(self, schema: Dict[str, Any]) -> str:
        """The kind of a column with such values."""
        form, _ = self.form(schema)
        if "enum" in form:
            return "text"
        if form.get("type") == "string" and "pattern" in form:
            return "time"
        if form.get("type") == "array" and self.kind(form["items"]) == "text":
            return "texts"
        return KINDS.get(form.get("type", ""), "json")

    def columns(self, form: Dict[str, Any], prefix: str = "") -> Iterator[Tuple[str, str]]:
        """The columns of a table whose rows are such objects; objects within become columns of their own."""
        for name, schema in form.get("properties", {}).items():
            inner, _ = self.form(schema)
            if inner.get("type") == "object" and "properties" in inner:
                yield from self.columns(inner, f"{prefix}{name}.")
            elif "const" not in inner:
                yield prefix + name, self.kind(schema)
        if form.get("additionalProperties"):
            yield prefix + OTHERS, self.kind(form["additionalProperties"])

    def tables(self, schema: Dict[str, Any], path: str = "") -> Iterator[Tuple[str, Dict[str, str]]]:
        """The tables of a report, by the path of their member."""
        form, _ = self.form(schema)
        if form.get("type") == "array":
            items, _ = self.form(form["items"])
            if items.get("type") == "object":
                yield path, dict(self.columns(items))
        elif form.get("type") == "object" and "properties" in form:
            for name, member in form["properties"].items():
                yield from self.tables(member, f"{path}/{name}" if path else name)
        elif form.get("type") == "object":
            items, _ = self.form(form["additionalProperties"])
            inner = dict(self.columns(items)) if "properties" in items else {VALUE: self.kind(items)}
            yield path, {NAME: "text", **inner}


class Members:
    """Classes for type checkers and editors: one for each form of an object."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.known: Dict[str, str] = {}
        self.classes: List[str] = []

    def type(self, schema: Dict[str, Any], name: str) -> str:
        form, may_be_null = self.schema.form(schema)
        text = self.plain(form, name)
        return f"Optional[{text}]" if may_be_null else text

    def plain(self, form: Dict[str, Any], name: str) -> str:
        if "const" in form:
            return "int"
        if "enum" in form:
            return f"Literal[{', '.join(map(json.dumps, form['enum']))}]"
        if form["type"] == "array":
            return f"List[{self.type(form['items'], name)}]"
        if form["type"] != "object":
            return TYPES[form["type"]]
        if not form.get("properties"):
            return f"Mapping[str, {self.type(form['additionalProperties'], name)}]"
        return self.object(form, name)

    def object(self, form: Dict[str, Any], name: str, base: str = "Record") -> str:
        key = json.dumps([form, base], sort_keys=True)
        if key not in self.known:
            self.known[key] = name
            lines = [f"    {attribute(member)}: {self.type(schema, name + camel(member))}"
                     for member, schema in form["properties"].items()]
            self.classes.append("\n".join([f"class {name}({base}):", *lines]) + "\n")
        return self.known[key]


def camel(name: str) -> str:
    return "".join(part.title() for part in name.split("-"))


def columns_file(schema: Schema) -> str:
    text = HEAD + '"""The tables of JSON reports: by kind of report and path of the member, columns and their kinds."""\n\n'
    text += "from typing import Dict\n\nTABLES: Dict[str, Dict[str, Dict[str, str]]] = {\n"
    for kind, definition in schema.definitions.items():
        text += f"    {json.dumps(kind)}: {{\n"
        for path, columns in schema.tables(definition):
            pairs = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in columns.items()]
            text += f"        {json.dumps(path)}: {{{', '.join(pairs)}}},\n"
        text += "    },\n"
    return text + "}\n"


def members_file(schema: Schema) -> str:
    members = Members(schema)
    for kind, definition in schema.definitions.items():
        members.object(definition, camel(kind) + "Members", "object")
    text = HEAD + "from typing import List, Literal, Mapping, Optional\n\nfrom ._record import Record\n\n"
    return text + "\n".join(members.classes)


def main() -> int:
    schema = Schema(subprocess.run([sys.argv[1], "schema", "report"], check=True, capture_output=True).stdout)
    status = 0
    for name, text in (("_columns.py", columns_file(schema)), ("_members.pyi", members_file(schema))):
        path = PACKAGE / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not what {Path(__file__).name} writes; run it again", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
