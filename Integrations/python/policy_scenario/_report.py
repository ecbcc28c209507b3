"""Results of commands: the JSON report as values and tables, and its other forms."""

from __future__ import annotations

import json
from typing import (
    IO,
    TYPE_CHECKING,
    Any,
    Callable,
    ClassVar,
    Dict,
    Iterable,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    TypeVar,
)

from ._errors import Diagnostic, InputError, UsageError, failure, warn
from ._frame import from_columns, from_json_lines, reads_columns
from ._process import Finished, Invocation
from ._record import Record, attribute, member, nearest
from ._table import Table

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from ._members import (
        CapturesComparedMembers,
        ComparisonMembers,
        DiagnosticsMembers,
        ExplanationsMembers,
        IdlePartsMembers,
        ProofsMembers,
        ReportMembers,
        RolloutMembers,
        SearchMembers,
    )

    class LintMembers(DiagnosticsMembers, IdlePartsMembers):
        """The members of both kinds of reports."""

else:
    CapturesComparedMembers = ComparisonMembers = DiagnosticsMembers = ExplanationsMembers = object
    LintMembers = ProofsMembers = ReportMembers = RolloutMembers = SearchMembers = object

# Endings by which the command knows a form, and the forms that one run writes beside the report.
_TOGETHER = {"json": "json", "html": "html", "txt": "text"}
_DECISION = {
    "index": "int", "time": "time", "device": "text", "verdict": "text", "policy": "text", "rejections": "texts",
    "flags": "texts", "annotations": "texts", "filters": "texts", "lifetime": "int", "expires": "time", "arc": "text"}
# Members that a decision has once, also where it is taken by two accounts.
_COMMON = frozenset(("index", "time", "device"))


