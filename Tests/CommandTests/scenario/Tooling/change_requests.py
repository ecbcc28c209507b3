"""Runs the example action and the example job of the folder Integrations, beside stand-ins for GitHub and GitLab.

Input (JSON): {"host": "github"|"gitlab", "root": PATH of the package, "tool": PATH of the command,
"runs": [{"account": TEXT, "inputs": {NAME: TEXT}, "request": true|false, "answer": STATUS}…]}
Output (JSON): {"runs": [{"status": N, "calls": [METHOD PATH…], "comments": [BODY…], "output": TEXT, "error": TEXT,
"summary": TEXT}…]}

With `answer` the host answers whoever writes a comment with this status, as GitHub answers a job of a fork with 403.

The repository has the account `policy: default,default,default` and a capture of three devices, one of them rooted. Each run
finds its own account in the working tree. Of what the hosts do, only what action and job use is here: inputs with defaults,
variables, and the comments of one change request, in pages of 100 behind 100 comments of others.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import yaml

RECORD = '{"time":"2020-07-23T10:00:00Z","device-id":"Device%sAAAAAAAAAAAAAAA==","flags":"%s"}\n'


class Host(BaseHTTPRequestHandler):
    """Comments of one change request."""

    def answer(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def content(self):
        self.server.calls.append(f"{self.command} {self.path}")
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def allowed(self):
        token = self.headers.get("Authorization") or self.headers.get("PRIVATE-TOKEN")
        return token in ("Bearer secret-token", "secret-token")

    def do_GET(self):
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1])
        self.answer(self.server.comments[100 * (page - 1):100 * page])

    def is_refused(self):
        if self.server.answer is None:
            return False
        self.server.calls.append(f"{self.command} {self.path}")
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_error(self.server.answer)
        return True

    def do_POST(self):
        if self.is_refused():
            return
        assert self.allowed()
        self.server.comments.append({"id": len(self.server.comments), "body": self.content()})
        self.answer({})

    def change(self):
        if self.is_refused():
            return
        assert self.allowed()
        self.server.comments[int(self.path.rpartition("/")[2])]["body"] = self.content()
        self.answer({})

    do_PATCH = do_PUT = change

    def log_message(self, *_):
        pass


def git(folder, *words):
    names = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    return subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def prepare(folder):
    """The commit that the change request starts from."""
    (folder / "accounts").mkdir()
    (folder / "accounts/prod.yaml").write_text("policy: default,default,default\n")
    (folder / "day.jsonl").write_text("".join(RECORD % (letter, flags) for letter, flags in
                                              (("A", "rooted"), ("B", "jailbroken"), ("C", ""))))
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Start")
    return git(folder, "rev-parse", "HEAD")


def steps_of_github(root, inputs, base, work, is_request, address):
    action = yaml.safe_load((root / "Integrations/github/action.yml").read_text())
    event = work / "event.json"
    event.write_text(json.dumps({"pull_request": {"number": 7, "base": {"sha": base}}} if is_request else {}))
    known = {"github.event.pull_request.base.sha": base, "github.token": "secret-token"}

    def filled(text):
        return re.sub(r"\$\{\{ (\S+) \}\}", lambda match: known[match[1]], str(text))

    for name, one in action["inputs"].items():
        assert name in inputs or not one.get("required")
        known[f"inputs.{name}"] = filled(inputs.get(name, one.get("default", "")))
    assert set(inputs) <= set(action["inputs"])
    shared = {"GITHUB_API_URL": address, "GITHUB_REPOSITORY": "owner/name", "GITHUB_EVENT_PATH": str(event), "GITHUB_STEP_SUMMARY": str(work / "summary.md"),
              "GITHUB_ACTION_PATH": str(root / "Integrations/github")}
    for step in action["runs"]["steps"]:
        yield step["run"], shared | {name: filled(value) for name, value in step["env"].items()}


def steps_of_gitlab(root, inputs, base, work, is_request, address):
    job = yaml.safe_load((root / "Integrations/gitlab/scenario.gitlab-ci.yml").read_text())["policy"]
    known = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_API_V4_URL": address, "CI_PROJECT_ID": "12",
             "SCENARIO_GITLAB_TOKEN": "secret-token"} | ({"CI_MERGE_REQUEST_IID": "7"} if is_request else {})
    variables = {name: re.sub(r"\$(\w+)", lambda match: known[match[1]], str(value))
                 for name, value in job["variables"].items()}
    own = {"SCENARIO_" + name.upper().replace("-", "_"): value for name, value in inputs.items()}
    assert job["image"]["entrypoint"] == [""]
    for line in job["script"]:
        # The package installs the folder there.
        yield line.replace("/usr/share/scenario", str(root)), known | variables | own


def main():
    work = json.load(sys.stdin)
    root = Path(work["root"])
    server = HTTPServer(("127.0.0.1", 0), Host)
    server.comments = [{"id": number, "body": f"Comment {number} of somebody"} for number in range(100)]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    answers = []
    with tempfile.TemporaryDirectory() as name:
        repository, aside = Path(name) / "repository", Path(name)
        repository.mkdir()
        (aside / "bin").mkdir()
        (aside / "bin/scenario").symlink_to(work["tool"])
        base = prepare(repository)
        steps = {"github": steps_of_github, "gitlab": steps_of_gitlab}[work["host"]]
        for run in work["runs"]:
            (repository / "accounts/prod.yaml").write_text(run["account"])
            server.calls, server.answer = [], run.get("answer")
            (aside / "summary.md").unlink(missing_ok=True)
            for line, variables in steps(root, run["inputs"], base, aside, run["request"],
                                         f"http://127.0.0.1:{server.server_port}"):
                environment = {"PATH": f"{aside}/bin:/usr/bin:/bin", "HOME": name, "no_proxy": "127.0.0.1"} | variables
                done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", line], cwd=repository, env=environment,
                                      capture_output=True, text=True)
            answers.append({"status": done.returncode, "calls": server.calls, "error": done.stderr, "output": done.stdout,
                            "summary": (aside / "summary.md").read_text() if (aside / "summary.md").exists() else "",
                            "comments": [one["body"] for one in server.comments[100:]]})
    json.dump({"runs": answers}, sys.stdout)


if __name__ == "__main__":
    main()
