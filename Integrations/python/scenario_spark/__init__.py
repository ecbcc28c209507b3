"""The former name of `policy_scenario.spark`, for one release."""

import warnings

from policy_scenario.spark import Report, ScenarioError, decisions, diff, replay

warnings.warn(
    "scenario_spark is now policy_scenario.spark, and goes in the next release: write `from policy_scenario import spark`",
    DeprecationWarning, stacklevel=2)

__all__ = ["Report", "ScenarioError", "decisions", "diff", "replay"]
