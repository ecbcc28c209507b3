#!/usr/bin/env python3
"""Keeps one comment of a change request up to date.

usage: keep_comment.py FILE     (Markdown)

On GitHub it reads GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH and GITHUB_TOKEN; on GitLab CI_API_V4_URL,
CI_PROJECT_ID, CI_MERGE_REQUEST_IID and SCENARIO_GITLAB_TOKEN. SCENARIO_NAME tells several such comments apart.
A comment that says the same already is left alone. Without a change request nothing is done. Whoever may not write
comments, such as a job of a fork, gets the text in the summary of the job (GITHUB_STEP_SUMMARY), or else in its log.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

# Characters that both take.
LIMIT = 60_000
PAGE = 100
# GitHub answers 404 where a token may not even know of something.
REFUSALS = (401, 403, 404)


class GitHub:
    method = "PATCH"

    def __init__(self):
        event = json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
        request = event.get("pull_request")
        start = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
        self.comments = request and f"{start}/{request['number']}/comments"
        self.single = f"{start}/comments"
        self.headers = {"Authorization": f"Bearer {os.environ.get('GITHUB_TOKEN', '')}",
                        "Accept": "application/vnd.github+json"}


class GitLab:
    method = "PUT"

    def __init__(self):
        number = os.environ.get("CI_MERGE_REQUEST_IID")
        start = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}/merge_requests"
        self.comments = number and f"{start}/{number}/notes"
        self.single = self.comments
        self.headers = {"PRIVATE-TOKEN": os.environ.get("SCENARIO_GITLAB_TOKEN", "")}


def asked(host, method, address, content=None):
    request = urllib.request.Request(address, method=method, data=content and json.dumps(content).encode(),
                                     headers=host.headers | {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def comments(host):
    number = 1
    while page := asked(host, "GET", f"{host.comments}?per_page={PAGE}&page={number}"):
        yield from page
        number += 1


def main():
    if "GITHUB_EVENT_PATH" in os.environ:
        host = GitHub()
    elif "CI_API_V4_URL" in os.environ:
        host = GitLab()
    else:
        sys.exit("keep_comment: neither GitHub nor GitLab")
    if not host.comments:
        print("no change request, so no comment")
        return
    mark = f"<!-- scenario {os.environ.get('SCENARIO_NAME', 'diff')} -->"
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    if len(text) > LIMIT:
        text = text[:LIMIT].rpartition("\n")[0] + "\n\n…and more; the report is longer than a comment may be.\n"
    body = f"{mark}\n{text}".rstrip("\n")
    try:
        keep(host, mark, body)
    except urllib.error.HTTPError as refusal:
        if refusal.code not in REFUSALS:
            sys.exit(f"keep_comment: {refusal.url}: {refusal}")
        show(text, refusal)
    except OSError as failure:
        sys.exit(f"keep_comment: {host.comments}: {failure}")


def keep(host, mark, body):
    mine = next((each for each in comments(host) if each["body"].startswith(mark)), None)
    if mine is None:
        asked(host, "POST", host.comments, {"body": body})
        print("the comment is new")
    elif mine["body"].replace("\r\n", "\n").rstrip("\n") == body:
        print("the comment says so already")
    else:
        asked(host, host.method, f"{host.single}/{mine['id']}", {"body": body})
        print("the comment was changed")


def show(text, refusal):
    print(f"keep_comment: no permission to comment: {refusal}", file=sys.stderr)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(summary, "a", encoding="utf-8") as file:
            file.write(f"{text.rstrip()}\n")
    else:
        print(text)


if __name__ == "__main__":
    main()
