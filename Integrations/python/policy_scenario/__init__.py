"""The effect of a device-attestation policy before it is set: replays, comparisons and proofs, as values and tables.

>>> import policy_scenario as ps
>>> day = ps.replay("Scenarios/captures/new-devices-2020-07-23.txt", ps.Account("Scenarios/accounts/bank.yaml"))
>>> day.summary.attestations_failed
155

Functions are the commands of `scenario`, which does all the work: `replay`, `diff`, `whatif`, `search`, `prove`, `explain`, `run`,
`lint`, `compare`, `rollout` and `pack`. Each gives a result with the values of its JSON report, tables for polars, pandas, pyarrow
and DuckDB, and a page for notebooks. `policy_scenario.spark` does the same on Apache Spark.
"""

from . import _questions
from ._account import Account
from ._commands import compare, diff, explain, lint, pack, prove, replay, rollout, run, search
from ._errors import (
    CommandError,
    Diagnostic,
    InputError,
    LimitExceeded,
    NothingEvaluated,
    ScenarioError,
    ScenarioWarning,
    Undecided,
    UsageError,
)
from ._questions import *  # noqa: F403
from ._record import Record
from ._report import Comparison, Diff, Explanation, Lint, Proof, Replay, Report, Rollout, Run, Search
from ._table import Table

__all__ = [
    "Account", "CommandError", "Comparison", "Diagnostic", "Diff", "Explanation", "InputError", "LimitExceeded", "Lint",
    "NothingEvaluated", "Proof", "Record", "Replay", "Report", "Rollout", "Run", "ScenarioError", "ScenarioWarning", "Search",
    "Table", "Undecided", "UsageError", "compare", "diff", "explain", "lint", "pack", "prove", "replay", "rollout", "run", "search",
]
__all__ += _questions.__all__
__all__.sort()
