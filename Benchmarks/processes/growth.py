"""How a replay grows: with events, devices, distinct values and filters (P6), and what odd shapes cost."""
import os

from captures import account_of, account_with, write, write_shares
from replays import replay, report, require, require_matches, require_same, require_shares
from setting import EVENTS
from table import COST_HEADS, cost_cells, table, thousands
from work import alternate

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SHAPE_HEADS = ["MB", "seconds", "MB a second", "processor seconds", "resident MB"]


def shape(setting, name, events, devices, values, extra="", jobs=2):
    """A replay of a capture that is written for it."""
    path = write(setting.scratch / f"{name.replace(' ', '-')}.txt", events, devices, values, extra)
    return replay(setting, name, path, jobs, setting.account)


def by_events(setting):
    """A quarter, a half, the whole, and the whole twice, which has no device more."""
    paths = write_shares(setting.events("txt"), setting.scratch, EVENTS)
    works = {
        (events, jobs): replay(setting, f"{thousands(events)} events, {jobs}", paths[events], jobs, setting.account)
        for events in sorted(paths) for jobs in (1, 2)
    }

    def check():
        for (events, _), work in works.items():
            require(report(work)["summary"]["attestations"] == events, work.name)
        once, twice = (report(works[events, 1])["metrics"] for events in (EVENTS, 2 * EVENTS))
        require(2 * once["fail"] == twice["fail"], "the capture twice has not twice the failures")
        for events in paths:
            require_same([works[events, 1], works[events, 2]])

    alternate(list(works.values()), setting.runs, check)
    return works


def by_devices(setting):
    works = {count: shape(setting, f"{thousands(count)} devices", EVENTS, count, 1_000) for count in SIZES}

    def check():
        for count, work in works.items():
            require_shares([work], EVENTS, EVENTS // 4, count)

    alternate(list(works.values()), setting.runs, check)
    return works


def by_values(setting):
    works = {count: shape(setting, f"{thousands(count)} values of device", EVENTS, 1_000, count) for count in SIZES}
    alternate(list(works.values()), setting.runs,
              lambda: require_shares(works.values(), EVENTS, EVENTS // 4, 1_000))
    return works


def by_filters(setting):
    """Parts of the account: each filter matches as often as in the whole one, which the peers agree with."""
    kinds = {"no filter": "", "12 exact": "e", "10 regexes": "r", "22 of both kinds": "er", "all 25": "erc"}
    works = {}
    for name, letters in kinds.items():
        account = account_with(setting.account, letters, setting.scratch / f"account-{letters or 'none'}.yaml")
        for form in ("txt", "jsonl"):
            works[name, form] = replay(setting, f"{name}, {form}", setting.events(form), 1, account)

    def check():
        whole = {entry["name"]: entry["matched"] for entry in report(works["all 25", "txt"])["filters"]}
        for work in works.values():
            matched = {entry["name"]: entry["matched"] for entry in report(work).get("filters", [])}
            require(matched == {name: whole[name] for name in matched}, f"{work.name} matches otherwise than the whole")

    alternate(list(works.values()), setting.runs, check)
    return works


def by_regexes(setting):
    """One regex and ten of its kind, on attributes with few values, many, and almost none that occurs again."""
    patterns = {
        "app-version": [("app-version", f"^[0-9][.][0-9][.]{number}") for number in range(10)],
        "device": [("device", f"(?i)(nexus|sm-[a-z]?){number}") for number in range(10)],
        "ip": [("ip", f"^({number}[0-9]|1{number}[0-9]|2{number})[.]") for number in range(10)],
    }
    works = {}
    for key, tests in patterns.items():
        [distinct] = setting.ask(f'count(DISTINCT "{key}")')
        for count in (1, 10):
            account = account_of(tests[:count], setting.scratch / f"account-{key}-{count}.yaml")
            name = f"{count} × {key}, {thousands(distinct)} values"
            works[key, count] = replay(setting, name, setting.events("txt"), 1, account)

    def check():
        for (key, count), work in works.items():
            require_matches(setting, work, patterns[key][:count])

    alternate(list(works.values()), setting.runs, check)
    return works


def by_shape(setting):
    """Shapes that captures have or could have, by name; with each, how many events it has."""
    long, huge = "x" * 20_000, "x" * 60_000_000
    shapes = {
        "10 devices": (EVENTS, 10, 1_000, ""),
        "every device and every value once": (EVENTS, EVENTS, EVENTS, ""),
        "lines of 20 KB that no filter looks at": (20_000, 1_000, 1_000, f"note: {long}\n"),
        "lines of 20 KB that a regex searches": (20_000, 1_000, 1_000, f"attest-reason: {long}\n"),
        "a line of 60 MB that no filter looks at": (1, 1, 4, f"note: {huge}\n"),
        "a line of 60 MB that a regex searches": (1, 1, 4, f"attest-reason: {huge}\n"),
    }
    works = {}
    for name, (events, devices, values, extra) in shapes.items():
        works[name, events] = shape(setting, name, events, devices, values, extra)

    def check():
        for (name, events), work in works.items():
            require_shares([work], events, (events + 3) // 4, shapes[name][1])

    alternate(list(works.values()), setting.runs, check)
    return works


def measure(setting):
    """Times everything."""
    return {
        "events": by_events(setting), "devices": by_devices(setting), "values": by_values(setting),
        "filters": by_filters(setting), "regexes": by_regexes(setting), "shapes": by_shape(setting),
    }


def nanoseconds(work, events):
    return f"{work.seconds / events * 1e9:.0f}"


def rows(works, events_of=lambda key: EVENTS):
    return [[work.name, nanoseconds(work, events_of(key)), *cost_cells(work, events_of(key))]
            for key, work in works.items()]


def shape_rows(works):
    for (name, events), work in works.items():
        megabytes = os.path.getsize(work.command[2]) / 1e6
        yield [name, thousands(events), f"{megabytes:.0f}", f"{work.seconds:.2f}", f"{megabytes / work.seconds:.0f}",
               f"{work.processor_seconds:.2f}", f"{work.resident_megabytes:.0f}"]


def text(works):
    """The chapter."""
    heads = ["nanoseconds an event", *COST_HEADS]
    return "\n\n".join([
        "## How it grows",
        "With events: the beginning of the capture, the whole, and the whole followed by itself a week later, which "
        "adds events and no device.",
        table(["events, threads", *heads], rows(works["events"], lambda key: key[0])),
        "With devices: 1 000 000 events of this number of devices in turn, on 2 threads.",
        table(["devices", *heads], rows(works["devices"])),
        "With distinct values of an attribute that seven regexes search: 1 000 000 events of 1 000 devices, on 2 "
        "threads. 4 096 values of an attribute are kept; further ones are searched anew.",
        table(["values", *heads], rows(works["values"])),
        "With filters, on 1 thread. What is left without any is reading, devices, flags and figures.",
        table(["filters, input", *heads], rows(works["filters"])),
        "With regexes of one kind on one attribute, on 1 thread, by how many values it has in the capture.",
        table(["regexes, attribute", *heads], rows(works["regexes"])),
        "Odd shapes, on 2 threads.",
        table(["shape", "events", *SHAPE_HEADS], shape_rows(works["shapes"])),
    ])