class Report:
    """The result of a command.

    Members of the JSON report are attributes: `report.summary.attestations`. Lists of it are tables: `report["filters"]`;
    `report.tables` has their names, in small letters with dashes. The whole is `report.json`. `repr` is the answer in a few
    words, and in a notebook a report shows itself as a page.

    :ivar json: the JSON report as Python reads it; docs/FORMATS.md says what its keys mean.
    :ivar messages: warnings of the command, as values.
    """

    #: The kind of report in `scenario schema report`, and the table that stands for the whole.
    _kind, _main = "report", "metrics"
    # Tables beside those that are lists of the report: what gives columns and rows.
    _made: ClassVar[Dict[str, Callable[[Mapping[str, Any]], Table]]] = {}

    def __init__(self, invocation: Invocation, finished: Finished, stamps: Mapping[str, object] = {}) -> None:
        self._invocation, self._stamps = invocation, stamps
        self._status = finished.status
        self._forms = {_TOGETHER[ending]: content for ending, content in finished.reports.items()}
        self.json: Dict[str, Any] = json.loads(finished.reports["json"])
        self.messages: Tuple[Diagnostic, ...] = finished.messages

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__") or "json" not in self.__dict__:
                raise AttributeError(name)
            return member(self.json, name, "the report")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *map(attribute, self.json)]

    def _places(self) -> Dict[str, Dict[str, str]]:
        from ._columns import TABLES

        return {path: columns for path, columns in TABLES[self._kind].items() if _found(self.json, path) is not None}

    def _makers(self) -> Dict[str, Callable[[Mapping[str, Any]], Table]]:
        return {**self._made, **({"labels": _labels} if _labelled(self.json) else {})}

    @property
    def tables(self) -> List[str]:
        """The names of all tables."""
        return [*self._makers(), *self._places()]

    def __getitem__(self, name: str) -> Table:
        """A table by its name, such as `rejections` or `changes/newly-rejected/flags`; the end of a name is enough."""
        sought = name.lower().replace(" ", "-")
        makers = self._makers()
        if sought in makers:
            return makers[sought](self.json)
        places = self._places()
        fitting = [sought] if sought in places else [path for path in places if path.endswith("/" + sought)]
        if len(fitting) != 1:
            raise KeyError(f"{name!r} is " + (f"one of {', '.join(fitting)}" if fitting else (
                f"no table of this report; it has {', '.join(self.tables)}{nearest(sought, self.tables)}")))
        return _table(_found(self.json, fitting[0]), places[fitting[0]])

    @property
    def table(self) -> Table:
        """The table that stands for the whole report."""
        return self[self._main]

    def to_arrow(self) -> pyarrow.Table:
        """`table` for pyarrow."""
        return self.table.to_arrow()

    def to_polars(self) -> polars.DataFrame:
        """`table` for polars."""
        return self.table.to_polars()

    def to_pandas(self) -> pandas.DataFrame:
        """`table` for pandas."""
        return self.table.to_pandas()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def rendered(self, form: str) -> str:
        """The report in another form of the command, such as `text`, `html`, `markdown` or `csv`.

        The command runs again for a form that is asked for the first time, except for `text` and `html` of most reports.

        :raises UsageError: the command does not write this form.
        :raises InputError: the report would be another one by now, because a file has changed.
        """
        if form not in self._forms:
            invocation = self._invocation
            if invocation.writes_several and form in invocation.command.forms[invocation.name]:
                self._forms[form] = self._again([form]).reports[form]
            else:
                import tempfile

                with tempfile.TemporaryFile() as output:
                    self._again((), [f"--format={form}"], output)
                    output.seek(0)
                    self._forms[form] = output.read()
        return self._forms[form].decode("utf-8")

    def _again(
        self, forms: Sequence[str], extra: Sequence[str] = (), output: Optional[IO[bytes]] = None,
        decisions: Sequence[str] = (),
    ) -> Finished:
        """Runs the command once more, which must make the same report."""
        is_compared = self._invocation.writes_several and not any(each.startswith("--format=") for each in extra)
        finished = self._invocation.run([*(["json"] if is_compared else []), *forms], extra, output, decisions)
        stamps = self._invocation.stamps()
        changed = sorted(path for path in {*stamps, *self._stamps} if stamps.get(path) != self._stamps.get(path))
        if is_compared and "json" in finished.reports:
            is_another = finished.reports["json"] != self._forms["json"]
        else:
            is_another = bool(changed)
        if is_another:
            what = ", ".join(changed) or "what the report was made from"
            raise InputError(f"{what} has changed since the report was made, which would be another one now; make it again")
        if finished.status not in (0, self._status):
            raise failure(finished.status, finished.messages)
        return finished

    def to_html(self) -> str:
        """The report as a page with plots, one file without script.

        :raises UsageError: the command writes no page.
        """
        return self.rendered("html")

    def __str__(self) -> str:
        """The report for people."""
        return self.rendered("text")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._answer()}>"

    def _answer(self) -> str:
        """The answer in a few words."""
        answer = ANSWERS.get(self._kind)
        return answer(self.json) if answer else ", ".join(self.tables)

    def _repr_html_(self) -> Optional[str]:
        from ._page import fragment

        if "html" not in self._invocation.command.forms[self._invocation.name]:
            return self.table._repr_html_()
        try:
            return fragment(self.to_html())
        except UsageError:
            # A stream was the capture, and is read.
            return self.table._repr_html_()

    def _decisions(
        self, with_: Iterable[str] = (), endings: Sequence[str] = ("",), columns: Optional[Iterable[str]] = None,
    ) -> Table:
        """Decisions in columns, or in JSON Lines where nothing reads columns."""
        import tempfile

        keys = [with_] if isinstance(with_, str) else list(with_)
        kinds = {name: kind for name, kind in _DECISION.items() if name in _COMMON}
        for ending in endings:
            kinds.update({name + ending: kind for name, kind in _DECISION.items() if name not in _COMMON})
        # A key that is also the name of a column.
        attributes = {f"record.{key}" if key in kinds else key: key for key in keys}
        kinds.update(dict.fromkeys(attributes, "text"))
        chosen = _chosen(kinds, columns)
        if reads_columns():
            finished = self._again((), [f"--with={','.join(keys)}"] if keys else (), decisions=["arrow"])
            if "arrow" not in finished.reports:
                raise failure(finished.status, finished.messages)
            content = finished.reports["arrow"]
            asked = from_columns(dict.fromkeys(attributes, "text"), content)
            for column, key in attributes.items():
                if len(asked) > 0 and not any(value is not None for value in asked[column]):
                    raise UsageError(f"no record has the attribute {key!r}, which `with_` asks for")
            return from_columns(chosen, content)
        if keys:
            raise UsageError("decisions with attributes need pyarrow or polars: `pip install pyarrow`")
        with tempfile.TemporaryFile() as output:
            self._again((), ["--decisions=-"], output)
            output.seek(0)
            return from_json_lines(chosen, output)


