"""The page of `scenario explore` in Debian's Chromium, and the command whose answers it shows."""

import json
import subprocess
import time
from pathlib import Path
from urllib.parse import quote

TIMEOUT = 120
ACCOUNT, CAPTURE = "account.yaml", "day.txt"

# The figures that a person reads, as one value: those of tables by the title of the table, and those around them.
FIGURES = """(() => {
    const text = (selector) => document.querySelector(selector)?.textContent ?? "";
    const [tables, heads] = [{}, {}];
    // Of a cell with a name and what it means, the name.
    const named = (cell) => (cell.querySelector(".pick, code") ?? cell).textContent;
    for (const table of document.querySelectorAll("main table")) {
        tables[table.caption.textContent] = [...table.tBodies[0].rows].map((row) => [...row.cells].map(named));
        heads[table.caption.textContent] = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    }
    return {
        sentence: text("#sentence"), facts: text("#facts"), devices: text("#devices-title"),
        failure: document.querySelector("#failure").hidden ? null : text("#failure"),
        rejected: text("[data-name=newly-rejected]"), accepted: text("[data-name=newly-accepted]"),
        commands: new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B")).getAll("change"), tables, heads,
    };
})()"""


class Command:
    """The command at the same captures and the same account, asked without the page."""

    def __init__(self, path, folder):
        self.path, self.folder, self.answers = path, folder, {}

    def run(self, *arguments):
        return subprocess.run([self.path, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=TIMEOUT)

    def inputs(self, commands, capture=CAPTURE):
        changes = [word for command in commands for word in ("--change", command)]
        return [capture, "--account", ACCOUNT, *(changes or ["--candidate", ACCOUNT])]

    def diff(self, commands, capture=CAPTURE):
        """The report as JSON, and the first sentence of the text; `None` if a command cannot be carried out."""
        key = json.dumps([commands, capture])
        if key not in self.answers:
            report, text = Path(self.folder, "report.json"), Path(self.folder, "report.txt")
            done = self.run("diff", *self.inputs(commands, capture), "--output", report.name, "--output", text.name)
            if done.returncode in (0, 5):
                self.answers[key] = json.loads(report.read_text()), text.read_text().splitlines()[0]
            else:
                self.answers[key] = None
        return self.answers[key]

    def ask(self, name, commands, *options):
        changes = [word for command in commands for word in ("--change", command)]
        return json.loads(self.run(name, CAPTURE, "--account", ACCOUNT, *changes, *options, "--format", "json").stdout)


class Explored:
    """A running `explore` with its page in a tab of the browser."""

    def __init__(self, browser, path, folder, *options, capture=CAPTURE):
        self.browser = browser
        self.process = subprocess.Popen(
            [path, "explore", capture, "--account", ACCOUNT, *options], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("exploring at http://"):
            raise SystemExit(f"explore does not start: {line}")
        self.url = line.split()[-1]

    def open(self, *commands):
        """Opens the page with these commands in its address."""
        fragment = "&".join("change=" + quote(command, safe="") for command in commands)
        # Another page first, since a new fragment alone loads nothing.
        self.browser.open("about:blank")
        self.browser.open(self.url + (f"#{fragment}" if fragment else ""))
        self.wait()

    def wait(self):
        """Waits until the page has its answers."""
        self.until("document.querySelector('#command') !== null && document.body?.dataset.busy === undefined"
                   " || document.querySelector('#failure')?.hidden === false")

    def js(self, expression):
        return self.browser.evaluate(expression)

    def figures(self):
        return self.js(FIGURES)

    def click(self, selector):
        """Clicks, and waits for the answers."""
        if not self.js(f"(() => {{ const found = document.querySelector({json.dumps(selector)}); found?.click(); return !!found }})()"):
            raise RuntimeError(f"there is no {selector}")
        self.wait()

    def press_button(self, text, within="body"):
        """Clicks the first button with the text."""
        self.js(f"[...document.querySelectorAll({json.dumps(within + ' button')})].find((one) => one.textContent === "
                f"{json.dumps(text)}).click()")
        self.wait()

    def open_fold(self, name):
        if not self.js(f"document.querySelector('[data-name={json.dumps(name)}]').parentElement.open"):
            self.js(f"document.querySelector('[data-name={json.dumps(name)}]').click()")
            self.until(f"document.querySelector('[data-name={json.dumps(name)}]').parentElement.childElementCount > 1")

    def choose(self, selector, value):
        self.js(f"(() => {{ const field = document.querySelector({json.dumps(selector)}); field.value = {json.dumps(value)};"
                " field.dispatchEvent(new Event('change')) })()")
        self.wait()

    def type(self, text):
        """Types into the field that has the keyboard."""
        for character in text:
            self.browser.call("Input.insertText", text=character)

    def type_key(self, character):
        """Presses the key of a letter, as a list of choices takes it."""
        key = {"key": character, "code": f"Key{character.upper()}", "windowsVirtualKeyCode": ord(character.upper())}
        self.browser.call("Input.dispatchKeyEvent", type="keyDown", text=character, **key)
        self.browser.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def press(self, key, **more):
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, " ": 32}
        common = {"key": key, "code": {" ": "Space"}.get(key, key), "windowsVirtualKeyCode": codes.get(key, 0), **more}
        text = {"Enter": "\r", " ": " "}.get(key)
        self.browser.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self.browser.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def drag(self, start, end):
        """Draws the pointer from one place to another, and waits for the answers."""
        for kind, (x, y) in (("mouseMoved", start), ("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end)):
            self.browser.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)
        self.wait()

    def holds(self, expression):
        """True if something holds in the page; false while another document takes its place."""
        try:
            return self.js(expression)
        except RuntimeError as failure:
            if any(words in str(failure) for words in ("navigated or closed", "context was destroyed", "find context")):
                return False
            raise

    def until(self, expression):
        """Waits until something holds in the page."""
        deadline = time.monotonic() + TIMEOUT
        while not self.holds(expression):
            if time.monotonic() > deadline:
                raise RuntimeError(f"never holds: {expression}")
            time.sleep(0.02)

    def kill(self):
        """Ends the command; a second time does nothing."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def grouped(number):
    return f"{number:,}"


def present(report):
    """The sentence about the account as it is, on captures whose devices attest once each."""
    failed, devices = report["before"]["summary"]["attestations-failed"], report["changes"]["devices"]
    tenths = (2000 * failed + devices) // (2 * devices)
    return f"Today {grouped(failed)} of {grouped(devices)} devices fail; {tenths // 10}.{tenths % 10} % of these"


def column(figures, table, title):
    """The figures of a column, by the names of the rows; an empty cell has none."""
    index = figures["heads"][table].index(title)
    return {row[0]: row[index] for row in figures["tables"][table]}


def expected(command, commands, capture=CAPTURE, kind="newly-rejected"):
    """The figures that the page has to show for a list of commands, with the groups of one kind of change."""
    answer = command.diff(commands, capture)
    if answer is None:
        return None
    report, sentence = answer
    changes = report["changes"]
    rejected, accepted = (changes[name]["devices"] for name in ("newly-rejected", "newly-accepted"))
    # A choice between the two kinds where there are devices of both; otherwise those of the only kind.
    hasBoth = rejected > 0 and accepted > 0
    if not hasBoth and changes[kind]["devices"] == 0:
        kind = "newly-rejected" if rejected else "newly-accepted"
    count = changes[kind]["devices"]
    return {
        "sentence": sentence if commands else present(report),
        "rejected": f"Newly rejected ({grouped(rejected)})" if hasBoth else "",
        "accepted": f"Newly accepted ({grouped(accepted)})" if hasBoth else "",
        "devices": f"{kind.capitalize().replace('-', ' ')} devices ({grouped(count)})" if count else "",
        "By flag": [[part["name"], grouped(part["devices"])] for part in changes[kind]["flags"]],
        "By filter": [[part["name"], grouped(part["devices"])] for part in changes[kind]["filters"]],
        "attestations": grouped(changes["attestations"]),
    }


def shown(figures):
    """The same figures as the page shows them."""
    rows = lambda title: [row[:2] for row in figures["tables"].get(title, [])]
    return {
        "sentence": figures["sentence"], "rejected": figures["rejected"], "accepted": figures["accepted"],
        "devices": figures["devices"], "By flag": rows("By flag"), "By filter": rows("By filter"),
        "attestations": figures["facts"].split(" ")[0],
    }
