#!/usr/bin/env python3
"""Writes docs/REPORTS.md: a table of the members of every report as JSON, made from the schema that the command prints, and from its
list of commands, which says the kinds of reports that each writes.

usage: report_tables.py SCENARIO [--check]     (with --check exits with 1 where the file is not what it would write)

A row is a member: its path, its form, and its description in the schema. `[]` stands for each item of a list, and `*` for
each member of an object whose names are data. An object whose members are those of one above it is described once, in
all kinds of reports together.
"""
import json
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "docs/REPORTS.md"
INTRODUCTION = """# Members of reports

The members of every report as JSON, by kind of report, made from `scenario schema report`. [FORMATS.md](FORMATS.md) says what figures
mean together. A path joins the names of members by dots; `[]` stands for each item of a list, and `*` for each member of an object
whose names are data. An optional member is left out where there is nothing to say.
"""


def content(schema):
    """The schema without the words about it."""
    return {key: value for key, value in schema.items() if key != "description"}


def without_null(schema):
    """The form of a value that may be null, and whether it may."""
    forms = [form for form in schema.get("anyOf", []) if form.get("type") != "null"]
    if len(forms) == 1 and len(schema["anyOf"]) == 2:
        return forms[0], True
    return schema, False


def form(schema, titles):
    """A form in a few words, by the titles of the kinds of reports."""
    if "$ref" in schema:
        return link(titles[schema["$ref"].rsplit("/", 1)[1]])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join("null" if word is None else f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(form(each, titles) for each in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return f"list of {plural(form(schema.get('items', {}), titles))}"
    if kind == "string" and "pattern" in schema:
        return "time" if schema["pattern"].startswith("^[0-9]{4,}-") else "text"
    return {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
            "object": "object", "null": "null"}.get(kind, "any value")


def plural(words):
    """A form in the plural, where it has one."""
    if words.startswith("list of "):
        return "lists" + words.removeprefix("list")
    return words + "s" if words in ("text", "time", "whole number", "number", "object") else words


def link(title):
    """The link to the table of a kind of reports."""
    return f"[{title.lower()}](#{title.lower().replace(' ', '-')})"


class Tables:
    """The rows of the tables of all reports."""

    def __init__(self, titles):
        self.titles = titles
        self.rows = []
        self.known = {}
        self.title = ""

    def of(self, schema, title):
        """The rows of a report's table."""
        self.rows, self.title = [], title
        self.add_members(schema, "")
        return self.rows

    def add_members(self, schema, path):
        """Adds the members of an object."""
        required = schema.get("required", [])
        for name, member in schema.get("properties", {}).items():
            self.add(member, path + name, name not in required)
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            self.add({"description": "One for each name."} | others, path + "*", False)

    def add(self, schema, path, is_optional):
        """Adds a member, and those of the objects in it."""
        inner, is_nullable = without_null(schema)
        description = schema.get("description", inner.get("description", ""))
        words = form(inner, self.titles)
        parts, start = inner, path + "."
        if inner.get("type") == "array":
            parts, may_be_null = without_null(inner.get("items", {}))
            start = path + "[]."
        key = json.dumps(content(parts), sort_keys=True)
        has_members = "properties" in parts or isinstance(parts.get("additionalProperties"), dict)
        known = self.known.get(key) if has_members else None
        if known:
            title, first = known
            place = "" if title == self.title else f" of a {link(title)}"
            words += f", with the members of `{first}`{place}"
        words = ("optional " if is_optional else "") + words + (" or null" if is_nullable else "")
        self.rows.append(f"| `{path}` | {words} | {description} |".replace("|  |", "| |"))
        if has_members and not known:
            self.known[key] = (self.title, path)
            self.add_members(parts, start)


def document(schema, commands):
    """The whole file."""
    titles, writers = {}, {}
    for command in commands:
        for kind in command.get("reports", []):
            titles[kind["name"]] = kind["title"]
            writers.setdefault(kind["name"], []).append(f"`{command['commandName']}`")
    parts, tables = [INTRODUCTION], Tables(titles)
    for name, definition in schema["$defs"].items():
        title, rows = titles[name], tables.of(definition, titles[name])
        parts.append(f"## {title}\n\n`{name}`, written by {', '.join(writers[name])}.\n\n"
                     "| member | form | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def printed(*words):
    """What the command prints as JSON."""
    return json.loads(subprocess.run([Path(sys.argv[1]).resolve(), *words], capture_output=True, check=True).stdout)


def main():
    text = document(printed("schema", "report"), printed("--dump-help")["command"]["subcommands"])
    if "--check" not in sys.argv[2:]:
        FILE.write_text(text, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        sys.exit("docs/REPORTS.md: not what the schema says; `make report-tables` writes it anew")


main()