def _chosen(kinds: Mapping[str, str], columns: Optional[Iterable[str]]) -> Dict[str, str]:
    """The columns that were asked for, in this order.

    :raises UsageError: there is no such column.
    """
    if columns is None:
        return dict(kinds)
    names = [columns] if isinstance(columns, str) else list(columns)
    for name in names:
        if name not in kinds:
            raise UsageError(f"decisions have no column {name!r}; they have {', '.join(kinds)}")
    return {name: kinds[name] for name in names}


def _counted(count: int, one: str) -> str:
    """`1 device`, `2,000 devices`."""
    return f"{count:,} {one if count == 1 else one + 's'}"


def _edits(report: Mapping[str, Any]) -> str:
    """The number of edits that would turn a verdict."""
    edits = report["edits"]
    turning = sum(edit["newly-rejected"]["attestations"] + edit["newly-accepted"]["attestations"] > 0 for edit in edits)
    return f"{turning:,} of {_counted(len(edits), 'edit')} would turn verdicts"


# By kind of report, the answers of classes that are written from the options alone.
ANSWERS: Dict[str, Callable[[Mapping[str, Any]], str]] = {"edits": _edits}


def _share(count: int, whole: int, one: str) -> str:
    """`104 of 2,000 devices (5.2 %)`."""
    return f"{count:,} of {_counted(whole, one)}" + (f" ({100 * count / whole:.1f} %)" if whole > 0 else "")


def _found(content: Any, path: str) -> Any:
    for name in path.split("/"):
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _table(content: Any, columns: Mapping[str, str]) -> Table:
    """The table of a list of objects, or of an object whose keys are names."""
    if isinstance(content, dict):
        content = [{"name": name, **(item if isinstance(item, dict) else {"value": item})} for name, item in content.items()]
    rows = [dict(_flat(item)) for item in content]
    kinds = {}
    for column, kind in columns.items():
        if not column.endswith("*"):
            kinds[column] = kind
        else:
            kinds.update({name: kind for row in rows for name in row if name not in columns})
    # Groups of columns that the report was not asked for.
    groups = {column: column.partition(".")[0] for column in columns if "." in column} if rows else {}
    lacking = set(groups.values()).difference(*rows)
    return Table({column: kind for column, kind in kinds.items() if groups.get(column) not in lacking}, rows)


def _flat(item: Mapping[str, Any], prefix: str = "") -> Iterable[Tuple[str, Any]]:
    for name, content in item.items():
        yield prefix + name, content
        if isinstance(content, dict):
            yield from _flat(content, f"{prefix}{name}.")


def _sides(what: str, metric: str) -> Callable[[Mapping[str, Any]], Table]:
    """A table of the metrics that count attestations which pass and fail, such as `pass-app-NAME`."""

    def table(report: Mapping[str, Any]) -> Table:
        rows: Dict[str, Dict[str, Any]] = {}
        for side in ("pass", "fail"):
            start = f"{side}-{metric}-"
            for name, count in report["metrics"].items():
                if name.startswith(start):
                    rows.setdefault(name[len(start):], {what: name[len(start):], "pass": 0, "fail": 0})[side] = count
        ordered = sorted(rows.values(), key=lambda row: (-row["pass"] - row["fail"], row[what]))
        return Table({what: "text", "pass": "int", "fail": "int"}, ordered)

    return table


