#!/usr/bin/env python3
"""Compares `scenario serve` with a handler of libmicrohttpd that does nothing: requests in a second, and latency.

    service.py COMMAND [--seconds N] [--rounds N]

Needs gcc, libmicrohttpd-dev and wrk of Debian. Both get the same requests, from eight connections, in turn; what counts
is the ratio of one round, since the machine may be busy. The service is measured without a state and with one."""

import argparse
import os
import re
import statistics
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ACCOUNT = "account: bench\narc: on\napis: [{domain: my.api.io}]\nfilters: [{name: f, key: ip, match: 6.6.6.6, ban: true}]\n"
# A hundred devices, one after another.
SCRIPT = """
local number = 0
request = function()
  number = number + 1
  local device = string.format("%02d", number % 100) .. "AAAAAAAAAAAAAAAAAAAA=="
  local body = '{"device-id":"' .. device .. '","public-flags":"","ip":"1.2.3.4","appid":"com.a","app-version":"2.0",'
    .. '"device":"Android 8.1.0, Nexus 5X","device-props":"x86","sdkid":"2.5.0","app-name":"Bench"}'
  return wrk.format("POST", "/attest", nil, body)
end
"""
UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3}


def start(words, folder):
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return process, process.stdout.readline().split()[-1]


def measure(words, folder, seconds):
    """Requests in a second, and latency of half of them and of 99 in 100, in milliseconds."""
    process, url = start(words, folder)
    try:
        text = subprocess.run(
            ["wrk", "--threads", "1", "--connections", "8", "--duration", f"{seconds}s", "--latency", "--script",
             "script.lua", url], cwd=folder, capture_output=True, text=True, check=True).stdout
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(f"some requests were not answered:\n{text}")
    found = {name: float(value) * UNITS[unit] for name, value, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", text)}
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), found["50"], found["99"]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("command")
    options.add_argument("--seconds", type=int, default=5)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    command = os.path.abspath(given.command)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in [("account.yaml", ACCOUNT), ("script.lua", SCRIPT)]:
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
        subprocess.run(
            ["gcc", "-O2", "-o", "bare", os.path.join(HERE, "peers/bare.c"), "-lmicrohttpd"], cwd=folder, check=True)
        serve = [command, "serve", "--account", "account.yaml"]
        servers = {"bare handler": ["./bare"], "serve": serve, "serve --state": [*serve, "--state", "state"]}
        found = {name: [] for name in servers}
        for _ in range(given.rounds):
            for name, words in servers.items():
                state = os.path.join(folder, "state")
                for path in [state, state + "-wal", state + "-shm"]:
                    if os.path.exists(path):
                        os.remove(path)
                found[name].append(measure(words, folder, given.seconds))
    bare = found["bare handler"]
    print("                requests/s  of the bare    p50 ms    p99 ms")
    for name, rounds in found.items():
        share = statistics.median(mine[0] / theirs[0] for mine, theirs in zip(rounds, bare))
        rate, half, most = (statistics.median(column) for column in zip(*rounds))
        print(f"{name:15} {rate:10,.0f} {share:11.1%} {half:10.2f} {most:9.2f}")


if __name__ == "__main__":
    main()
