"""The commands, a function each. Parameters are the options of `scenario`, with underscores for dashes."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Sequence, Union

from ._arguments import AccountLike, Duration, Labels, Limit, Path, Texts, add_captures, add_options
from ._documentation import described
from ._errors import failure, warn
from ._process import Invocation
from ._report import Comparison, Diff, Explanation, Lint, Proof, Replay, Rollout, Run, Search, evaluated
from ._streams import Captures

# A device was found, or no edits: an answer, and no error.
_ANSWERS = (0, 4)


def _invocation(name: str, values: Dict[str, Any], operands: Any = (), reads_again: bool = False) -> Invocation:
    invocation = Invocation(name, values.get("progress", False))
    add_options(invocation, values)
    add_captures(invocation, operands, reads_again, values.get("timezone"))
    return invocation


@described
def replay(
    captures: Captures, account: Optional[AccountLike] = None, *, policy: Optional[str] = None, change: Texts = (),
    assume: Texts = (), assumptions: Optional[Path] = None, fetches: Optional[Path] = None, confidence: Optional[Limit] = None,
    max_unevaluated: Optional[Limit] = None, count: Texts = (), top: Optional[int] = None, labels: Optional[Labels] = None,
    cost: Optional[Dict[str, int] | str] = None, series: bool = False, digests: bool = False, shard: Optional[str] = None,
    jobs: Optional[int] = None, only: Texts = (), between: Optional[str] = None, redact: bool = False,
    redact_key: Optional[Path] = None, skip_malformed: bool = False, malformed: Optional[Path] = None, sort: bool = False,
    timezone: Optional[str] = None, rename: Optional[str] = None, input_format: Optional[str] = None, progress: bool = True,
) -> Replay:
    """Replays captured attestations through an account, as `scenario replay`.

    >>> day = replay("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml")
    >>> day.summary.attestations, day.summary.attestations_failed, day.metrics["rejection-flag-frida"]
    (2000, 155, 10)
    >>> day["rejections"]["reason"][:2]
    ['emulator', 'rooted']
    """
    return evaluated(Replay, _invocation("replay", locals(), captures, bool(only)), text_too=not series)


@described
def diff(
    captures: Captures, account: Optional[AccountLike] = None, *, change: Texts = (), changes: Optional[Path] = None,
    policy: Optional[str] = None, candidate: Optional[AccountLike] = None, base: Optional[str] = None,
    head: Optional[str] = None, assume: Texts = (), assumptions: Optional[Path] = None, at: Optional[Duration] = None,
    fetches: Optional[Path] = None, labels: Optional[Labels] = None, cost: Optional[Dict[str, int] | str] = None,
    max_newly_rejected: Optional[Limit] = None, max_newly_accepted: Optional[Limit] = None,
    max_newly_blocked: Optional[Limit] = None, max_annotations_changed: Optional[Limit] = None,
    max_unevaluated: Optional[Limit] = None, alternatives: Optional[int] = None, rollout: Optional[str] = None, who: Texts = (),
    order: Optional[int] = None, count: Texts = (), top: Optional[int] = None, since: Optional[Path] = None,
    confidence: Optional[Limit] = None, allow: Optional[str] = None, baseline: Optional[Path] = None, digests: bool = False,
    shard: Optional[str] = None, seed: Optional[int] = None, jobs: Optional[int] = None, only: Texts = (),
    between: Optional[str] = None, redact: bool = False, redact_key: Optional[Path] = None, no_redact: bool = False,
    skip_malformed: bool = False, malformed: Optional[Path] = None, sort: bool = False, timezone: Optional[str] = None,
    rename: Optional[str] = None, input_format: Optional[str] = None, allow_outside: bool = False, progress: bool = True,
) -> Diff:
    """Compares an account before and after a change on captures, or on a scenario in place of them, as `scenario diff`.

    The change is one of `change`, `changes`, `policy`, `candidate` and `base`.

    >>> stricter = diff("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml",
    ...                 policy="default,strict,risk")
    >>> stricter.changes.newly_rejected.devices, stricter.changes.newly_accepted.devices
    (104, 0)
    >>> stricter["newly-rejected/flags"]["name"]
    ['safetynet-unavailable', 'devicecheck-unavailable', 'safetynet-fail-profile']
    """
    return evaluated(Diff, _invocation("diff", locals(), captures, bool(only or alternatives or rollout)))


@described
def search(
    captures: Captures, account: Optional[AccountLike] = None, *, policy: Optional[str] = None, change: Texts = (),
    reject: Optional[str] = None, keep: Optional[str] = None, exempt: Optional[str] = None, but_reject: Optional[str] = None,
    max_edits: Optional[int] = None, max_newly_rejected: Optional[Limit] = None, loosest: bool = False,
    narrowest_filter: Optional[str] = None, holdout: Any = None, confidence: Optional[Limit] = None,
    labels: Optional[Labels] = None, catch: Optional[Limit] = None, max_good_blocked: Optional[Limit] = None,
    timeout: Optional[Duration] = None, jobs: Optional[int] = None, skip_malformed: bool = False,
    malformed: Optional[Path] = None, sort: bool = False, timezone: Optional[str] = None, rename: Optional[str] = None,
    input_format: Optional[str] = None, progress: bool = True,
) -> Search:
    """Finds the fewest edits of an account that reject some attestations and keep others, as `scenario search`.

    The result is false if there are no such edits.

    >>> found = search("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml",
    ...                reject="flag:overlay-attack")
    >>> bool(found)
    True
    """
    return evaluated(Search, _invocation("search", locals(), captures, True), _ANSWERS)


@described
def prove(
    account: Optional[AccountLike] = None, *, change: Texts = (), changes: Optional[Path] = None, policy: Optional[str] = None,
    candidate: Optional[AccountLike] = None, newly: Optional[str] = None, timeout: Optional[Duration] = None,
) -> Proof:
    """Proves that a change turns no verdict on any device, or finds the smallest device, as `scenario prove`.

    The result is true if it is proved, and false if a device was found.

    >>> proof = prove("Scenarios/accounts/bank.yaml", policy="default,strict,risk")
    >>> proof.newly_accepted.answer, proof.newly_rejected.answer, proof.newly_rejected.records[0].flags
    ('proved', 'found', ['new-did', 'devicecheck-unavailable'])
    """
    return evaluated(Proof, _invocation("prove", locals()), _ANSWERS)


@described
def explain(
    captures: Captures, account: Optional[AccountLike] = None, *, device: Optional[str] = None, policy: Optional[str] = None,
    change: Texts = (), changes: Optional[Path] = None, only: Texts = (), between: Optional[str] = None, redact: bool = False,
    redact_key: Optional[Path] = None, skip_malformed: bool = False, malformed: Optional[Path] = None, sort: bool = False,
    timezone: Optional[str] = None, rename: Optional[str] = None, input_format: Optional[str] = None,
    seed: Optional[int] = None, progress: bool = True,
) -> Explanation:
    """Explains every decision on one device, or its events in a scenario, step by step, as `scenario explain`.

    >>> why = explain("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml",
    ...               device="fNHwIOQ3mZ/LK3ANBTnqKw==")
    >>> [(each.time, each.verdict) for each in why.explanations]
    [('2020-07-23T07:00:31Z', 'pass')]
    """
    return evaluated(Explanation, _invocation("explain", locals(), captures, bool(only)))


@described
def run(
    paths: Union[Path, Sequence[Path]] = (), *, name: Optional[str] = None, tag: Texts = (), affected_by: Optional[Path] = None,
    base: Optional[str] = None, failed: bool = False, printed: Optional[Path] = None, outbox: Optional[Path] = None,
    coverage: bool = False, min_coverage: Optional[Limit] = None, mutants: bool = False, min_mutants: Optional[Limit] = None,
    allow_empty: bool = False, series: bool = False, timezone: Optional[str] = None, jobs: Optional[int] = None,
    seed: Optional[int] = None, allow_outside: bool = False, totals: bool = False, redact: bool = False,
    redact_key: Optional[Path] = None, progress: bool = True,
) -> Run:
    """Runs scenarios and checks their expectations, as `scenario run`. The result is true if all held.

    >>> scenarios = run("Scenarios/filters")
    >>> bool(scenarios), scenarios.summary.scenarios
    (True, 10)
    """
    return evaluated(Run, _invocation("run", locals(), paths), (0, 1), text_too=not series)


@described
def lint(
    paths: Union[Path, Sequence[Path]] = (), account: Optional[AccountLike] = None, *, max_dead: Optional[Limit] = None,
    at: Optional[str] = None, allow_outside: bool = False, jobs: Optional[int] = None, skip_malformed: bool = False,
    malformed: Optional[Path] = None, sort: bool = False, timezone: Optional[str] = None, rename: Optional[str] = None,
    input_format: Optional[str] = None, progress: bool = True,
) -> Lint:
    """Finds mistakes in accounts, scenarios and captures, as `scenario lint`. Errors are values of the result, too.

    With an account, it finds the parts of it that decide nothing in the captures.

    >>> found = lint("Scenarios/accounts/bank.yaml")
    >>> found.errors
    0
    >>> old = {"filters": [{"name": "gone", "key": "ip", "match": "203.0.113.255", "reject": True}]}
    >>> month = lint("Scenarios/captures/new-devices-2020-07-23.txt", old)
    >>> month.dead, month.commands
    (1, ['filter -remove gone'])
    """
    return evaluated(Lint, _invocation("lint", locals(), paths), (0, 1, 2))


@described
def compare(
    old: Captures, new: Captures, account: Optional[AccountLike] = None, *, policy: Optional[str] = None, change: Texts = (),
    assume: Texts = (), assumptions: Optional[Path] = None, keys: Texts = (), max_drift: Optional[Limit] = None,
    confidence: Optional[Limit] = None, digests: bool = False, jobs: Optional[int] = None, only: Texts = (),
    between: Optional[str] = None, redact: bool = False, redact_key: Optional[Path] = None, no_redact: bool = False,
    skip_malformed: bool = False, sort: bool = False, timezone: Optional[str] = None, rename: Optional[str] = None,
    input_format: Optional[str] = None, progress: bool = True,
) -> Comparison:
    """Reports the differences between the devices of two captures, as `scenario compare`.

    >>> drift = compare("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/captures/afternoon-2020-07-23.jsonl",
    ...                 "Scenarios/accounts/bank.yaml")
    >>> drift.old.devices, drift.drifting <= drift.tested
    (2000, True)
    """
    return evaluated(Comparison, _invocation("compare", locals(), [old, new], bool(only)))


@described
def rollout(
    captures: Captures, account: Optional[AccountLike] = None, *, change: Texts = (), changes: Optional[Path] = None,
    policy: Optional[str] = None, candidate: Optional[AccountLike] = None, assume: Texts = (),
    assumptions: Optional[Path] = None, steps: Texts, labels: Optional[Labels] = None,
    cost: Optional[Dict[str, int] | str] = None, at: Optional[Duration] = None, runs: Optional[int] = None,
    seed: Optional[int] = None, jobs: Optional[int] = None, only: Texts = (), between: Optional[str] = None,
    skip_malformed: bool = False, malformed: Optional[Path] = None, sort: bool = False, timezone: Optional[str] = None,
    rename: Optional[str] = None, input_format: Optional[str] = None, allow_outside: bool = False, progress: bool = True,
) -> Rollout:
    """Reports the effects of bringing a change to sampled devices first, step by step, as `scenario rollout`.

    >>> stricter = rollout("Scenarios/captures/new-devices-2020-07-23.txt", {"rules": ["sampled"]}, policy="strict",
    ...                    steps=["10%:2h", "100%"])
    >>> [(step.percent, step.reached) for step in stricter.steps]
    [('10', True), ('100', True)]
    """
    return evaluated(Rollout, _invocation("rollout", locals(), captures, bool(only)))


@described
def pack(
    captures: Captures, output: Path, *, sort: bool = False, level: Optional[int] = None, plain: bool = False,
    timezone: Optional[str] = None, input_format: Optional[str] = None, skip_malformed: bool = False,
    malformed: Optional[Path] = None, jobs: Optional[int] = None, progress: bool = True,
) -> str:
    """Writes captures as columns in one Arrow file, which is read several times as fast, as `scenario pack`.

    Gives the path of the file, which polars, pandas, pyarrow and DuckDB read, too.
    """
    invocation = _invocation("pack", locals(), captures)
    path = os.fspath(output)
    finished = invocation.run((), [f"--output={path}"])
    if finished.status != 0:
        raise failure(finished.status, finished.messages)
    warn(finished.messages)
    return path