def _rejections(report: Mapping[str, Any]) -> Table:
    rows = []
    for start, prefix in (("rejection-flag-", ""), ("rejection-filter-", "filter:"), ("rejection-policy-", "policy:")):
        rows += [{"reason": prefix + name[len(start):], "attestations": count}
                 for name, count in report["metrics"].items() if name.startswith(start)]
    return Table({"reason": "text", "attestations": "int"}, sorted(
        rows, key=lambda row: (-int(row["attestations"]), row["reason"])))


def _lifetimes(report: Mapping[str, Any]) -> Table:
    rows = [{"seconds": int(seconds), "attestations": count} for seconds, count in report["lifetimes"].items()]
    return Table({"seconds": "int", "attestations": "int"}, sorted(rows, key=lambda row: -row["attestations"]))


def _values(report: Mapping[str, Any]) -> Table:
    rows = [{"attribute": each["attribute"], **value} for each in report.get("values", []) for value in each["values"]]
    columns = ("attestations", "failed", "devices", "missed-at-most", "missed-devices-at-most")
    return Table({"attribute": "text", "value": "text", **dict.fromkeys(columns, "int")}, rows)


def _labelled(report: Mapping[str, Any]) -> Dict[str, Any]:
    """The verdicts on labelled devices: of the account, or before a change and after it."""
    labels = report.get("labels") or report.get("changes", {}).get("labels") or {}
    return {side: labels[side] for side in ("account", "before", "after") if labels.get(side)}


def _labels(report: Mapping[str, Any]) -> Table:
    """A row for each label, of each account."""
    # The report has a word of its own for what is rejected under each label.
    words = {"bad": "caught", "good": "blocked", "unknown": "rejected"}
    rows = [{"account": side, "label": label, **counts[label], "rejected": counts[label][word],
             "rejected-days": counts[label][word + "-days"]}
            for side, counts in _labelled(report).items() for label, word in words.items()]
    numbers = ("devices", "rejected", "unevaluated", "days", "rejected-days")
    return Table({"account": "text", "label": "text", **dict.fromkeys(numbers, "int")}, rows)


class Metrics(Report):
    """A report with metrics: of a replay or of scenarios."""

    _made: ClassVar = {
        "rejections": _rejections, "apps": _sides("app", "app"), "app-versions": _sides("version", "appver"),
        "flags": _sides("flag", "flag"), "token-lifetimes": _lifetimes, "counted-values": _values}

    def _answer(self) -> str:
        metrics = self.json["metrics"]
        passed, failed = metrics.get("pass", 0), metrics.get("fail", 0)
        return f"{_share(failed, passed + failed, 'attestation')} failed"

    def decisions(self, with_: Iterable[str] = (), columns: Optional[Iterable[str]] = None) -> Table:
        """Every decision, a row each, in the order of the records. The command runs once more.

        Columns are `index`, `time`, `device`, `verdict`, `policy`, `rejections`, `flags`, `annotations`, `filters`, `lifetime`,
        `expires` and `arc`, as docs/FORMATS.md describes them.

        :param with_: attributes of the records to have as further columns; `record.device` is the attribute `device`.
        :param columns: the names of the columns to have, in this order; by default all.
        :raises UsageError: there is no such column, no record has such an attribute, or attributes are asked for and neither
            pyarrow nor polars is installed.
        """
        return self._decisions(with_, columns=columns)


class Replay(Metrics, ReportMembers):
    """The result of `replay`."""


class Run(Metrics, ReportMembers):
    """The result of `run`. It is true if every expectation held."""

    _main = "expectations"

    @staticmethod
    def _expectations(report: Mapping[str, Any]) -> Table:
        columns = (
            "scenario", "file", "line", "column", "passed", "message", "subject", "seconds", "expected", "actual", "rejections",
            "explain")
        numbers = dict.fromkeys(("line", "column", "seconds"), "int")
        kinds = {name: {**numbers, "passed": "bool"}.get(name, "text") for name in columns}
        return Table(kinds, [
            {"scenario": scenario["name"], **expectation}
            for scenario in report["scenarios"] for expectation in scenario["expectations"]])

    _made: ClassVar = {"expectations": lambda report: Run._expectations(report), **Metrics._made}

    def _answer(self) -> str:
        scenarios = len(self.json["scenarios"])
        failed = sum(not scenario["passed"] for scenario in self.json["scenarios"])
        return f"{failed:,} of {_counted(scenarios, 'scenario')} failed" if failed else (
            f"{_counted(scenarios, 'scenario')} passed")

    @property
    def passed(self) -> bool:
        """True if every expectation held."""
        return int(self.json["summary"]["failed"]) == 0

    def __bool__(self) -> bool:
        return self.passed


