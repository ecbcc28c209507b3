"""Every figure of the JSON report of every command is the value in Python."""

import json
import subprocess

from support import ACCOUNT, AFTERNOON, CAPTURE, COMMAND, STRICT, Tests, function_of, leaves, reporting, result_of

import policy_scenario as ps
from policy_scenario import _questions
from policy_scenario._columns import TABLES
from policy_scenario._process import Finished, Invocation
from policy_scenario._record import attribute

LABELS = [
    {"device-id": "hMEywo8hWadZjlpRQVMXIA==", "label": "bad"}, {"device-id": "fNHwIOQ3mZ/LK3ANBTnqKw==", "label": "good"},
    {"device-id": "AAAAAAAAAAAAAAAAAAAAAA==", "label": "bad", "from": "2020-07-23T00:00:00Z"}]
COST = {"missed": 40, "blocked": 6}
FETCHES = "Scenarios/captures/fetches-2020-07-23.txt"
REQUESTS = "Scenarios/requests/one-customer-is-blocked.yaml"
WEEK = "Scenarios/populations/an-ordinary-week.yaml"
SAMPLED = {"rules": ["sampled"]}
DEVICE = "hMEywo8hWadZjlpRQVMXIA=="


class Example:
    """Reports with every member of the schema, whose values are all different where they can be."""

    def __init__(self, definitions):
        self.definitions = definitions

    def of(self, kind, has_nulls):
        """A report; with null in place of every value that may be null, if wanted."""
        self.has_nulls, self.number = has_nulls, 0
        return self.value(self.definitions[kind])

    def value(self, schema):
        self.number += 1
        if "$ref" in schema:
            return self.value(self.definitions[schema["$ref"].rpartition("/")[2]])
        if "anyOf" in schema:
            forms = sorted(schema["anyOf"], key=lambda form: form == {"type": "null"}, reverse=self.has_nulls)
            return self.value(forms[0])
        if "const" in schema or "enum" in schema:
            return schema["const"] if "const" in schema else schema["enum"][self.number % len(schema["enum"])]
        if schema["type"] == "array":
            return [self.value(schema["items"]) for _ in range(2)]
        if schema["type"] == "object":
            content = {name: self.value(member) for name, member in schema.get("properties", {}).items()}
            others = schema.get("additionalProperties")
            return {**content, **({f"any-{n}": self.value(others) for n in range(2)} if others else {})}
        return {
            "string": "2020-07-23T10:00:00Z" if "pattern" in schema else f"text {self.number}", "integer": self.number,
            "number": self.number + 0.5, "boolean": self.number % 2 == 0, "null": None}[schema["type"]]


