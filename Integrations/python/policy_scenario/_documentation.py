"""Descriptions of parameters, which are given once and added to the help of each function."""

from __future__ import annotations

import textwrap
from typing import Any, Callable, Dict, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

PARAMETERS: Dict[str, str] = {
    "captures": "The captures, in the order of time: a path (plain, .gz or .zst), a table of polars, pandas, pyarrow or DuckDB, or "
                "a list of these. A table has a row for each record, and the columns `time` (times, or text as in RFC 3339), "
                "`device-id`, `flags` and attributes such as `ip`. A null is an absent attribute.",
    "account": "The account: a path, an `Account`, or a dict of its keys; `new` is a new one.",
    "policy": "The account's security policy is replaced by this one, such as `default,strict,risk`.",
    "change": "A management command that changes the account first, such as `filter -remove tester`, or a list of them.",
    "assume": "Other signals of the devices, as `--assume` has them, such as `add rooted to 5%`, or a list of them.",
    "assumptions": "A YAML file with further assumptions, in the list `assumptions`.",
    "changes": "A file of management commands, one a line.",
    "candidate": "The account after the change: a path, an `Account`, or a dict.",
    "base": "The account is compared as this commit of git has it.",
    "head": "The commit of the account after the change; by default the file as it is now. Needs `base`.",
    "at": "Make the change this time after the start: seconds, a timedelta, or a text such as `1h30m`. In `lint`, the "
          "instant at which exemptions may have expired.",
    "fetches": "A file that weighs devices by how often they fetch tokens.",
    "labels": "Labels of devices: a path of CSV or JSON Lines, a table, or a list of dicts, with an attribute such as "
              "`device-id`, with `label` (bad, good or empty), and perhaps `from` and `until`.",
    "cost": "The cost by device and day of wrong verdicts: `{\"missed\": 40, \"blocked\": 6}`; needs `labels`.",
    "confidence": "The level of intervals for all devices, such as 0.95, if the devices of the captures are a random sample.",
    "max_newly_rejected": "Raise `LimitExceeded` if more devices would newly be rejected: a number, or a share such as 0.001; "
                          "`whatif` and `search` leave out edits instead.",
    "max_newly_accepted": "Raise `LimitExceeded` if more devices, or a larger share, would newly be accepted.",
    "max_newly_blocked": "Raise `LimitExceeded` if more devices, or a larger share, would have requests no longer accepted.",
    "max_annotations_changed": "Raise `LimitExceeded` if the annotations of more tokens, or of a larger share, would change.",
    "max_unevaluated": "Raise `LimitExceeded` if more devices, or a larger share, could not be evaluated.",
    "max_dead": "Raise `LimitExceeded` if more parts of the account, or a larger share of them, decide nothing.",
    "max_drift": "Raise `LimitExceeded` if a share differs by more, such as 0.01 for one percentage point.",
    "max_edits": "Make at most this number of edits; by default 2.",
    "max_good_blocked": "Reject at most this number of the good devices, or this share of them; needs `labels`.",
    "min_coverage": "Raise `LimitExceeded` if a smaller share of presets, flags, filters and entries was exercised.",
    "min_mutants": "Raise `LimitExceeded` if a smaller share of changes of the accounts is noticed.",
    "who": "Report groups of devices that are newly rejected far more often, by these keys, such as `[\"ip/16\", \"flags\"]`.",
    "order": "Of `diff`, combine up to this number of values of `who`. Of `whatif`, the order of edits: edit, newly-rejected, "
             "newly-accepted, token-fetches or cost.",
    "alternatives": "Add this number of the best single edits in place of the change; needs `labels`.",
    "rollout": "Add what a rollout of the change in these steps would show: `1%:6h,10%:1d,100%`.",
    "totals": "Show the figures of all scenarios, added up, in the text and on the page.",
    "since": "An older capture: report whether the devices are still like those of it.",
    "allow": "The reason why limits that are exceeded are allowed.",
    "baseline": "An earlier comparison as JSON, whose devices do not count under limits.",
    "count": "Count the values of these attributes or derived keys, such as `[\"ip/16\", \"os-version\"]`.",
    "top": "The number of the commonest values of each attribute; needs `count`.",
    "series": "Add the live metrics of every minute.",
    "digests": "Name inputs by their SHA-256, whatever their size.",
    "only": "Take only devices with at least one attestation that this expression selects, such as `flag:frida`, or that each of a "
            "list selects.",
    "between": "Take only attestations of a span of time, such as `2020-07-23T10:00:00Z..2020-07-23T12:00:00Z`; either may be left "
               "out.",
    "shard": "Evaluate a part of the devices only, such as `1/4`.",
    "redact": "Write short names for device IDs, addresses and user properties.",
    "redact_key": "A file with the secret that these names are made with.",
    "no_redact": "Show device IDs and addresses in pages and Markdown, too.",
    "skip_malformed": "Report on the other records, and count malformed ones.",
    "malformed": "A file that gets the malformed records.",
    "sort": "Sort captures that are out of time order.",
    "timezone": "The zone of times without one, such as `Europe/London` or `+02:00`.",
    "rename": "Other names of a capture's keys, such as `device_id=device-id,ts=time`.",
    "input_format": "The form of the captures, whatever their content looks like: info, fetches or jsonl.",
    "jobs": "The number of threads, on which the results do not depend.",
    "seed": "Draw populations from this seed.",
    "allow_outside": "Let scenarios name account files outside their folder.",
    "newly_accepted_with": "Report only edits under which an attestation with this flag newly passes.",
    "reject": "Attestations that must fail, as an expression such as `flag:frida`.",
    "keep": "Attestations that must pass, as an expression such as `not flag:frida`.",
    "exempt": "Let in attestations that this expression selects, and the fewest other devices.",
    "but_reject": "Attestations that must fail all the same, as an expression; needs `exempt`.",
    "loosest": "Edit the policy alone, and prefer answers that reject the fewest other devices.",
    "narrowest_filter": "Add one filter on this attribute.",
    "holdout": "Search in what is before this instant, a datetime or a text, and report on what is after it.",
    "catch": "Reject at least this share of the bad devices; needs `labels`.",
    "timeout": "Give up after this time: seconds, a timedelta, or a text such as `1m`.",
    "newly": "Ask only whether a device would newly be `rejected`, or `accepted`.",
    "device": "The device, by its ID or by its name in a redacted report; of a scenario also a group.",
    "keys": "Compare the values of these keys instead: verdict, flags, filters, attributes and derived keys.",
    "old": "The older capture: a path or a table.",
    "new": "The newer capture: a path or a table.",
    "steps": "The steps, each a share and how long it lasts: `1%:6h,10%:1d,100%`.",
    "runs": "Watch the rollout in this number of runs; by default 200.",
    "logs": "The logs of a backend, as JSON Lines, plain, .gz or .zst: a path, or a list of paths.",
    "scenarios": "The path of a scenario.",
    "domain": "The API domain of requests that name none.",
    "by": "Count by this member of the requests; by default `app-version`.",
    "max_refused": "Raise `LimitExceeded` if more requests, or a larger share, would be refused.",
    "paths": "Files and folders.",
    "name": "Run only scenarios in whose name this regular expression is found.",
    "tag": "Run only scenarios that have this tag, or one of a list.",
    "affected_by": "Run only scenarios that a change of this account file since `base` can affect.",
    "failed": "Run only scenarios that failed in their last run in this folder.",
    "coverage": "Report which presets, flags, filters and entries were exercised.",
    "mutants": "Make one change at a time to the accounts, and report those that no expectation notices.",
    "allow_empty": "Accept that no scenario expects anything.",
    "printed": "A file that gets the output of the scenarios' management commands.",
    "outbox": "A file that gets the mail that the accounts would send.",
    "output": "The file to write.",
    "level": "The level of compression.",
    "plain": "Write without compression.",
    "progress": "Show how far a longer run is, on a terminal or in a notebook.",
}


def described(function: Function) -> Function:
    """Adds the parameters to the help of a function, and the exceptions that every command raises."""
    code = function.__code__
    lines = [function.__doc__ or "", "", "    Parameters:"]
    for name in code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]:
        lines += textwrap.wrap(
            f"{name}: {PARAMETERS[name]}", 120, initial_indent=" " * 8, subsequent_indent=" " * 12, break_on_hyphens=False)
    lines += [
        "", "    Raises `InputError`, `UsageError`, `LimitExceeded`, `NothingEvaluated`, `Undecided` or `CommandError`, each a",
        "    `ScenarioError`, whose `diagnostics` have file, line, column, message and hint.", ""]
    function.__doc__ = "\n".join(lines)
    return function