class Diff(Report, ComparisonMembers):
    """The result of `diff`. `before` and `after` are replays, and `changes` what differs."""

    _main = "metrics"

    @staticmethod
    def _metrics(report: Mapping[str, Any]) -> Table:
        before, after = (report[side]["metrics"] for side in ("before", "after"))
        return Table({"name": "text", "before": "int", "after": "int"}, [
            {"name": name, "before": before.get(name, 0), "after": after.get(name, 0)}
            for name in sorted({*before, *after})])

    _kind = "comparison"
    _made: ClassVar = {"metrics": lambda report: Diff._metrics(report)}

    def _answer(self) -> str:
        changes = self.json["changes"]
        turned = {name: changes[f"newly-{name}"]["devices"] for name in ("rejected", "accepted")}
        accepted = f", {turned['accepted']:,} newly accepted" if turned["accepted"] else ""
        return f"{_share(turned['rejected'], changes['devices'], 'device')} newly rejected{accepted}"

    @property
    def labels(self) -> Record:
        """The verdicts on labelled devices before the change and after it: `changes.labels`.

        :raises UsageError: the comparison was made without labels.
        """
        if "labels" not in self.json["changes"]:
            raise UsageError("the comparison was made without labels; give it some: `diff(…, labels=…)`")
        return Record(self.json["changes"]["labels"])

    def decisions(self, with_: Iterable[str] = (), columns: Optional[Iterable[str]] = None) -> Table:
        """Every decision before and after, a row for each record. The command runs once more.

        Columns are those of the decisions of a replay, but for `index`, `time` and `device` with `-before` and `-after`.

        :param with_: attributes of the records to have as further columns.
        :param columns: the names of the columns to have, in this order; by default all.
        :raises UsageError: there is no such column, no record has such an attribute, or attributes are asked for and neither
            pyarrow nor polars is installed.
        """
        return self._decisions(with_, ("-before", "-after"), columns)

    def _turned(self, before: str, after: str, reasons: str) -> Table:
        table = self.decisions()
        rows: Dict[str, Dict[str, Any]] = {}
        columns = zip(*(table[name] for name in ("device", "time", "verdict-before", "verdict-after", reasons)))
        for device, time, was, will_be, why in columns:
            if (was, will_be) == (before, after):
                row = rows.setdefault(device, {"device": device, "time": time, "attestations": 0, "reasons": why})
                row["attestations"] += 1
        kinds = {"device": "text", "time": "time", "attestations": "int", "reasons": "texts"}
        return Table(kinds, list(rows.values()))

    @property
    def newly_rejected(self) -> Table:
        """The devices that fail where they passed: time and reasons of the first such attestation, and how many there are.

        Devices that could not be evaluated may be among them.
        """
        return self._turned("pass", "fail", "rejections-after")

    @property
    def newly_accepted(self) -> Table:
        """The devices that pass where they failed, likewise, with the reasons for which they failed."""
        return self._turned("fail", "pass", "rejections-before")


class Search(Report, SearchMembers):
    """The result of `search`: the answers, the best one first. It is true if there is one."""

    _kind, _main = "search", "answers"

    def _answer(self) -> str:
        answers = self.json["answers"]
        return f"{_counted(len(answers), 'answer')}" if answers else "no answer"

    def __bool__(self) -> bool:
        return bool(self.json["answers"])


