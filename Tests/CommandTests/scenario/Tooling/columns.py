"""Gives every command random captures as lines and as columns, and compares all that it writes.

Reads {"scenario": PATH, "folder": PATH, "seeds": [N, …]} and writes how many runs of each command were equal; ends with an error
at the first difference. The columns are written by pyarrow and polars, in files and streams, with batches that end anywhere. Runs
in the environment of Tools/columns.txt.
"""
import base64
import collections
import difflib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import urllib.request

import polars
import pyarrow as pa
from pyarrow import ipc

ACCOUNT = """account: a
policy: default,default,default
filters:
  - {name: ten, key: ip, regex: '^10[.]', reject: true}
  - {name: two, key: ip, match: 11.0.0.2}
  - {name: app, key: appid, match: com.b, risky: true}
  - {name: number, key: sdkid, match: '12'}
"""
CHANGE = "policy -set default,allow-root,default"
KEYS = ["ip", "appid", "app-version", "device", "rejection-flags"]
VALUES = {
    "ip": ["10.0.0.1", "11.0.0.2", "1.2.3.4"],
    "appid": ["com.a", "com.b", "Café"],
    "app-version": ["1.0", "2.0", ""],
    "device": ["Android 8.1.0, Nexus", "iOS, 12.1, iPhone7,2, en_GB", "x" * 40],
    "rejection-flags": ["", "rooted", "rooted,frida"],
}
FLAGS = ["rooted", "frida", "first-fetch", "zz-unknown", "new-did"]
work = json.load(sys.stdin)
os.chdir(work["folder"])
equal = collections.Counter()


def records(chance, count):
    """Records in the order of time; some have mistakes."""
    start, result = 1_595_239_200, []
    devices = [base64.b64encode(chance.randbytes(16)).decode() for _ in range(6)]
    for _ in range(count):
        start += chance.choice([0, 1, 30, 300, 20_000])
        record = {"time": start, "device-id": chance.choice(devices)}
        if chance.random() < 0.95:
            record["flags"] = [flag for flag in FLAGS if chance.random() < 0.2]
        record |= {key: chance.choice(VALUES[key]) for key in KEYS if chance.random() < 0.7}
        record["sdkid"], record["beta"] = chance.choice([12, 13, None]), chance.choice([True, False, None])
        if chance.random() < 0.03:
            record["device-id"] = None
        result.append(record)
    return result


def lines(records):
    def members(record):
        shown = {key: value for key, value in record.items() if value is not None}
        shown["time"] = polars.from_epoch(polars.Series([record["time"]])).dt.strftime("%Y-%m-%dT%H:%M:%SZ")[0]
        if "flags" in shown:
            shown["flags"] = ",".join(shown["flags"])
        return shown

    return "".join(json.dumps(members(record), ensure_ascii=False) + "\n" for record in records).encode()


def keyed(chance, values, kind):
    """A dictionary with values that no row has, some twice, and an absent one; keys of some width."""
    distinct = list(dict.fromkeys(value for value in values if value is not None)) + ["unused"]
    if kind == pa.binary(16):
        distinct[-1] = bytes(16)
    distinct += [distinct[0], None]
    chance.shuffle(distinct)
    places = collections.defaultdict(list)
    for place, value in enumerate(distinct):
        places[value].append(place)
    keys = [None if value is None and chance.random() < 0.5 else chance.choice(places[value]) for value in values]
    width = chance.choice([pa.int8(), pa.int16(), pa.int32(), pa.uint8(), pa.uint32()])
    return pa.DictionaryArray.from_arrays(pa.array(keys, width), pa.array(distinct, kind))


