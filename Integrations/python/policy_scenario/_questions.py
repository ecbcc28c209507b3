# Written by tools/members.py from `scenario --dump-help`.
"""The commands whose functions follow from their options alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Optional

from ._arguments import AccountLike, Duration, Labels, Limit, Path, Texts
from ._commands import _invocation
from ._documentation import PARAMETERS, described
from ._report import Report, evaluated
from ._streams import Captures

if TYPE_CHECKING:
    from ._members import EditsMembers, PinsMembers, RequestsMembers
else:
    EditsMembers = PinsMembers = RequestsMembers = object

__all__ = ["Pins", "Requests", "WhatIf", "pins", "requests", "whatif"]

# In the words of the help.
PARAMETERS.update({
    "rotations": "Try only these rotations: same-key,new-key,new-intermediate,another-ca,stolen-key.",
    "requests": "The time from one request of a device to its next, by default 15m; 15m,GROUP=1h for a group.",
    "launches": "The time from one launch of an app to its next, by default 1d; 1d,GROUP=30d for a group.",
    "pins_after": "Add the new pins DURATION after the rotation, by default 1h.",
    "pins_before": "Add the new pins DURATION before the rotation.",
    "for_": "End DURATION after the rotation, by default 7d.",
    "max_blocked": "Exit with 4 when a rotation blocks more devices, or a larger share; those that trust a thief do not count."
})


class WhatIf(Report, EditsMembers):
    """The result of `whatif`. Its table is `edits`."""

    _kind, _main = "edits", "edits"


@described
def whatif(
    captures: Captures, account: Optional[AccountLike] = None, *, policy: Optional[str] = None, change: Texts = (),
    assume: Texts = (), assumptions: Optional[Path] = None, confidence: Optional[Limit] = None,
    max_newly_rejected: Optional[Limit] = None, newly_accepted_with: Optional[str] = None, labels: Optional[Labels] = None,
    cost: Optional[Dict[str, int] | str] = None, order: Optional[str] = None, jobs: Optional[int] = None, only: Texts = (),
    between: Optional[str] = None, redact: bool = False, redact_key: Optional[Path] = None, skip_malformed: bool = False,
    malformed: Optional[Path] = None, sort: bool = False, timezone: Optional[str] = None, rename: Optional[str] = None,
    input_format: Optional[str] = None, progress: bool = True,
) -> WhatIf:
    """Reports the effect of every single edit of an account on captured devices, as `scenario whatif`.

    >>> edits = whatif("Scenarios/captures/new-devices-2020-07-23.txt", "Scenarios/accounts/bank.yaml",
    ...                order="newly-rejected")
    >>> first = edits.edits[0]
    >>> first.command, first.newly_rejected.devices
    ('policy -set default,blacklist,risk', 1845)
    """
    return evaluated(WhatIf, _invocation("whatif", locals(), captures, bool(only)))


class Pins(Report, PinsMembers):
    """The result of `pins`. Its table is `rotations`."""

    _kind, _main = "pins", "rotations"


@described
def pins(
    scenarios: Captures, account: Optional[AccountLike] = None, *, change: Texts = (), changes: Optional[Path] = None,
    rotations: Optional[str] = None, requests: Optional[str] = None, launches: Optional[str] = None,
    pins_after: Optional[Duration] = None, pins_before: Optional[Duration] = None, for_: Optional[Duration] = None,
    max_blocked: Optional[Limit] = None, seed: Optional[int] = None, jobs: Optional[int] = None, allow_outside: bool = False,
    progress: bool = True,
) -> Pins:
    """Says which changes of certificates the pins survive, and whose apps the others block, as `scenario pins`.

    >>> tried = pins("Scenarios/requests/a-rotation-with-a-backup-pin.yaml", rotations="new-key,stolen-key")
    >>> [(rotation.rotation, rotation.survives, rotation.blocked_devices) for rotation in tried.rotations]
    [('new-key', False, 30), ('stolen-key', True, 0)]
    """
    return evaluated(Pins, _invocation("pins", locals(), scenarios))


class Requests(Report, RequestsMembers):
    """The result of `requests`. Its table is `reasons`."""

    _kind, _main = "requests", "reasons"


@described
def requests(
    logs: Captures, account: Optional[AccountLike] = None, *, domain: Optional[str] = None, by: Optional[str] = None,
    max_refused: Optional[Limit] = None, redact: bool = False, redact_key: Optional[Path] = None, no_redact: bool = False,
    progress: bool = True,
) -> Requests:
    """Says why a backend refuses requests, from its log of tokens, as `scenario requests`.

    >>> log = "Scenarios/requests/backend-log.jsonl"
    >>> refused = requests(log, {"account": "shop", "apis": [{"domain": "api.example.com"}]})
    >>> [(reason.reason, reason.requests) for reason in refused.reasons]
    [('no-token', 1), ('failed-attestation', 1), ('wrong-signature', 1), ('expired', 1)]
    """
    return evaluated(Requests, _invocation("requests", locals(), logs))