class Proof(Report, ProofsMembers):
    """The result of `prove`. It is true if no verdict turns on any device."""

    _kind, _main = "proofs", "answers"

    @staticmethod
    def _answers(report: Mapping[str, Any]) -> Table:
        questions = [name for name in ("newly-rejected", "newly-accepted") if name in report]
        return Table({"question": "text", "answer": "text", "reasons": "texts", "device": "text"}, [
            {"question": name, **report[name]} for name in questions])

    _made: ClassVar = {"answers": lambda report: Proof._answers(report)}

    def _answer(self) -> str:
        table = self["answers"]
        return ", ".join(f"{question} {answer}" for question, answer in zip(table["question"], table["answer"]))

    def __bool__(self) -> bool:
        return all(answer == "proved" for answer in self["answers"]["answer"])


class Explanation(Report, ExplanationsMembers):
    """The result of `explain`: every decision on a device, or every event of one in a scenario."""

    _main = "explanations"

    @property
    def _kind(self) -> str:  # type: ignore[override]
        return "explanations" if "explanations" in self.json else "scenario-explanation"

    def _answer(self) -> str:
        if "explanations" not in self.json:
            return _counted(len(self.json["events"]), "event")
        verdicts = [each["verdict"] for each in self.json["explanations"]]
        return f"{verdicts.count('fail'):,} of {_counted(len(verdicts), 'attestation')} failed"

    @property
    def table(self) -> Table:
        return self["explanations" if "explanations" in self.json else "events"]

    def _repr_html_(self) -> Optional[str]:
        import html

        return f"<pre>{html.escape(str(self))}</pre>"


class Lint(Report, LintMembers):
    """The result of `lint`: errors and warnings; of an account the parts of it that decide nothing, with the commands that remove
    them. It is true if there is neither an error nor a warning, or nothing to remove and no regex that matches more than it says.
    """

    @property
    def _kind(self) -> str:  # type: ignore[override]
        return "diagnostics" if "diagnostics" in self.json else "idle-parts"

    @property
    def _main(self) -> str:  # type: ignore[override]
        return "diagnostics" if "diagnostics" in self.json else "parts"

    def _answer(self) -> str:
        if "diagnostics" in self.json:
            return f"{_counted(self.json['errors'], 'error')}, {_counted(self.json['warnings'], 'warning')}"
        return f"{self.json['dead']:,} of {_counted(len(self.json['parts']), 'part')} decided nothing"

    def __bool__(self) -> bool:
        return not (self.json["diagnostics"] if "diagnostics" in self.json else self.json["dead"] or self.json["wide"])


class Comparison(Report, CapturesComparedMembers):
    """The result of `compare`: the values whose shares of devices differ, the largest difference first."""

    _kind, _main = "captures-compared", "values"

    def _answer(self) -> str:
        return f"{self.json['drifting']:,} of {_counted(self.json['tested'], 'value')} drift"


class Rollout(Report, RolloutMembers):
    """The result of `rollout`: a row for each step."""

    _kind, _main = "rollout", "steps"

    def _answer(self) -> str:
        rejected = self.json["steps"][-1]["newly-rejected-devices"]
        evaluated = self.json["devices"] - self.json["unjudged-devices"]
        return f"{_share(rejected, evaluated, 'device')} newly rejected by the end"


Kind = TypeVar("Kind", bound=Report)


def evaluated(kind: Type[Kind], invocation: Invocation, answers: Sequence[int] = (0,), text_too: bool = True) -> Kind:
    """Runs a command for its report.

    :param answers: the exit statuses that are results.
    :param text_too: false if there is a JSON report alone.
    :raises ScenarioError: the command did not succeed; the exception has the report, if there is one.
    """
    stamps = invocation.stamps()
    if invocation.writes_several and text_too:
        forms = invocation.command.forms[invocation.name]
        finished = invocation.run([ending for ending, form in _TOGETHER.items() if form in forms])
    else:
        finished = invocation.run(["json"], ["--format=json"])
    report = kind(invocation, finished, stamps) if finished.reports.get("json") else None
    if report is None or finished.status not in answers:
        raise failure(finished.status, finished.messages, report)
    warn(finished.messages)
    return report
