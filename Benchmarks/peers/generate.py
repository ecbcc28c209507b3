"""Writes the attestations that engines are measured with, in three forms, and the account.

usage: generate.py EVENTS FOLDER [SEED [FORM…]]

makes events-N.txt (device information), events-N.jsonl, events-N.parquet and account.yaml, or those of the forms `txt`, `jsonl` and
`parquet` that are named (Parquet is made of JSON Lines). Equal arguments give equal bytes of text and JSON Lines. `scenario generate` cannot write them: there a device keeps its address, its flags and its
`attest-reason`, and how often such values change is just what engines differ in. Needs duckdb, for Parquet.
"""
import base64
import hashlib
import json
import math
import os
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random

import rules

START = datetime(2020, 7, 20)
SECONDS = 7 * 86_400
DEVICES_PER_EVENT = 0.236
SMALLEST_POPULATION = 2_000
FLAG_LISTS = 12_000

BRANDS = ("samsung xiaomi huawei oppo vivo motorola oneplus google lge sony nokia htc asus lenovo realme zte").split()
LANGUAGES = {
    "en": 14, "en_GB": 10, "en_US": 16, "en_ES": 2, "fr": 5, "fr_FR": 8, "de": 4, "de_DE": 8, "es": 4, "es_ES": 8,
    "pt_BR": 5, "it_IT": 4, "nl_NL": 2, "ja_JP": 2, "ko_KR": 2, "pl_PL": 2, "ru_RU": 2, "tr_TR": 1, "hi_IN": 1,
    "ar_EG": 1,
}
ANDROIDS = {"5.1.1": 2, "6.0.1": 4, "7.0": 5, "7.1.2": 6, "8.0.0": 9, "8.1.0": 14, "9": 25, "10": 25, "11": 10}
BUILDS = {"5": "LMY47V", "6": "MMB29M", "7": "NRD90M", "8": "OPM6.171019.030.E1", "9": "PPR1.180610.011",
          "1": "QP1A.190711.020"}
PROCESSORS = {"arm64-v8a": 78, "armeabi-v7a": 19, "x86_64": 2, "x86": 1}
IPHONES = ("iPhone7,2 iPhone8,1 iPhone9,3 iPhone10,4 iPhone10,6 iPhone11,2 iPhone11,8 iPhone12,1 iPhone12,3 iPad7,5 "
           "iPad8,3").split()
IPHONE_SYSTEMS = {"10.3.3": 1, "11.4.1": 2, "12.1.2": 5, "12.4.7": 6, "13.1.3": 6, "13.3.1": 14, "13.5.1": 40,
                  "13.6": 20, "14.0": 6}
APPS = {"bank": "Bank One", "shopper": "Shopper", "cafe": "Café Münch", "ride": "Ride", "health": "Health Plus",
        "trader": "Trader", "parking": "Parking", "loyalty": "Loyalty", "news": "News Today", "chat": "Chat",
        "games": "Games Hub", "transit": "Transit"}
VERSION_WEIGHTS = [1, 2, 4, 8, 14, 2, 30, 39]
SDK_VERSIONS = {"1.9.0": 1, "2.0.4": 2, "2.1.0": 4, "2.2.3": 8, "2.3.0": 15, "2.4.1": 20, "2.5.0": 30, "2.6.0": 20}
FLAGS_IN_LIST = {0: 2, 1: 33, 2: 27, 3: 18, 4: 10, 5: 6, 6: 4}
COMMON_FLAGS = {
    "init-config-outdated": 60, "devicecheck-unavailable": 40, "devicecheck-completed": 35, "safetynet-completed": 45,
    "safetynet-unavailable": 20, "non-standard-launch": 22, "root-risk": 12, "first-fetch": 30, "allow-debug": 8,
    "automated": 6, "automated-launch": 6,
}


class Choice:
    """Draws one of some values by their weights."""

    def __init__(self, values, weights):
        self.values, self.cumulative = list(values), list(accumulate(weights))

    @classmethod
    def of(cls, weights):
        return cls(weights.keys(), weights.values())

    def draw(self, random):
        return random.choices(self.values, cum_weights=self.cumulative)[0]


@dataclass
class Device:
    """What stays with a device."""
    identity: str
    platform: str
    name: str
    processor: str
    properties: str
    app: int
    version: int
    sdk_version: str
    signature: str
    address: str
    flags: int


def address(random):
    first = random.randrange(1, 224)
    return f"{81 if first == 127 else first}.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}"


def signature(app, platform):
    return base64.b64encode(hashlib.sha256(f"{app}{platform}".encode()).digest()).decode()