def arrays(chance, records):
    """For each key an array of pyarrow in some form."""
    table = {}
    unit = chance.choice(["s", "ms", "us", "ns"])
    size = {"s": 1, "ms": 1000, "us": 10**6, "ns": 10**9}[unit]
    table["time"] = pa.array([record["time"] * size for record in records], pa.timestamp(unit, tz=chance.choice(["UTC", "+00:00"])))
    ids = [record["device-id"] for record in records]
    raw = [value and base64.b64decode(value) for value in ids]
    table["device-id"] = chance.choice([
        lambda: pa.array(raw, pa.binary(16)), lambda: pa.array(raw, pa.binary()), lambda: pa.array(raw, pa.binary_view()),
        lambda: keyed(chance, raw, pa.binary(16)), lambda: pa.array(ids), lambda: keyed(chance, ids, pa.string()),
    ])()
    flags = [record.get("flags") for record in records]
    joined = [None if value is None else ",".join(value) for value in flags]
    table["flags"] = chance.choice([
        lambda: pa.array(joined), lambda: keyed(chance, joined, pa.string()), lambda: pa.array(flags, pa.list_(pa.string())),
        lambda: pa.array(flags, pa.large_list(pa.dictionary(pa.int8(), pa.string()))),
    ])()
    for key in KEYS:
        values = [record.get(key) for record in records]
        table[key] = chance.choice([
            lambda: pa.array(values, chance.choice([pa.string(), pa.large_string(), pa.string_view()])),
            lambda: keyed(chance, values, pa.string()), lambda: keyed(chance, values, pa.large_string()),
        ])()
    table["sdkid"] = pa.array([record["sdkid"] for record in records], chance.choice([pa.int64(), pa.uint8(), pa.int16()]))
    table["beta"] = pa.array([record["beta"] for record in records])
    table["unused"] = pa.nulls(len(records))
    table["origin-line"] = pa.array(range(1, len(records) + 1), chance.choice([pa.int32(), pa.int64()]))
    return pa.table(table)


def with_pyarrow(chance, records):
    table, output = arrays(chance, records), io.BytesIO()
    isStream = chance.random() < 0.5
    deltas = isStream and chance.random() < 0.5
    options = ipc.IpcWriteOptions(
        compression=chance.choice([None, "lz4", "zstd"]), emit_dictionary_deltas=deltas)
    writer = (ipc.new_stream if isStream else ipc.new_file)(output, table.schema, options=options)
    start = 0
    while start < len(records):
        end = start + chance.choice([1, 2, 7, 40, 1000])
        writer.write_table(table.slice(start, end - start))
        start = end
    writer.close()
    return output.getvalue()


def with_polars(chance, records):
    columns = arrays(chance, records)
    frame = polars.from_arrow(pa.table({
        "time": pa.array([record["time"] for record in records], pa.timestamp("s", "UTC")),
        "device-id": pa.array([record["device-id"] for record in records]),
        "flags": pa.array([record.get("flags") for record in records], pa.list_(pa.string())),
        **{key: pa.array([record.get(key) for record in records], pa.string()) for key in KEYS},
        **{key: columns[key] for key in ["sdkid", "beta", "origin-line"]},
    }))
    for key in KEYS:
        if chance.random() < 0.5:
            frame = frame.with_columns(polars.col(key).cast(polars.Categorical))
    output = io.BytesIO()
    compression = chance.choice(["uncompressed", "lz4", "zstd"])
    if chance.random() < 0.5:
        frame.write_ipc(output, compression=compression)
    else:
        frame.write_ipc_stream(output, compression=compression)
    return output.getvalue()


def normal(said):
    """What is said without what differs with the bytes of the inputs."""
    said = re.sub(rb"[0-9a-f]{64}", b"DIGEST", said)
    # Names of redacted values follow from the inputs.
    said = re.sub(rb'(names": ?)("[a-z0-9]+"|\[[^]]*\])', rb"\1NAMES", said)
    said = re.sub(rb'("bytes": ?)[0-9]+', rb"\1N", said)
    return re.sub(rb'<td class="n[^"]*">[0-9,]+</td><td><code>([0-9a-f]+<wbr>)+[0-9a-f]+', b"DIGEST", said)


def run(arguments):
    """All that a command says and writes, but the digests of its inputs."""
    for name in os.listdir("."):
        if name.startswith("out."):
            os.unlink(name)
    done = subprocess.run([work["scenario"], *arguments], capture_output=True, check=False)
    assert done.returncode in (0, 1, 2, 4, 5), (arguments, done)
    written = [(name, open(name, "rb").read()) for name in sorted(os.listdir(".")) if name.startswith("out.")]
    said = done.stdout + b"\0" + done.stderr + b"".join(name.encode() + b"\0" + text for name, text in written)
    return done.returncode, normal(said)


