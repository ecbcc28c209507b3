"""Errors are exceptions, with what the command said as values."""

import copy
import os
import pickle
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path

from support import ACCOUNT, CAPTURE, COMMAND, PACKAGE, STRICT, Tests

import policy_scenario as ps
from policy_scenario import _binary
from policy_scenario._errors import diagnostics


class ErrorTests(Tests):
    def test_an_invalid_account(self):
        path = self.write("a.yaml", "polcy: x\nfilters:\n  - {name: a, key: ip, regx: 1}\n")
        with self.assertRaises(ps.InputError) as raised:
            ps.replay(CAPTURE, path)
        first, second, third = raised.exception.diagnostics
        self.assertEqual(first, ps.Diagnostic(
            "error", "unknown key `polcy` in the account", path, 1, 1, "polcy: x", "did you mean `policy`?"))
        self.assertEqual((second.line, second.column, second.hint), (3, 5, None))
        self.assertEqual(third.excerpt, "  - {name: a, key: ip, regx: 1}")
        self.assertEqual(raised.exception.status, 2)
        self.assertIn(f"{path}:1:1: error: unknown key `polcy` in the account\n  polcy: x\n", str(raised.exception))

    def test_an_account_that_is_a_dict_has_a_place_too(self):
        with self.assertRaises(ps.InputError) as raised:
            ps.replay(CAPTURE, {"account": "a", "filters": [{"name": "b", "key": "ip", "regx": 1}]})
        places = [(each.file, each.line, each.column) for each in raised.exception.diagnostics]
        self.assertIn(("account", 3, 32), places)

    def test_lint_gives_the_same_diagnostics(self):
        path = self.write("a.yaml", "polcy: x\n")
        found = ps.lint(path).diagnostics[0]
        with self.assertRaises(ps.InputError) as raised:
            ps.replay(CAPTURE, path)
        said = raised.exception.diagnostics[0]
        for name in ("severity", "file", "line", "column", "message", "excerpt", "hint"):
            self.assertEqual(getattr(said, name), found[name])

    def test_a_malformed_record(self):
        with self.assertRaises(ps.InputError) as raised:
            ps.replay(self.write("day.jsonl", '{"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw=="}\nx\n'))
        places = [(each.line, each.column) for each in raised.exception.diagnostics if each.severity == "error"]
        self.assertEqual(places, [(2, None)])

    def changing(self):
        """A report of each command on files that then change, so that a device more is newly rejected."""
        text = '{{"time":"2020-07-23T10:00:0{0}Z","device-id":"Device0000000000000{0}AA==","flags":"rooted"}}\n'.format
        day = self.write("day.jsonl", text(1))
        account = self.write("a.yaml", "policy: default,allow-root,default\n")
        reports = {
            "replay": ps.replay(day, account), "diff": ps.diff(day, account, policy=STRICT),
            "whatif": ps.whatif(day, account), "explain": ps.explain(day, account, device="Device00000000000001AA=="),
            "lint": ps.lint(self.folder), "compare": ps.compare(day, day, account)}
        self.write("day.jsonl", text(1) + text(2))
        return day, reports

    def test_a_report_is_bound_to_its_files(self):
        day, reports = self.changing()
        for name, report in reports.items():
            kept = str(report) if name in ("replay", "diff") else None
            for form in ("csv", "markdown", "sarif", "text", "html"):
                if form not in report._invocation.command.forms[name] or form in report._forms:
                    continue
                with self.subTest(f"{name} as {form}"), self.assertRaisesRegex(ps.InputError, f"{day} has changed since"):
                    report.rendered(form)
            self.assertEqual(kept, kept and str(report))
        for name in ("replay", "diff"):
            with self.subTest(name), self.assertRaisesRegex(ps.InputError, f"{day} has changed since"):
                reports[name].decisions()
        with self.assertRaisesRegex(ps.InputError, "has changed since"):
            reports["diff"].newly_rejected
        self.assertEqual(reports["diff"].changes.newly_rejected.devices, 1)

    def test_a_report_is_bound_to_what_no_argument_names(self):
        account = {"policy": "default,allow-root,default"}
        report = ps.diff(CAPTURE, account, policy=STRICT)
        account["policy"] = "default,blacklist,default"
        self.assertIn("newly", report.rendered("markdown").lower())
        scenario = self.write(
            "s.yaml", "scenario: s\naccount: a.yaml\ndevices: {bob: {os: ios, flags: [rooted]}}\nsteps: [{at: 0s, fetch: bob}]\n")
        self.write("a.yaml", "policy: default,allow-root,default\n")
        report = ps.diff(scenario, policy=STRICT)
        self.write("a.yaml", "policy: default,strict,default\n")
        with self.assertRaisesRegex(ps.InputError, "what the report was made from has changed since"):
            report.rendered("markdown")

    def test_a_file_that_is_written_again_as_it_was_is_no_other(self):
        text = Path(CAPTURE).read_text(encoding="utf-8")
        day = self.write("day.txt", text)
        report = ps.diff(day, ACCOUNT, policy=STRICT)
        self.write("day.txt", text)
        self.assertIn("104 of 2,000 devices", report.rendered("markdown"))

    def test_usage(self):
        with self.assertRaises(ps.UsageError) as raised:
            ps.replay(CAPTURE, ACCOUNT, shard="9")
        self.assertEqual(raised.exception.status, 3)
        self.assertIsNone(raised.exception.diagnostics[0].file)
        with self.assertRaises(ps.UsageError):
            ps.diff(CAPTURE, ACCOUNT)
        if find_spec("pyarrow") is not None:
            import pyarrow

            with self.assertRaisesRegex(TypeError, "assume takes no Table; tables are captures or labels"):
                ps.replay(CAPTURE, ACCOUNT, assume=pyarrow.table({"device-id": ["A"]}))
        with self.assertRaisesRegex(TypeError, "takes no object"):
            ps.replay(CAPTURE, ACCOUNT, top=object())
        for empty in ({"max_newly_rejected": []}, {"labels": []}, {"max_newly_accepted": ()}):
            with self.assertRaisesRegex(TypeError, "is an empty .*; None leaves it out"):
                ps.diff(CAPTURE, ACCOUNT, policy=STRICT, **empty)
        with self.assertRaisesRegex(TypeError, "False is no value of an option"):
            ps.diff(CAPTURE, ACCOUNT, policy=STRICT, max_newly_rejected=False)
        with self.assertRaisesRegex(TypeError, "a capture is a path or a table .*, and no int"):
            ps.replay(3)

    def test_warnings_are_warnings_of_python(self):
        misspelt = {"filters": [{"name": "old", "key": "app_version", "match": "1", "reject": True}]}
        for ask in (ps.replay, ps.whatif, lambda *files: ps.diff(*files, policy=STRICT)):
            with self.assertWarns(ps.ScenarioWarning) as warned:
                report = ask(CAPTURE, misspelt)
            self.assertEqual(warned.filename, __file__)
            said = warned.warning.diagnostic
            self.assertEqual((said.severity, said.file, said.line, said.hint), (
                "warning", "account", 2, "did you mean `app-version`?"))
            self.assertEqual(report.messages, (said,))
            self.assertEqual(str(warned.warning), str(said))
            self.assertEqual(pickle.loads(pickle.dumps(warned.warning)).diagnostic, said)
        with warnings.catch_warnings():
            warnings.simplefilter("error", ps.ScenarioWarning)
            ps.replay(CAPTURE, ACCOUNT)
            with self.assertRaisesRegex(ps.ScenarioWarning, "`app_version`, which no device is known to have"):
                ps.replay(CAPTURE, misspelt)

    def test_a_limit_has_the_report(self):
        with self.assertRaises(ps.LimitExceeded) as raised:
            ps.diff(CAPTURE, ACCOUNT, policy=STRICT, max_newly_rejected=0.001)
        self.assertEqual(raised.exception.report.changes.newly_rejected.devices, 104)
        self.assertEqual(raised.exception.diagnostics[-1].severity, "limit exceeded")
        self.assertTrue(str(raised.exception).startswith("limit exceeded: 104 of 2,000 devices"))
        self.assertTrue(str(raised.exception).endswith("hint: `report` of this exception has all figures"))

    def test_nothing_was_evaluated(self):
        with self.assertRaises(ps.NothingEvaluated):
            ps.run(CAPTURE.rpartition("/")[0])
        empty = self.write("s.yaml", "scenario: s\ndevices: {a: {os: android}}\nsteps:\n  - {at: 0s, fetch: a}\n")
        with self.assertRaises(ps.NothingEvaluated) as raised:
            ps.run(empty)
        self.assertEqual(raised.exception.report.summary.attestations, 1)

    def test_an_undecided_question(self):
        account = {"filters": [{"name": "a", "key": "ip", "regex": "(a)\\1", "reject": True}]}
        with self.assertRaises(ps.Undecided) as raised:
            ps.prove(account, change="filter -remove a", timeout=1)
        self.assertIn(raised.exception.report.newly_accepted.answer, ("not-excluded", "not-decided"))

    def test_warnings_are_messages_of_the_result(self):
        path = self.write("a.yaml", "filters:\n  - {name: a, key: app_version, match: x, reject: true}\n")
        messages = ps.replay(CAPTURE, path).messages
        self.assertEqual([each.severity for each in messages], ["warning"])

    def test_what_the_command_prints_is_read(self):
        text = ("a:b.yaml:3:7: error: no: error: here\n  x: y\n     ^\n  hint: z\nscenario: warning: careful\n"
                "c.jsonl:9: error: torn\nplain words\n")
        self.assertEqual(diagnostics(text), (
            ps.Diagnostic("error", "no: error: here", "a:b.yaml", 3, 7, "x: y", "z"), ps.Diagnostic("warning", "careful"),
            ps.Diagnostic("error", "torn", "c.jsonl", 9), ps.Diagnostic("note", "plain words")))

    def test_rows_of_batches_are_rows_of_the_table(self):
        text = "-: error: batch 2, row 3: torn\nb.arrow: error: batch 2, row 3: torn\n"
        first, second = diagnostics(text, {"-": "table"}, {"-": [0, 65536]})
        self.assertEqual((first.file, first.line, first.message), ("table", 65539, "torn"))
        self.assertEqual((second.file, second.line, second.message), ("b.arrow", None, "batch 2, row 3: torn"))

    def test_errors_can_be_sent_to_other_processes(self):
        error = ps.LimitExceeded("m", 4, [ps.Diagnostic("error", "m")])
        for copied in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            self.assertEqual((type(copied), str(copied), copied.status, copied.diagnostics), (
                ps.LimitExceeded, "m", 4, error.diagnostics))