class ValueTests(Tests):
    def labels_file(self):
        return self.write("labels.jsonl", "".join(json.dumps(label) + "\n" for label in LABELS))

    def cases(self):
        """Each command with each option that adds members: the result in Python, and the command line.

        All commands of the package but `pack`, which writes a file of columns and has no report: it gives the path of the file.
        `test_a_packed_capture` compares the figures of that file with those of the capture.
        """
        labels = self.labels_file()
        sampled = self.write("sampled.yaml", "rules: [sampled]\n")
        loose = self.write("loose.yaml", "polcy: x\nfilters:\n  - {name: a, key: ip, match: 10.0.0.0/8}\n")
        account, policy = f"--account={ACCOUNT}", f"--policy={STRICT}"
        yield ps.replay(CAPTURE, ACCOUNT), ["replay", CAPTURE, account]
        yield ps.replay([CAPTURE], ps.Account(ACCOUNT), count=["ip/16", "os-version"], top=3, confidence=0.95), [
            "replay", CAPTURE, account, "--count=ip/16,os-version", "--top=3", "--confidence=95%"]
        yield ps.replay(CAPTURE, ACCOUNT, fetches=FETCHES, series=True), [
            "replay", CAPTURE, account, f"--fetches={FETCHES}", "--series"]
        yield ps.replay(CAPTURE, ACCOUNT, labels=labels, cost=COST, change=["filter -remove myip", "policy -setARC off"]), [
            "replay", CAPTURE, account, f"--labels={labels}", "--cost=missed=40,blocked=6", "--change=filter -remove myip",
            "--change=policy -setARC off"]
        yield ps.diff(CAPTURE, ACCOUNT, policy=STRICT), ["diff", CAPTURE, account, policy]
        yield ps.diff(
            CAPTURE, ACCOUNT, policy=STRICT, who=["os-version", "ip/16"], order=1, since=AFTERNOON, confidence=0.99,
            labels=labels, cost=COST), [
            "diff", CAPTURE, account, policy, "--who=os-version,ip/16", "--order=1", f"--since={AFTERNOON}", "--confidence=99%",
            f"--labels={labels}", "--cost=missed=40,blocked=6"]
        yield ps.diff(WEEK, policy=STRICT, at=60), ["diff", WEEK, policy, "--at=60s"]
        yield ps.whatif(CAPTURE, ACCOUNT, labels=labels, cost=COST, confidence=0.95, order="cost"), [
            "whatif", CAPTURE, account, f"--labels={labels}", "--cost=missed=40,blocked=6", "--confidence=95%", "--order=cost"]
        yield ps.search(CAPTURE, ACCOUNT, reject="flag:overlay-attack", confidence=0.95), [
            "search", CAPTURE, account, "--reject=flag:overlay-attack", "--confidence=95%"]
        yield ps.search(CAPTURE, ACCOUNT, reject="flag:overlay-attack", holdout="2020-07-23T10:00:00Z", timeout=60), [
            "search", CAPTURE, account, "--reject=flag:overlay-attack", "--holdout=2020-07-23T10:00:00Z"]
        yield ps.prove(ACCOUNT, policy=STRICT), ["prove", account, policy]
        yield ps.prove(ACCOUNT, policy=STRICT, newly="accepted"), ["prove", account, policy, "--newly=accepted"]
        yield ps.explain(CAPTURE, ACCOUNT, device=DEVICE), ["explain", CAPTURE, account, f"--device={DEVICE}"]
        yield ps.explain(REQUESTS), ["explain", REQUESTS]
        yield ps.run(["Scenarios/filters", REQUESTS], coverage=True, mutants=True, seed=7), [
            "run", "Scenarios/filters", REQUESTS, "--coverage", "--mutants", "--seed=7"]
        yield ps.lint(["Scenarios/filters", loose]), ["lint", "Scenarios/filters", loose]
        yield ps.lint(CAPTURE, ACCOUNT), ["lint", CAPTURE, account]
        yield ps.compare(CAPTURE, AFTERNOON, ACCOUNT), ["compare", CAPTURE, AFTERNOON, account]
        yield ps.rollout(CAPTURE, SAMPLED, policy="strict", steps="10%:2h,100%", runs=20), [
            "rollout", CAPTURE, f"--account={sampled}", "--policy=strict", "--steps=10%:2h,100%", "--runs=20"]
        yield ps.diff(CAPTURE, ACCOUNT, policy=STRICT, count=["country"], top=3), [
            "diff", CAPTURE, account, policy, "--count=country", "--top=3"]
        yield ps.rollout(CAPTURE, SAMPLED, policy="strict", steps="10%:2h,100%", runs=5, labels=labels, cost=COST), [
            "rollout", CAPTURE, f"--account={sampled}", "--policy=strict", "--steps=10%:2h,100%", "--runs=5",
            f"--labels={labels}", "--cost=missed=40,blocked=6"]
        log, shop = "Scenarios/requests/backend-log.jsonl", {"account": "shop", "apis": [{"domain": "api.example.com"}]}
        yield ps.requests(log, shop), ["requests", log, f"--account={self.write('log.yaml', json.dumps(shop))}"]
        rotation = "Scenarios/requests/a-rotation-with-a-backup-pin.yaml"
        yield ps.pins(rotation), ["pins", rotation]
        for name in reporting():
            if hasattr(_questions, function_of(name).__name__) and name not in ("requests", "pins"):
                yield function_of(name)(CAPTURE, ACCOUNT), [name, CAPTURE, account]

    def test_each_figure_of_each_report(self):
        seen = set()
        for result, line in self.cases():
            with self.subTest(line=" ".join(line)):
                self.check(result, self.json_of(*line))
                seen.add(type(result).__name__)
        self.assertEqual(seen, {result_of(name).__name__ for name in reporting()})

    def test_each_member_that_a_report_may_have(self):
        """Also those that no report above has: reports are made of the schema, with every member."""
        example = Example(json.loads(subprocess.run(
            [COMMAND, "schema", "report"], capture_output=True, check=True).stdout)["$defs"])
        for kind, result, command in [
            (kind["name"], result_of(name), name) for name, each in reporting().items() for kind in each["reports"]
        ]:
            for has_nulls in (False, True):
                with self.subTest(kind=kind, result=result, has_nulls=has_nulls):
                    expected = example.of(kind, has_nulls)
                    report = json.dumps(expected).encode()
                    self.check(result(Invocation(command), Finished(0, {"json": report}, ())), expected)

    def check(self, result, expected):
        """Every value of a report is an attribute, an item, and a cell of its table."""
        self.assertEqual(list(leaves(result.json)), list(leaves(expected)))
        count = 0
        for way, leaf in leaves(expected):
            value = result
            for key in way:
                by_name = isinstance(key, str) and not isinstance(value, ps.Record)
                value = getattr(value, attribute(key)) if by_name else value[key]
            self.assertEqual(value, leaf, way)
            self.assertIs(type(value), type(leaf) if leaf != {} else ps.Record, way)
            count += 1
        self.assertGreater(count, 2)
        self.check_attributes(result, expected)
        self.check_tables(result, expected)

    def check_attributes(self, value, expected):
        """Every member of every object is an attribute, and the same as its item."""
        if isinstance(expected, list):
            for item, each in zip(value, expected):
                self.check_attributes(item, each)
        elif isinstance(expected, dict):
            for key, each in expected.items():
                found = getattr(value, attribute(key))
                self.assertEqual(found, each)
                self.check_attributes(found, each)

    def check_tables(self, result, expected):
        """Every list of objects is a table with all their figures."""
        for path in result._places():
            content = expected
            for name in path.split("/"):
                content = content[name]
            table = result[path]
            self.assertEqual(len(table), len(content), path)
            columns = TABLES[result._kind][path]
            rows = content if isinstance(content, list) else [
                {"name": name, **(item if isinstance(item, dict) else {"value": item})} for name, item in content.items()]
            for row, source in zip(table, rows):
                for way, leaf in leaves(source):
                    names = [part for part in way if isinstance(part, str)]
                    column = next((".".join(names[:length]) for length in range(len(names), 0, -1)
                                   if ".".join(names[:length]) in row), None)
                    if column is None and leaf is None:
                        # An object that is null: its columns are absent.
                        inner = [name for name in row if name.startswith(".".join(names) + ".")]
                        self.assertTrue(inner, (path, way))
                        self.assertEqual({row[name] for name in inner}, {None})
                        continue
                    self.assertIsNotNone(column, (path, way))
                    found = row[column]
                    kind = columns.get(column, columns.get("*"))
                    if kind == "time" and leaf is not None:
                        found = found.strftime("%Y-%m-%dT%H:%M:%SZ")
                    elif kind in ("json", "texts") and leaf != found:
                        found = json.loads(found) if kind == "json" else found
                        for key in way[len(column.split(".")):]:
                            found = found[key]
                    self.assertEqual(found, leaf, (path, way))

    def test_all_lists_of_the_schema_are_tables(self):
        schema = json.loads(subprocess.run([COMMAND, "schema", "report"], capture_output=True, check=True).stdout)
        self.assertEqual(set(TABLES), set(schema["$defs"]))
        self.assertIn("changes/newly-rejected/flags", TABLES["comparison"])
        self.assertIn("after/windows/hourly", TABLES["comparison"])

    def test_worked_out_figures(self):
        # Counted in the capture: 2,000 records, all of different devices, 155 of which fail.
        day = ps.replay(CAPTURE, ACCOUNT)
        self.assertEqual((day.summary.attestations, day.devices.unique, day.metrics["fail"]), (2000, 2000, 155))
        reasons = day["rejections"]
        self.assertEqual(dict(zip(reasons["reason"], reasons["attestations"]))["frida"], 10)
        apps = day["Apps"]
        self.assertEqual(sum(apps["pass"]) + sum(apps["fail"]), 2000)
        self.assertEqual(sum(day["token-lifetimes"]["attestations"]), 2000)
        self.assertEqual(sum(day["windows/hourly"]["fail"]), 155)
        self.assertEqual(day["hourly"], day["windows/hourly"])
        self.assertEqual(day["hourly"]["start"][0].isoformat(), "2020-07-23T07:00:00+00:00")

    def test_names_of_tables(self):
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT)
        self.assertEqual(change["Newly rejected/flags"]["devices"], [49, 31, 24])
        with self.assertRaisesRegex(KeyError, "one of before/filters, after/filters, changes/newly-rejected/filters"):
            change["filters"]
        with self.assertRaisesRegex(KeyError, "no table of this report; it has"):
            change["nothing"]
        with self.assertRaisesRegex(KeyError, "no table of this report; .*; did you mean 'changes/newly-rejected/flags'"):
            change["changes/newly-rejected/flag"]
        with self.assertRaisesRegex(KeyError, "no member 'newly-rejectd'; did you mean 'newly-rejected'"):
            change.changes["newly-rejectd"]
        with self.assertRaisesRegex(AttributeError, "no member 'newly_rejectd'; .*; did you mean 'newly_rejected'"):
            _ = change.changes.newly_rejectd
        self.assertIsNone(change.changes.get("newly-rejectd"))
        self.assertEqual(change["newly-accepted/flags"].columns, ["name", "attestations", "devices", "example", "fetches"])
        self.assertEqual(len(change["newly-accepted/flags"]), 0)

    def test_names_of_tables_have_one_scheme(self):
        labels = [{"device-id": DEVICE, "label": "good"}]
        reports = [
            ps.replay(CAPTURE, ACCOUNT), ps.diff(CAPTURE, ACCOUNT, policy=STRICT), ps.whatif(CAPTURE, ACCOUNT, labels=labels),
            ps.prove(ACCOUNT, policy=STRICT), ps.run("Scenarios/filters"), ps.explain(CAPTURE, ACCOUNT, device=DEVICE)]
        for report in reports:
            self.assertTrue(report.tables)
            for name in report.tables:
                self.assertRegex(name, "^[a-z0-9-]+(/[a-z0-9-]+)*$")
                self.assertEqual(report[name].columns, report[name.upper()].columns)

    def test_a_report_is_shown_as_its_answer(self):
        labels = [{"device-id": DEVICE, "label": "good"}]
        for report, shown in (
            (ps.replay(CAPTURE, ACCOUNT), "<Replay: 155 of 2,000 attestations (7.8 %) failed>"),
            (ps.diff(CAPTURE, ACCOUNT, policy=STRICT), "<Diff: 104 of 2,000 devices (5.2 %) newly rejected>"),
            (ps.diff(CAPTURE, ACCOUNT, policy="allow-root"),
             "<Diff: 0 of 2,000 devices (0.0 %) newly rejected, 31 newly accepted>"),
            (ps.whatif(CAPTURE, ACCOUNT), "<WhatIf: 35 of 72 edits would turn verdicts>"),
            (ps.prove(ACCOUNT, policy=STRICT), "<Proof: newly-rejected found, newly-accepted proved>"),
            (ps.search(CAPTURE, ACCOUNT, reject=f"did:{DEVICE}", keep=f"not did:{DEVICE}", max_edits=1), "<Search: no answer>"),
            (ps.explain(CAPTURE, ACCOUNT, device=DEVICE), "<Explanation: 0 of 1 attestation failed>"),
            (ps.lint(ACCOUNT), "<Lint: 0 errors, 0 warnings>"),
            (ps.run("Scenarios/filters"), "<Run: 10 scenarios passed>"),
            (ps.rollout(CAPTURE, {"rules": ["sampled"]}, policy="strict", steps="100%", labels=labels),
             # One attests before the change is in force.
             "<Rollout: 103 of 2,000 devices (5.2 %) newly rejected by the end>"),
        ):
            self.assertEqual(repr(report), shown)

    def test_labels_of_a_change(self):
        labels = [{"device-id": DEVICE, "label": "good"}]
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT, labels=labels)
        self.assertEqual(change.labels, change.changes.labels)
        self.assertEqual(change.labels.after.good.devices, 1)
        with self.assertRaisesRegex(ps.UsageError, "without labels"):
            ps.diff(CAPTURE, ACCOUNT, policy=STRICT).labels

    def test_parts_of_a_case(self):
        labels = [{"device-id": DEVICE, "label": "good"}]
        change = ps.diff(
            CAPTURE, {"rules": ["sampled"]}, policy=STRICT.replace("risk", "default"), labels=labels, alternatives=2,
            rollout=["10%:2h", "100%"])
        # One device with a label tells one edit from the account as it is.
        self.assertEqual(len(change.alternatives.edits), 1)
        self.assertEqual([step.percent for step in change.rollout.steps], ["10", "100"])
        self.assertEqual(change["rollout/steps"]["percent"], ["10", "100"])

    def test_members_that_no_attribute_has(self):
        with self.assertRaisesRegex(AttributeError, "no member 'sumary'; it has version, summary"):
            ps.replay(CAPTURE, ACCOUNT).sumary
        day = ps.replay(CAPTURE, ACCOUNT)
        self.assertIn("unknown_flags", dir(day))
        self.assertIn("attestations_failed", dir(day.summary))
        with self.assertRaises(AttributeError):
            day.summary.attestations = 3

    def test_answers(self):
        self.assertFalse(ps.prove(ACCOUNT, policy=STRICT))
        self.assertTrue(ps.prove(ACCOUNT, policy=STRICT, newly="accepted"))
        self.assertTrue(ps.search(CAPTURE, ACCOUNT, reject="flag:overlay-attack"))
        self.assertFalse(ps.search(CAPTURE, ACCOUNT, reject=f"did:{DEVICE}", keep=f"not did:{DEVICE}", max_edits=1))
        failing = self.write("failing.yaml", "scenario: s\ndevices: {a: {os: android}}\nsteps:\n"
                             "  - {at: 0s, fetch: a, expect: {verdict: fail}}\n")
        result = ps.run(failing)
        self.assertFalse(result)
        self.assertRegex(result["expectations"]["actual"][0], "^pass .device ")
        self.assertFalse(ps.lint(self.write("a.yaml", "polcy: x\n")))

    def test_other_forms(self):
        day = ps.replay(CAPTURE, ACCOUNT)
        self.assertTrue(str(day).startswith("26 of 2,000 devices (1.3 %) get the same verdict, new or not"))
        self.assertIn("<svg", day.to_html())
        self.assertIn("window,start,counts", day.rendered("csv"))
        self.assertIn("scenario_attestations_total", day.rendered("openmetrics"))
        self.assertIn("newly", ps.diff(CAPTURE, ACCOUNT, policy=STRICT).rendered("markdown").lower())
        with self.assertRaisesRegex(ps.UsageError, "--format"):
            day.rendered("sarif")
        with self.assertRaisesRegex(ps.UsageError, "markdown"):
            ps.prove(ACCOUNT, policy=STRICT).rendered("markdown")

    def test_fragment(self):
        page = ps.replay(CAPTURE, ACCOUNT)._repr_html_()
        self.assertNotIn("<script", page)
        self.assertNotIn("<html", page)
        self.assertNotIn(":root", page)
        self.assertIn("<style>.policy-scenario{&{", page)
        self.assertNotIn("Repeat it", page)
        # Names are aligned to the left, whatever the notebook says of all cells.
        self.assertIn("th,td{text-align:left", page)
        self.assertIn('<th scope="row">', page)
        self.assertIn("Why attestations fail", page)
        self.assertIn("<table", ps.search(CAPTURE, ACCOUNT, reject="flag:overlay-attack")._repr_html_())

    def test_decisions(self):
        day = ps.replay(CAPTURE, ACCOUNT)
        lines = subprocess.run(
            [COMMAND, "replay", CAPTURE, f"--account={ACCOUNT}", "--decisions=-", "--output=/dev/null"],
            capture_output=True, check=True).stdout.splitlines()
        table = day.decisions()
        self.assertEqual(len(table), 2000)
        for row, line in zip(table, lines):
            expected = json.loads(line)
            for name in ("time", "expires"):
                row[name] = row[name].strftime("%Y-%m-%dT%H:%M:%SZ")
            self.assertEqual(row, expected)
        self.assertEqual(table["verdict"].count("fail"), 155)