def commands(device):
    common = ["--account", "account.yaml", "--skip-malformed"]
    change = [*common, "--change", CHANGE]
    yield ["replay", *common, "--decisions", "out.decisions", "--format", "json", "capture"]
    yield ["replay", *common, "--count", "ip,appid,country,device-id", "--confidence", "95%", "capture"]
    yield ["replay", *common, "--shard", "1/2", "--format", "json", "capture"]
    yield ["replay", "--account", "account.yaml", "capture"]
    yield ["replay", *common, "--sort", "--format", "html", "capture", "capture"]
    yield ["diff", *change, "--who", "app-version,country,flags", "--format", "json", "capture"]
    yield ["whatif", *common, "--format", "json", "capture"]
    yield ["search", *common, "--reject", "ip=10.0.0.1", "--format", "json", "capture"]
    yield ["explain", *common, "--device", device, "capture"]
    yield ["minimise", *change, "capture"]
    yield ["record", *common, "capture"]
    yield ["compare", *common, "--format", "json", "capture", "capture"]
    yield ["rollout", *change, "--steps", "10%:6h,100%", "--format", "json", "capture"]


def merged():
    """The report of the parts that two machines would have evaluated."""
    for part in ["1", "2"]:
        common = ["replay", "--account", "account.yaml", "--skip-malformed"]
        done = run([*common, "--shard", f"{part}/2", "--partial", f"part.{part}", "capture"])
        assert done[0] == 0, done
    return run(["merge", "part.1", "part.2", "--format", "json"])


def split():
    """The report of the parts that `split` writes, each evaluated by itself, and how many records each has."""
    shutil.rmtree("parts", ignore_errors=True)
    subprocess.run([work["scenario"], "split", "capture", "--shards", "2", "--output", "parts"], check=True, capture_output=True)
    counts = []
    for part in ["1", "2"]:
        done = run(["replay", f"parts/shard-{part}.arrow", "--account", "account.yaml", "--skip-malformed", "--partial", f"part.{part}"])
        assert done[0] == 0, done
        with ipc.open_file(f"parts/shard-{part}.arrow") as reader:
            counts.append(sum(reader.get_batch(number).num_rows for number in range(reader.num_record_batches)))
    return counts, run(["merge", "part.1", "part.2", "--format", "json"])


def explored():
    """The answers of `explore` about the change, before and after it has a baseline."""
    command = [work["scenario"], "explore", "capture", "--account", "account.yaml", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            address = process.stdout.readline().removeprefix("exploring at ").strip()
            body = json.dumps({"changes": [CHANGE]}).encode()
            request = urllib.request.Request(address + "answer", body, {"Content-Type": "application/json"})
            answers = []
            for _ in range(2):
                with urllib.request.urlopen(request, timeout=60) as answer:
                    answers.append(normal(answer.read()))
            return answers
        finally:
            process.terminate()


def difference(*sides):
    parts = [[part for line in side.splitlines() for part in re.split("(?<=[,{}])", line)] for side in sides]
    return "\n".join(difflib.unified_diff(*parts, "lines", "columns", lineterm="", n=0))


def check(seed):
    chance = random.Random(seed)
    found = records(chance, chance.choice([1, 12, 90]))
    forms = [with_pyarrow(chance, found), with_polars(chance, found)]
    device = next((record["device-id"] for record in found if record["device-id"]), "AAAAAAAAAAAAAAAAAAAAAA==")
    open("account.yaml", "w", encoding="utf-8").write(ACCOUNT)
    for arguments in commands(device):
        open("capture", "wb").write(lines(found))
        # One device is explained by one worker.
        jobs = [] if arguments[0] == "explain" else ["--jobs", chance.choice(["1", "2", "7"])]
        expected = run([*arguments, *(jobs and ["--jobs", "1"])])
        open("capture", "wb").write(chance.choice(forms))
        given = run(arguments + jobs)
        if given != expected:
            shown = difference(*(side[1].decode(errors="replace") for side in (expected, given)))
            sys.exit(f"seed {seed}, {arguments + jobs}, exit {expected[0]} and {given[0]}:\n{shown}")
        equal[arguments[0]] += 1
    # Nothing explores records that make no sense.
    sound = [record for record in found if record["device-id"]] or [record | {"device-id": device} for record in found]
    soundForms = [with_pyarrow(chance, sound), with_polars(chance, sound)]
    for name, outcome, captures in [
        ("merge", merged, [lines(found), *forms]), ("split", split, [lines(found), *forms]),
        ("explore", explored, [lines(sound), *soundForms]),
    ]:
        sides = []
        for capture in captures:
            open("capture", "wb").write(capture)
            sides.append(outcome())
        for side in sides[1:]:
            if side != sides[0]:
                sys.exit(f"seed {seed}, {name}:\n{difference(repr(sides[0]), repr(side))}")
        equal[name] += 1


for number in work["seeds"]:
    check(number)
print(json.dumps(equal))
