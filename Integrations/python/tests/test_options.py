"""Every option of the command has a parameter, and each parameter its description."""

import inspect
from pathlib import Path

from support import ACCOUNT, CAPTURE, STRICT, Tests, function_of, reporting

import policy_scenario as ps
from policy_scenario._documentation import PARAMETERS

# Options for terminals, and those that functions give in another way.
ELSEWHERE = {"format", "output", "help", "quiet", "no-progress"}
WITHOUT = {
    "replay": {"decisions", "tokens", "domain", "step", "partial", "with"}, "diff": {"partial", "decisions", "with"},
    "run": {"watch", "timings", "decisions", "update", "step", "verbose"}, "lint": {"explain", "strict"}}
OWN = {"captures", "logs", "scenarios", "paths", "old", "new", "progress"}


class OptionTests(Tests):
    def test_every_option_is_a_parameter(self):
        for name, command in reporting().items():
            with self.subTest(name=name):
                options = {
                    each["preferredName"]["name"] for each in command["arguments"] if "preferredName" in each}
                parameters = {
                    parameter.rstrip("_").replace("_", "-") for parameter in inspect.signature(function_of(name)).parameters}
                self.assertEqual(options - parameters - ELSEWHERE - WITHOUT.get(name, set()), set())
                self.assertEqual(parameters - options - OWN, set())

    def test_help_describes_each_parameter(self):
        used = set()
        for function in (*map(function_of, reporting()), ps.pack):
            for parameter in inspect.signature(function).parameters:
                self.assertIn(f"        {parameter}: ", function.__doc__)
                used.add(parameter)
            self.assertTrue(all(len(line) <= 132 for line in function.__doc__.splitlines()))
        self.assertEqual(set(PARAMETERS) - used, set())
        self.assertIn("LimitExceeded", ps.diff.__doc__)

    def test_values_as_options(self):
        # Four of the 2,000 records have this address.
        self.assertEqual(Path(CAPTURE).read_text().count("\nip: 192.0.2.82\n"), 4)
        account = {"account": "shop", "policy": "default,default,default", "filters": [
            {"name": "lab", "key": "ip", "match": "192.0.2.82", "reject": True}]}
        self.assertEqual(ps.replay(CAPTURE, account).filters[0].matched, 4)
        self.assertEqual(ps.replay(CAPTURE, ps.Account(account)).summary, ps.replay(CAPTURE, account).summary)
        self.assertEqual(ps.diff(CAPTURE, ACCOUNT, candidate=account).after.policies, {"default,default,default": 2000})
        change = ps.diff(CAPTURE, ACCOUNT, policy=STRICT, max_newly_rejected=0.06, max_newly_accepted=0)
        self.assertEqual(change.changes.newly_rejected.devices, 104)

    def test_an_account_of_a_dict_has_the_same_reports_each_time(self):
        first, second = (ps.diff(CAPTURE, {"policy": "default,default,default"}, policy=STRICT) for _ in range(2))
        self.assertEqual((first.json, str(first), first.to_html()), (second.json, str(second), second.to_html()))