class CommandTests(Tests):
    def named(self, path):
        before = os.environ["POLICY_SCENARIO_COMMAND"]
        os.environ["POLICY_SCENARIO_COMMAND"] = path
        self.addCleanup(os.environ.__setitem__, "POLICY_SCENARIO_COMMAND", before)

    def test_the_command_is_missing(self):
        self.named("/nowhere/scenario")
        with self.assertRaisesRegex(ps.CommandError, "POLICY_SCENARIO_COMMAND names, is no executable file"):
            ps.replay(CAPTURE)
        del os.environ["POLICY_SCENARIO_COMMAND"]
        with self.assertRaisesRegex(ps.CommandError, "install the wheel of policy-scenario for this machine"):
            ps.replay(CAPTURE)
        os.environ["POLICY_SCENARIO_COMMAND"] = COMMAND

    def test_a_file_that_is_no_program_of_this_machine(self):
        path = self.script("")
        with open(path, "wb") as file:
            file.write(b"\x7fELF of another machine")
        self.named(path)
        with self.assertRaisesRegex(ps.CommandError, "cannot be run: .*; is it made for this machine"):
            ps.replay(CAPTURE)

    def test_a_command_of_another_version(self):
        self.named(self.script('echo "scenario 0.9.1"'))
        version = _binary.package_version
        self.addCleanup(setattr, _binary, "package_version", version)
        _binary.package_version = lambda: "1.0.0"
        with self.assertRaisesRegex(ps.CommandError, "is scenario 0.9.1, but this package is of version 1.0.0: install"):
            ps.replay(CAPTURE)

    def test_a_command_that_does_not_describe_itself(self):
        self.named(self.script("echo nothing"))
        with self.assertRaisesRegex(ps.CommandError, "does not describe its options"):
            ps.replay(CAPTURE)
        self.named(self.script("echo wrong >&2; exit 3"))
        with self.assertRaisesRegex(ps.CommandError, "--version ended with 3: wrong"):
            ps.replay(CAPTURE)

    def test_a_command_without_what_is_asked_for(self):
        self.named(self.script(
            f'if [[ $1 == --dump-help ]]; then {COMMAND} $1 | sed s/confidence/confidenze/; else exec {COMMAND} "$@"; fi'))
        with self.assertRaisesRegex(ps.CommandError, "has no `replay --confidence`; a newer one may have it"):
            ps.replay(CAPTURE, confidence=0.95)

    def test_a_fault_of_the_command(self):
        run = f'case $1 in -*) exec {COMMAND} "$@";; esac; '
        self.named(self.script(run + "echo 'scenario: error: fault' >&2; exit 70"))
        with self.assertRaisesRegex(ps.CommandError, "ended with 70; run it again\nerror: fault"):
            ps.replay(CAPTURE)
        self.named(self.script(run + "kill -9 $$"))
        with self.assertRaisesRegex(ps.CommandError, "ended by signal 9"):
            ps.replay(CAPTURE)

    def test_the_program_of_the_package(self):
        done = subprocess.run(
            [sys.executable, "-c", "from policy_scenario._binary import main; main()", "--version"], cwd=PACKAGE,
            capture_output=True, check=True)
        self.assertEqual(done.stdout, subprocess.run([COMMAND, "--version"], capture_output=True, check=True).stdout)
