#!/usr/bin/env python3
"""Writes what the package knows of the command.

From `scenario schema report` it writes `_columns.py` and `_members.pyi`; and from `scenario --dump-help` the parameters of the
functions in `_commands.py`, and `_questions.py`, the functions that follow from options alone.

usage: members.py SCENARIO [--check]     (with --check, exits with 1 where the files are not what they would be)
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
from pathlib import Path
from textwrap import fill
from typing import Any, ClassVar, Dict, Iterator, List, Optional, Tuple

PACKAGE = Path(__file__).resolve().parent.parent / "policy_scenario"
# Without the package, which needs what is written here.
sys.path.insert(0, str(PACKAGE))

from _documentation import PARAMETERS  # noqa: E402
from _record import attribute  # noqa: E402

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


def identifier(name: str) -> str:
    """The name of a parameter or function: `max_drift` for `max-drift`, `return_` for `return`."""
    return name.replace("-", "_") + ("_" if keyword.iskeyword(name) else "")


def camel(name: str) -> str:
    return "".join(part.title() for part in name.split("-"))


# Options for terminals, for files beside the report, and those that functions give in another way.
ELSEWHERE = frozenset((
    "format", "output", "decisions", "with", "tokens", "domain", "step", "partial", "help", "quiet", "no-progress", "watch",
    "timings", "update", "verbose", "explain", "strict"))
# The types of parameters by the name of an option's value, and those of options that Python takes in another form.
VALUES = {"N|P%": "Limit", "P%": "Limit", "DURATION": "Duration", "N": "int", "K": "int", "FILE": "Path"}
OTHERS_OF_PYTHON = {
    "account": "Optional[AccountLike] = None", "candidate": "Optional[AccountLike] = None", "labels": "Optional[Labels] = None",
    "cost": "Optional[Dict[str, int] | str] = None", "holdout": "Any = None", "steps": "Texts"}


def parameter(option: Dict[str, Any]) -> str:
    """An option as a parameter: `max_drift: Optional[Limit] = None`."""
    name, value = option["preferredName"]["name"], option.get("valueName", "")
    if name in OTHERS_OF_PYTHON:
        typed = OTHERS_OF_PYTHON[name]
    elif option["kind"] == "flag":
        typed = "bool = False"
    elif option["isRepeating"] or value == "KEYS":
        typed = "Texts = ()"
    else:
        typed = f"Optional[{VALUES.get(value, 'str')}] = None"
    return f"{identifier(name)}: {typed}"


def parameters(command: Dict[str, Any], before: str) -> str:
    """Lines of the parameters of a command's function.

    :param before: those that come first, which are given by position.
    """
    options = [each for each in command["arguments"] if "preferredName" in each]
    names = {each["preferredName"]["name"] for each in options}
    # A domain goes with tokens, which are written beside the report.
    elsewhere = ELSEWHERE if "tokens" in names else ELSEWHERE - {"domain"}
    following = [parameter(each) for each in options if each["preferredName"]["name"] not in elsewhere]
    following = [each for each in following if not re.search(rf"\b{each.partition(':')[0]}: ", before)]
    if "no-progress" in names:
        following.append("progress: bool = True")
    # Lines end between parameters.
    words = [each.replace(" ", "\0") for each in [*before.split(", "), "*", *following]]
    return fill(", ".join(words) + ",", 128, initial_indent="    ", subsequent_indent="    ", break_long_words=False,
                break_on_hyphens=False).replace("\0", " ")


def commands_file(commands: List[Dict[str, Any]]) -> str:
    """The functions that are written by hand, with the parameters of their commands."""
    text = (PACKAGE / "_commands.py").read_text(encoding="utf-8")
    for command in commands:
        pattern = rf"(?<=^def {identifier(command['commandName'])}\()\n?\s*([^*]*), \*, [^*]*?\n?(?=\) -> \w+:$)"
        found = re.search(pattern, text, re.MULTILINE)
        if found and "reports" in command:
            lines = parameters(command, found[1])
            inline = lines.strip().rstrip(",")
            is_short = "\n" not in lines and len(f"def {identifier(command['commandName'])}({inline}) -> Something:") <= 100
            text = text[:found.start()] + (inline if is_short else f"\n{lines}\n") + text[found.end():]
    return text


class Question:
    """A command that asks about captures under an account: a function of its options, and the class of its result."""

    # Names of classes that are older than this rule, and examples.
    CLASSES: ClassVar = {"whatif": "WhatIf"}
    EXAMPLES: ClassVar = {"whatif": """
    >>> edits = whatif("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml",
    ...                order="newly-rejected")
    >>> first = edits.edits[0]
    >>> first.command, first.newly_rejected.devices
    ('policy -set default,blacklist,risk', 1845)
""", "requests": """
    >>> log = "Scenarios/requests/backend-log.jsonl"
    >>> refused = requests(log, {"account": "shop", "apis": [{"domain": "api.example.com"}]})
    >>> [(reason.reason, reason.requests) for reason in refused.reasons]
    [('no-token', 1), ('failed-attestation', 1), ('wrong-signature', 1), ('expired', 1)]