def phone_models(random):
    """600 models of Android phones as (name, brand, product), the most frequent first."""
    def letters(count):
        return "".join(random.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(count))

    models = [("Nexus 5X", "google", "bullhead"), ("Nexus 6P", "google", "angler"), ("Nexus 5", "google", "hammerhead")]
    while len(models) < 600:
        brand, number = random.choice(BRANDS), random.randrange(100, 9999)
        forms = [f"SM-{letters(1).upper()}{number}", f"{brand.capitalize()} Note {number % 20} Pro",
                 f"{letters(3).upper()}-L{number % 100}", f"{letters(6).capitalize()} {number % 50}"]
        # JSON has to escape the quote.
        name = f'Tab {number % 12}.1"' if len(models) % 150 == 7 else random.choice(forms)
        models.append((name, brand, letters(random.randrange(5, 10))))
    return models


class Population:
    """Draws devices, each when it is first seen."""
    languages, systems, processors = Choice.of(LANGUAGES), Choice.of(ANDROIDS), Choice.of(PROCESSORS)
    iphone_systems, sdk_versions = Choice.of(IPHONE_SYSTEMS), Choice.of(SDK_VERSIONS)
    apps = Choice(range(len(APPS)), [1 / (rank + 1) for rank in range(len(APPS))])
    versions = Choice(range(len(VERSION_WEIGHTS)), VERSION_WEIGHTS)

    def __init__(self, random, count):
        self.random = random
        self.models = Choice(phone_models(random), [1 / (rank + 3) ** 0.9 for rank in range(600)])
        # A few devices make up many attestations, as people who use an app all day do.
        self.numbers = Choice(range(count), [1 / (rank + 20) ** 0.72 for rank in range(count)])
        self.devices = {}

    def next(self):
        number = self.numbers.draw(self.random)
        if number not in self.devices:
            self.devices[number] = self.make(number)
        return self.devices[number]

    def make(self, number):
        random = self.random
        is_known = number == 3
        platform = "ios" if is_known or random.random() < 0.42 else "android"
        name, processor, properties = self.iphone(is_known) if platform == "ios" else self.phone()
        app = self.apps.draw(random)
        return Device(
            identity=rules.KNOWN_DEVICE if is_known else base64.b64encode(random.randbytes(16)).decode(),
            platform=platform, name=name, processor=processor, properties=properties, app=app,
            version=self.versions.draw(random), sdk_version=self.sdk_versions.draw(random),
            signature=rules.FORGED_SIGNATURE if random.random() < 0.003 else signature(list(APPS)[app], platform),
            address=address(random), flags=random.randrange(FLAG_LISTS))

    def iphone(self, is_known):
        model, system = self.random.choice(IPHONES), self.iphone_systems.draw(self.random)
        language = self.languages.draw(self.random)
        if is_known:
            model, system, language = "iPhone7,2", "12.1.2", "en_ES"
        processor = "arm64e" if model.startswith(("iPhone11", "iPhone12")) else "arm64"
        return f"iOS, {system}, {model}, {language}", processor, f"{{'Model':'{model}'}}"

    def phone(self):
        random = self.random
        model, brand, product = self.models.draw(random)
        system, language = self.systems.draw(random), self.languages.draw(random)
        if model == "Nexus 5X" and random.random() < 0.67:
            system = "8.1.0"
        is_emulator = random.random() < 0.012
        if is_emulator:
            model, brand = "Android SDK built for x86", "google"
            product = random.choice(["generic_x86", "sdk_gphone_x86", "vbox86p"])
        number = "4805388" if model == "Nexus 5X" else str(4_000_000 + random.randrange(60) * 7_919)
        keys = "user/release-keys"
        if random.random() < (0.25 if is_emulator else 0.008):
            keys = random.choice(["userdebug/test-keys", "eng/dev-keys"])
        build = f"{brand}/{product}/{product}:{system}/{BUILDS[system[0]]}/{number}:{keys}"
        return (f"Android {system}, {model}, {brand}, {product}, {language}", self.processors.draw(random),
                f"{{'Model':'{model}','Fingerprint':'{build}'}}")


def flag_lists(random):
    """Lists of flags in catalogue order: (all, those that the preset `default` rejects), joined by commas."""
    weights = [COMMON_FLAGS.get(flag, 0.9 if flag in rules.REJECTING else 1) for flag in rules.FLAGS]
    flags, counts = Choice(rules.FLAGS, weights), Choice.of(FLAGS_IN_LIST)
    rejecting = set(rules.REJECTING)
    lists = []
    for _ in range(FLAG_LISTS):
        count, chosen = counts.draw(random), set()
        while len(chosen) < count:
            chosen.add(flags.draw(random))
        names = [flag for flag in rules.FLAGS if flag in chosen]
        lists.append((",".join(names), ",".join(flag for flag in names if flag in rejecting)))
    return lists


