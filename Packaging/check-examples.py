"""Runs the examples for code hosts as the package has them, beside stand-ins for GitHub and GitLab.

usage: check-examples.py CHANGE_REQUESTS [ROOT [COMMAND]]
CHANGE_REQUESTS is Tests/CommandTests/scenario/Tooling/change_requests.py, ROOT holds the folder Integrations, and COMMAND is `scenario`.
"""

import json
import subprocess
import sys

# Of three captured devices, blacklist rejects the one that passed; allow-root lets another one in.
ACCOUNTS = [("default,blacklist,default", 4), ("default,allow-root,default", 0)]
INPUTS = {"account": "accounts/prod.yaml", "captures": "day.jsonl", "max-newly-rejected": "0"}


def main(program, root="/usr/share/scenario", tool="/usr/bin/scenario"):
    for host in ("github", "gitlab"):
        runs = [{"account": f"policy: {policy}\n", "inputs": INPUTS, "request": True} for policy, _ in ACCOUNTS]
        work = {"host": host, "root": root, "tool": tool, "runs": runs}
        done = subprocess.run([sys.executable, program], input=json.dumps(work), capture_output=True, text=True, check=True)
        for (policy, status), run in zip(ACCOUNTS, json.loads(done.stdout)["runs"], strict=True):
            assert run["status"] == status, (host, policy, run)
            # One comment, which the second run changes.
            assert len(run["comments"]) == 1, (host, policy, run["comments"])
            assert ("A limit is exceeded" in run["comments"][0]) == (status == 4), run["comments"]
            assert ("1 of 3 devices would stop" in run["comments"][0]) == (status == 4), run["comments"]
        print(f"the example for {host} comments on a change request")


if __name__ == "__main__":
    main(*sys.argv[1:])