""", "pins": """
    >>> tried = pins("Scenarios/requests/a-rotation-with-a-backup-pin.yaml", rotations="new-key,stolen-key")
    >>> [(rotation.rotation, rotation.survives, rotation.blocked_devices) for rotation in tried.rotations]
    [('new-key', False, 30), ('stolen-key', True, 0)]
"""}

    def __init__(self, command: Dict[str, Any], schema: Schema) -> None:
        self.command: str = command["commandName"]
        self.name = identifier(self.command)
        self.type = self.CLASSES.get(self.command, camel(self.command))
        self.kind: str = command["reports"][0]["name"]
        # The table that stands for the whole is the first list.
        self.main = next(path for path, _ in schema.tables(schema.definitions[self.kind]))
        first, *rest = command["abstract"].split(" ")
        self.summary = f"{first}s {' '.join(rest)[:-1]}, as `scenario {self.command}`."
        # `captures`, or `logs`.
        self.operands = f"{self.operand(command)}s"
        self.parameters = parameters(command, f"{self.operands}: Captures, account: Optional[AccountLike] = None")
        self.words = {identifier(each["preferredName"]["name"]): each["abstract"]
                      for each in command["arguments"] if "preferredName" in each}

    @staticmethod
    def operand(command: Dict[str, Any]) -> Optional[str]:
        """The noun of the files that a command reads, of which there may be several; none where it reads others."""
        return next((each["valueName"].lower() for each in command["arguments"] if each["kind"] == "positional"
                     and each["valueName"] in ("CAPTURE", "LOG", "SCENARIO") and each["isRepeating"]), None)

    @classmethod
    def of(cls, command: Dict[str, Any], schema: Schema) -> Optional[Question]:
        """None of a command that asks something else, or whose function is written by hand."""
        names = {each["preferredName"]["name"] for each in command["arguments"] if "preferredName" in each}
        if len(command.get("reports", [])) != 1 or cls.operand(command) is None or "account" not in names:
            return None
        question = cls(command, schema)
        written = (PACKAGE / "_commands.py").read_text(encoding="utf-8")
        return None if re.search(rf"^def {question.name}\(", written, re.MULTILINE) else question

    def text(self) -> str:
        narrows = "only" in self.words
        return f'''

class {self.type}(Report, {camel(self.kind)}Members):
    """The result of `{self.command}`. Its table is `{self.main}`."""

    _kind, _main = "{self.kind}", "{self.main}"


@described
def {self.name}(
{self.parameters}
) -> {self.type}:
    """{fill(self.summary, 120, subsequent_indent="    ")}
{self.EXAMPLES.get(self.command, "")}    """
    return evaluated({self.type}, _invocation("{self.command}", locals(), {self.operands}{", bool(only)" if narrows else ""}))
'''


def questions_file(questions: List[Question]) -> str:
    members = sorted(f"{camel(each.kind)}Members" for each in questions)
    names = sorted(name for each in questions for name in (each.type, each.name))
    text = "".join(each.text() for each in questions)
    unknown = {name: sentence for each in questions for name, sentence in each.words.items()
               if name not in PARAMETERS and re.search(rf"\b{name}: ", each.parameters)}
    types = [name for name in ("AccountLike", "Duration", "Labels", "Limit", "Path", "Texts") if re.search(rf"\b{name}\b", text)]
    typing = ["TYPE_CHECKING", *(["Dict"] if "Dict[" in text else []), "Optional"]
    head = HEAD.replace("scenario schema report", "scenario --dump-help").rstrip() + f'''
"""The commands whose functions follow from their options alone."""

from __future__ import annotations

from typing import {", ".join(typing)}

from ._arguments import {", ".join(types)}
from ._commands import _invocation
from ._documentation import {"PARAMETERS, " if unknown else ""}described
from ._report import Report, evaluated
from ._streams import Captures

if TYPE_CHECKING:
    from ._members import {", ".join(members)}
else:
    {" = ".join(members)} = object

__all__ = {json.dumps(names)}
'''
    if unknown:
        head += f"\n# In the words of the help.\nPARAMETERS.update({json.dumps(unknown, indent=4, ensure_ascii=False)})\n"
    return head + text


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


def printed(*words: str) -> bytes:
    return subprocess.run([sys.argv[1], *words], check=True, capture_output=True).stdout


def main() -> int:
    schema = Schema(printed("schema", "report"))
    commands = json.loads(printed("--dump-help"))["command"]["subcommands"]
    questions = [question for command in commands for question in [Question.of(command, schema)] if question]
    status = 0
    for name, text in (("_columns.py", columns_file(schema)), ("_members.pyi", members_file(schema)),
                       ("_commands.py", commands_file(commands)), ("_questions.py", questions_file(questions))):
        path = PACKAGE / name
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path} is not what {Path(__file__).name} writes; run it again", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
