"""Replays: the command that is timed, and what its report must say."""
import json
import sys

from setting import run
from work import Work


def replay(setting, name, capture, jobs, account=None, piped=None, more=()):
    """A replay to time; its report goes to the scratch folder."""
    output = setting.scratch / f"{name.replace(' ', '-').replace('/', '-')}.json"
    command = [setting.scenario, "replay", "-" if piped else capture, "--format", "json", "--jobs", jobs, *more]
    if account:
        command += ["--account", account]
    return Work(name, command, output, piped=piped)


def report(work):
    """The report of a replay, without what only one form of capture holds."""
    whole = json.loads(work.output.read_text())
    whole.pop("reproduced", None)
    return whole


def require(holds, message):
    """Stops everything when an answer is wrong: no time counts then."""
    if not holds:
        sys.exit(f"wrong answer: {message}")


def require_same(works):
    """Requires that all reports are the same."""
    first = report(works[0])
    for work in works[1:]:
        require(report(work) == first, f"{work.name} differs from {works[0].name}")


def require_shares(works, events, failed, devices):
    """Requires how many attestations a report counts, how many of them failed, and how many devices there are."""
    for work in works:
        figures = report(work)
        got = (figures["summary"]["attestations"], figures["metrics"].get("fail", 0), figures["devices"]["unique"])
        require(got == (events, failed, devices), f"{work.name}: {got} instead of {(events, failed, devices)}")


def require_agreement(setting, work, peer):
    """Requires that a report agrees with what a peer printed, figure for figure."""
    run(sys.executable, "-B", setting.peers / "agree.py", work.output, peer.output)


def require_matches(setting, work, patterns):
    """Requires that the regexes of a report match as often as DuckDB finds them."""
    counts = setting.ask(", ".join(
        f"count_if(coalesce(regexp_matches(\"{key}\", '{pattern}'), false))" for key, pattern in patterns))
    got = [entry["matched"] for entry in report(work)["filters"]]
    require(got == counts, f"{work.name}: {got} matches instead of {counts}")
