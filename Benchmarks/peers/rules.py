"""What every engine of the benchmark applies: the flags and the default preset of docs/RULES.md, and 25 filters."""
import json
from pathlib import Path

RULES = Path(__file__).resolve().parents[2] / "docs" / "RULES.md"


def rows(heading):
    """The rows of the table under a heading of the rules, as lists of cells."""
    section = RULES.read_text(encoding="utf-8").split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    for line in section.splitlines():
        if line.startswith("| "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


CATALOGUE = [row for row in rows("Flags") if row[0].isdigit()]
# Flags that depend on what a device did before. The peers remember nothing of a device, so no record has them.
REMEMBERED = {"did-ban", "did-unban", "new-did", "risky-device", "pinning-tampered", "devicecheck-missing",
              "safetynet-missing"}
# Flags that the catalogue lacks, as a capture may bring them.
UNKNOWN = ["allow-debug", "first-fetch", "bad-app-id-sig"]
FLAGS = [row[1] for row in CATALOGUE if row[1] not in REMEMBERED] + UNKNOWN
# The flags that the preset `default` rejects, and those that make a device risky.
REJECTING = [row[0] for row in rows("Presets") if row[0] in FLAGS and row[1] == "x"]
RISKY = [row[1] for row in CATALOGUE if row[4] == "risk" and row[1] in FLAGS]

ATTRIBUTES = ["ip", "device-id", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version",
              "appid", "app-sig", "attest-reason"]
COLUMNS = ["time", "device-id", "flags"] + [key for key in ATTRIBUTES if key != "device-id"]

FORGED_SIGNATURE = "Zm9yZ2VkLXNpZ25hdHVyZS1vZi10aGUtYmVuY2htYXI="
KNOWN_DEVICE = "w4mmGFZkpz5oPz6w6gl1Cw=="
NEXUS = ("{'Model':'Nexus 5X','Fingerprint':'google/bullhead/bullhead:8.1.0/OPM6.171019.030.E1/4805388:"
         "user/release-keys'}")

# (name, key, value, action): `value` must be the whole attribute.
EXACT = [
    ("e01", "ip", "81.2.69.142", "reject"),
    ("e02", "appid", "com.example.bank.ios", "risky"),
    ("e03", "archid", "x86", "reject"),
    ("e04", "sdk-version", "1.9.0", "risky"),
    ("e05", "sdkid", "4505", None),
    ("e06", "app-name", "Café Münch", None),
    ("e07", "app-version", "2.0.1", "risky"),
    ("e08", "app-sig", FORGED_SIGNATURE, "reject"),
    ("e09", "attest-reason", "no attestation", "risky"),
    ("e10", "device-id", KNOWN_DEVICE, "reject"),
    ("e11", "device", "iOS, 12.1.2, iPhone7,2, en_ES", None),
    ("e12", "device-props", NEXUS, "risky"),
]
# (name, key, pattern, action): `pattern` must be found in the attribute.
REGEXES = [
    ("r01", "device", r"Android [5-7]\.", "risky"),
    ("r02", "device", r"(?i)nexus", None),
    ("r03", "device-props", r"user/release-keys", None),
    ("r04", "device", r"^iOS, 1[0-2]\.", None),
    ("r05", "device-props", r"(?i)(generic|sdk_gphone|vbox|goldfish)", "reject"),
    ("r06", "ip", r"^(10|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\.", "risky"),
    ("r07", "device-props", r"test-keys|userdebug|:eng/", "reject"),
    ("r08", "app-version", r"^[0-2]\.[0-9]+(\.[0-9]+)?$", "risky"),
    ("r09", "device", r", (fr|de|es)(_[A-Z][A-Z])?$", None),
    ("r10", "attest-reason", r"(timeout|unavailable).*retry=[3-9]", "risky"),
]
# (name, names of filters that must all match, action)
CONJUNCTIONS = [
    ("c01", ("r01", "r02"), "reject"),
    ("c02", ("r04", "e02"), "risky"),
    ("c03", ("r03", "e05", "r09"), "reject"),
]
FILTERS = EXACT + REGEXES + CONJUNCTIONS
NAMES = [filter[0] for filter in FILTERS]


def names_of(action):
    """The names of the filters that have an action."""
    return [filter[0] for filter in FILTERS if filter[-1] == action]


def flag_pattern(flags):
    """A regex that finds any of some flags in a list that is joined by commas."""
    return f"(^|,)({'|'.join(flags)})(,|$)"


def account():
    """The account file that says the same."""
    def entry(name, test, action):
        return f"  - {{name: {name}, {test}{f', {action}: true' if action else ''}}}"

    def quoted(text):
        return json.dumps(text, ensure_ascii=False)

    lines = ["account: bench", "policy: default,default,risk", "arc: off", "filters:"]
    lines += [entry(name, f"key: {key}, match: {quoted(value)}", action) for name, key, value, action in EXACT]
    lines += [entry(name, f"key: {key}, regex: {quoted(value)}", action) for name, key, value, action in REGEXES]
    lines += [entry(name, f"conjunction: [{', '.join(inputs)}]", action) for name, inputs, action in CONJUNCTIONS]
    return "\n".join(lines) + "\n"
