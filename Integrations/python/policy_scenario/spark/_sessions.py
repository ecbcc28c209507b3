"""What a session of Spark says of its machines. There may be no SparkContext to ask: Spark Connect has none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: As many as the machine has.
ALL = 0
#: As many as the command takes.
MOST_JOBS = 1024


def local_cores(spark: SparkSession) -> Optional[int]:
    """How many cores a session uses that is on one machine, or `ALL`; `None` where there may be several machines."""
    found = re.fullmatch(r"local(?:\[(\d+|\*)(?:,\s*\d+)?\])?", _setting(spark, "spark.master", ""))
    if found is None:
        return None
    return ALL if found[1] == "*" else int(found[1] or 1)


def default_jobs(spark: SparkSession, parts: int) -> Optional[int]:
    """How many threads each of some parts uses; `None` for as many as its machine has cores."""
    cores = local_cores(spark) if parts == 1 else None
    if cores is None:
        return int(_setting(spark, "spark.task.cpus", "1"))
    return None if cores == ALL else min(cores, MOST_JOBS)


def _setting(spark: SparkSession, name: str, default: str) -> str:
    try:
        return spark.conf.get(name, default) or default
    except Exception:
        # Services that hide their machines refuse to say, each with an error of its own.
        return default
