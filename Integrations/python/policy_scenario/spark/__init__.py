"""Replays of captured device attestations, and comparisons of security policies, on Apache Spark.

Spark hands out the work, the command `scenario` does it, and the report is that of one machine, byte for byte.
"""

from .._errors import ScenarioError
from ._decisions import decisions
from ._report import Report
from ._run import diff, replay

__all__ = ["Report", "ScenarioError", "decisions", "diff", "replay"]