def times(random, count):
    """Seconds from the start, in order: more by day than by night."""
    gaps = [random.expovariate(1) * (1 + 0.8 * math.sin(2 * math.pi * 7 * number / count)) for number in range(count)]
    positions = list(accumulate(gaps))
    return [int(position / positions[-1] * (SECONDS - 1)) for position in positions]


def current_address(random, device):
    """The address of one attestation: mostly the device's own, else a known, a private or a new one."""
    kind, low = random.random(), random.randrange(256)
    if kind < 0.72:
        return device.address
    if kind < 0.725:
        return "81.2.69.142"
    if kind < 0.732:
        return f"10.{random.randrange(256)}.{random.randrange(256)}.{low}"
    if kind < 0.742:
        return f"192.168.1.{low}"
    if kind < 0.75:
        return f"172.{random.randrange(32)}.3.{low}"
    return address(random)


def reason(random, device):
    """Why the app attested, where the capture says it."""
    kind, time, retry = random.random(), random.randrange(20, 9_000), min(int(random.expovariate(0.5)), 9)
    if kind < 0.03:
        return "no attestation"
    if kind < 0.12:
        failure = "safetynet timeout" if device.platform == "android" else "devicecheck unavailable"
        return f"{failure} after {time} ms retry={retry}"
    return f"cached result reused age={time}" if kind < 0.30 else None


def records(random, count):
    """The given number of attestations as (seconds, rejecting flags, flags and attributes by key)."""
    population = Population(random, max(SMALLEST_POPULATION, int(count * DEVICES_PER_EVENT)))
    lists, names = flag_lists(random), list(APPS.items())
    for second in times(random, count):
        device = population.next()
        index = device.flags if random.random() < 0.85 else random.randrange(FLAG_LISTS)
        flags, rejecting = lists[index]
        app, app_name = names[device.app]
        versions = ["1.9.7", "2.0.1", "2.4.0", "3.0.0", "3.2.1", f"4.0.0-rc{device.app % 3}", f"4.1.{device.app}",
                    f"4.2.{device.app}"]
        is_updated = random.random() > 0.93
        fields = {
            "flags": flags, "ip": current_address(random, device), "device-id": device.identity, "device": device.name,
            "archid": device.processor, "device-props": device.properties,
            "sdkid": str(4501 + (2 * device.app + (device.platform == "ios")) % 12), "sdk-version": device.sdk_version,
            "app-name": app_name, "app-version": versions[min(device.version + is_updated, 7)],
            "appid": f"com.example.{app}.{device.platform}", "app-sig": device.signature,
        }
        why = reason(random, device)
        if why:
            fields["attest-reason"] = why
        yield second, rejecting, fields


def text_record(time, rejecting, fields):
    lines = [f"--- {fields['device-id']} {time} UTC ---", f"rejection-flags: {rejecting}".rstrip()]
    for key, value in fields.items():
        lines.append(f"{'public-flags' if key == 'flags' else key}: {value}".rstrip())
    return "\n".join(lines) + "\n"


def json_record(time, fields):
    return json.dumps({"time": f"{time.isoformat()}Z"} | fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def write_parquet(source, target):
    import duckdb
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in rules.COLUMNS)
    duckdb.connect().execute(
        f"""COPY (SELECT * REPLACE (CAST(replace(replace(time, 'T', ' '), 'Z', '') AS TIMESTAMP_MS) AS time)
            FROM read_json('{source}', format='newline_delimited', columns={{{columns}}}))
            TO '{target}' (FORMAT parquet, COMPRESSION zstd)""")


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: generate.py COUNT FOLDER [SEED]")
    count, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(int(sys.argv[3]) if len(sys.argv) > 3 else 20200723)
    forms = sys.argv[4:] or ["txt", "jsonl", "parquet"]
    text, lines, table = (
        folder / f"events-{count}.{form}" if form in forms else os.devnull for form in ("txt", "jsonl", "parquet"))
    with open(text, "w", encoding="utf-8") as texts, open(lines, "w", encoding="utf-8") as objects:
        for second, rejecting, fields in records(random, count):
            time = START + timedelta(seconds=second)
            texts.write(text_record(time, rejecting, fields))
            objects.write(json_record(time, fields))
    (folder / "account.yaml").write_text(rules.account(), encoding="utf-8")
    # The last to be written: where it is, all are.
    if "parquet" in forms:
        write_parquet(lines, table)


if __name__ == "__main__":
    main()
