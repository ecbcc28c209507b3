"""Captures of odd shapes, and accounts to replay them through. What passes is known from how they are made."""
import base64
import re

# The start of a record in the week of the capture, and what the days become a week later.
FIRST_WEEK = re.compile(rb"(?m)^(--- \S+ )2020-(07-2[0-6]) ")
A_WEEK_LATER = {
    b"07-20": b"07-27", b"07-21": b"07-28", b"07-22": b"07-29", b"07-23": b"07-30", b"07-24": b"07-31",
    b"07-25": b"08-01", b"07-26": b"08-02",
}


def device_id(number):
    return base64.b64encode(number.to_bytes(16, "big")).decode()


def record(number, device, value, extra=""):
    """One record of a text capture. Every fourth value is a Nexus with Android 7, which the account rejects."""
    model = f"Android 7.0, Nexus {value}" if value % 4 == 0 else f"Android 9, Model {value}"
    second = number * 7 * 86_400 // 2_000_000
    day, clock = 20 + second // 86_400, second % 86_400
    return (
        f"--- {device_id(device)} 2020-07-{day} {clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02} UTC ---\n"
        f"ip: 81.{number % 199}.{number % 251}.7\ndevice-id: {device_id(device)}\n"
        f"device: {model}, maker, board, en\napp-name: Shop\napp-version: 4.1.0\n"
        f"appid: com.example.shop.android\n{extra}")


def write(path, events, devices, values, extra=""):
    """Writes a capture unless it is there: `events` events, by a number of devices and values of `device` in turn."""
    if not path.exists():
        part = path.with_suffix(".part")
        with open(part, "w", encoding="ascii") as output:
            for number in range(events):
                output.write(record(number, number % devices, number % values, extra))
        part.rename(path)
    return path


def write_shares(whole, folder, events):
    """Writes the first quarter and half of a text capture, and the whole of it twice, a week apart."""
    text = None
    paths = {share: folder / f"{share}.txt" for share in (events // 4, events // 2, 2 * events)}
    if not all(path.exists() for path in paths.values()):
        text = whole.read_bytes()
        starts = [match.start() for match in re.finditer(rb"(?m)^--- ", text)] + [len(text)]
        for share in (events // 4, events // 2):
            paths[share].write_bytes(text[:starts[share]])
        later = FIRST_WEEK.sub(lambda match: match[1] + b"2020-" + A_WEEK_LATER[match[2]] + b" ", text)
        paths[2 * events].write_bytes(text + later)
    return paths | {events: whole}


def write_scenarios(folder, count):
    """Writes a number of small scenarios, a file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"{number:05}.yaml").write_text(
            f"scenario: Number {number}\n"
            "account: {policy: \"default,default,default\"}\n"
            "devices:\n"
            "  customer: {os: android, flags: [rooted]}\n"
            "  other: {os: ios}\n"
            "steps:\n"
            "  - {at: 0s, fetch: customer, expect: {verdict: fail, rejections: [rooted], lifetime: 2m}}\n"
            "  - {at: 1s, fetch: other, expect: {verdict: pass}}\n")
    return folder


def account_with(whole, names, path):
    """Writes the account with those of its filters whose names start with one of some letters."""
    lines = whole.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("  - {name: ") or line.split()[2][0] in names]
    if not names:
        kept.remove("filters:\n")
    path.write_text("".join(kept), encoding="utf-8")
    return path


def account_of(patterns, path):
    """Writes an account with a regex for each of some pairs of attribute and pattern."""
    lines = [f"  - {{name: r{number:02}, key: {key}, regex: '{pattern}'}}\n"
             for number, (key, pattern) in enumerate(patterns)]
    path.write_text("account: bench\npolicy: default,default,risk\narc: off\nfilters:\n" + "".join(lines))
    return path
