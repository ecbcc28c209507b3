"""Uses the page of `scenario explore` as people do, in Debian's Chromium, and compares its figures with the command's answers.

Input (JSON): {"command": PATH, "folder": FOLDER with account.yaml, day.txt and hostile.jsonl, "part": NAME, "walks": N, "seed": N,
               "axe": PATH, "options": [OPTION…], "screenshots": FOLDER or null}
Output (JSON): {"compared": N, "differences": [{"what", "page", "command"}…]}
"""

import json
import random
import re
import sys
from pathlib import Path

from browser import shared as shared_browser
from explore_functions import functions
from explore_tasks import STRICT, TASKS
from explore_layout import layout
from explore_views import accessibility
from explored import Command, Explored, column, expected, shown

# All that somebody can press or choose, but for what narrows the devices: `diff` alone has no answer for that.
CONTROLS = """[...document.querySelectorAll('#account input[type=checkbox]:not(:disabled), #account select,'
    + ' #account [data-name^="remove filter"]:not(:disabled), #commands ol button, #tools > button:not(:disabled), #kinds button,'
    + ' #devices .bar button:not(:disabled), #devices .sort')]
    .filter((one) => one.checkVisibility())"""


def tasks(page, command, work):
    for task in TASKS:
        try:
            for number, (shows, says) in enumerate(task(page, command)):
                yield f"{task.__name__} {number}", shows, says
        except (RuntimeError, LookupError) as error:
            yield task.__name__, f"{type(error).__name__}: {error}", "is done"


def walks(page, command, work):
    """Random walks of clicks: the commands that the page says lead to the figures that it shows."""
    for walk in range(work["walks"]):
        chance = random.Random(work["seed"] + walk)
        page.open()
        page.js("document.querySelectorAll('#account .line > summary').forEach((one) => one.click())")
        for step in range(chance.randint(3, 6)):
            place, option = chance.random(), chance.random()
            page.js(f"""(() => {{
                const controls = {CONTROLS};
                const one = controls[Math.floor({place} * controls.length)];
                if (one.localName !== "select") return one.click();
                const options = [...one.options].filter((option) => !option.disabled && !option.selected);
                if (options.length === 0) return;
                one.value = options[Math.floor({option} * options.length)].value;
                one.dispatchEvent(new Event("change"));
            }})()""")
            page.wait()
            figures = page.figures()
            kind = "newly-accepted" if figures["devices"].startswith("Newly accepted") else "newly-rejected"
            says = expected(command, figures["commands"], kind=kind)
            what = f"walk {walk} step {step}: {figures['commands']}"
            if says is None:
                yield what, figures["failure"] is not None, True
                break
            yield what, shown(figures), says


def keyboard(page, command, work):
    """Three tasks without a pointer."""
    page.open()
    tab_to(page, "document.activeElement.id === 'policy-rejection'")
    page.type_key("s")
    page.until(f"location.hash.includes('strict')")
    page.wait()
    yield "a preset", shown(page.figures()), expected(command, [STRICT])
    # A command with a completion, and one with a fault.
    page.open()
    tab_to(page, "document.activeElement.id === 'command'")
    page.type("policy -addR")
    page.until("document.querySelector('#completions [role=option]') !== null")
    page.press("ArrowDown")
    page.press("Enter")
    page.type("cloned")
    page.press("Enter")
    page.until("document.querySelector('#command-problem').className === 'worse' || location.hash !== ''")
    page.wait()
    yield "a fault is at its column", page.js("document.querySelector('#command').getAttribute('aria-invalid')"), "false"
    yield "a command", page.figures()["commands"], ["policy -addRejectFlag cloned"]
    page.js("document.querySelector('#command').focus()")
    page.type("polcy -set x")
    page.press("Enter")
    page.until("document.querySelector('#command-problem').className === 'worse'")
    yield "a wrong command is not added", page.figures()["commands"], ["policy -addRejectFlag cloned"]
    yield "its fault is marked", page.js("document.querySelector('#command-problem pre').textContent.split('\\n')[1]"), "^"
    # A device with its explanation, and back.
    page.open(STRICT)
    tab_to(page, "document.activeElement.closest('#devices tbody') !== null")
    device = page.js("document.activeElement.textContent")
    page.press("Enter")
    page.until("document.querySelector('#dialog').open")
    yield "an explanation", page.js("document.querySelector('#dialog-title').textContent"), device
    page.press("Escape")
    page.until("!document.querySelector('#dialog').open")
    yield "the keyboard is back", page.js("document.activeElement.textContent"), device


def tab_to(page, condition):
    for _ in range(400):
        if page.js(condition):
            return
        page.press("Tab")
    raise RuntimeError(f"the keyboard never reaches: {condition}")


def speed(page, command, work):
    """Typing a pattern blocks nothing: of three tries one has no task of 50 ms, whatever else the machine does."""
    longest = []
    for _ in range(3):
        page.open(STRICT)
        page.open_fold("filter android7")
        page.js("document.querySelector('[data-name=\"value of android7\"]').focus()")
        page.js("window.long = []; new PerformanceObserver((list) => window.long.push(...list.getEntries().map("
                "(one) => one.duration))).observe({entryTypes: ['longtask']}); 0")
        page.type("(a+)+[0-9]{2}|Pixel 4.*(XL)?")
        page.until("document.querySelector('[aria-label=\"Filter android7\"] [role=status]').textContent !== ''")
        longest.append(page.js("Math.max(0, ...window.long)"))
    yield "the longest task while a pattern is typed, below 50 ms", min(longest) < 50 or longest, True


def endings(page, command, work):
    """A reload, two tabs, and the end of the command."""
    page.open(STRICT)
    before = page.figures()
    page.js("window.isOld = true; location.reload()")
    page.until("window.isOld === undefined && document.querySelector('#facts') !== null")
    page.wait()
    yield "a reload", page.figures(), before
    first = page.browser.session
    target = page.browser.call_browser("Target.createTarget", url="about:blank")["targetId"]
    page.browser.session = page.browser.call_browser("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime"):
        page.browser.call(f"{domain}.enable")
    page.open("policy -set default,allow-root,risk")
    yield "the second tab", shown(page.figures()), expected(command, ["policy -set default,allow-root,risk"])
    page.browser.session = first
    page.choose("#policy-rejection", "allow-cloned")
    cloned = ["policy -set default,allow-cloned,risk"]
    yield "the first tab", shown(page.figures()), expected(command, cloned)
    page.kill()
    page.js("document.querySelector('[data-name=\"flag cloned\"]').click()")
    page.until("!document.querySelector('#failure').hidden")
    yield "the end of the command", page.figures()["failure"].startswith("the command does not answer"), True


def labels(page, command, work):
    """What labels say of the account, of a change and of its devices; edits by their cost, and those that no other edit beats."""
    page.open(STRICT)
    report = command.ask("diff", [STRICT], "--labels", "labels.csv")["changes"]
    newly = report["labels"]["after"]["newly-rejected"]
    yield "of a change", page.js("document.querySelector('#labelled').textContent"), f"Of the labelled ones {newly['good']} good, {newly['bad']} bad."
    label = {line.split(",")[0]: line.split(",")[1] for line in Path(command.folder, "labels.csv").read_text().split()[1:]}
    for kind in ("good", "bad"):
        alone = command.ask("diff", [STRICT], "--labels", "labels.csv", "--only", f"label:{kind}", "--count", "os-version")["changes"]
        yield f"{kind} ones by flag", said_of(page, "By flag", kind), counts_of(alone["newly-rejected"]["flags"], "devices")
        said = said_of(page, "By os-version", kind)
        counted = counts_of(alone["values"][0]["values"], "newly-rejected", "value")
        yield f"{kind} ones by system", said, {name: counted[name] for name in said}
        yield f"some {kind} ones", len(said) > 0, True
    said = column(page.figures(), "Newly rejected devices", "label")
    yield "of devices", said, {device: label.get(device, "") for device in said}
    page.open()
    answer = command.ask("whatif", [], "--labels", "labels.csv", "--order", "newly-rejected")
    now, edits = answer["labels"]["account"], answer["edits"]
    bad, good = now["bad"], now["good"]
    yield ("of the account", page.js("document.querySelector('#labelled').textContent"),
           f"Of the labelled ones {bad['caught']} of {bad['devices']} bad are caught, {good['blocked']} of {good['devices']} good are blocked.")
    alone = command.ask("replay", [], "--labels", "labels.csv", "--only", "label:bad")["metrics"]
    counted = {name.removeprefix(start): count for start in ("rejection-flag-", "rejection-filter-")
               for name, count in alone.items() if name.startswith(start)}
    said = said_of(page, "Why devices fail", "bad")
    yield "bad ones that fail today", said, {name: counted[name] for name in said}
    yield "some of them", len(said) > 3, True
    page.open_fold("more edits")
    noted = [edit for edit in edits if edit["newly-rejected"]["devices"] or edit["newly-accepted"]["devices"]
             or edit["token-fetches-per-mille"] != 1000]
    yield ("efficient edits", page.js("document.querySelectorAll('#edits th small').length"),
           sum(edit["labels"]["efficient"] for edit in noted))
    says = {edit["command"]: edit["labels"] for edit in edits}
    figures = page.figures()
    for title, side, count in (("bad caught", "bad", "caught"), ("good blocked", "good", "blocked")):
        listed = column(figures, "Single edits", title)
        yield title, listed, {line: signed(says[line][side][count] - now[side][count]) for line in listed}
    yield "some are listed", len(listed) > 10, True
    page.js("document.querySelectorAll('#edits input').forEach((one, index) => { one.value = [40, 6][index] })")
    page.press_button("Weigh", "#edits")
    weighed = command.ask("whatif", [], "--labels", "labels.csv", "--cost", "missed=40,blocked=6", "--order", "cost")["edits"]
    saves = column(page.figures(), "Single edits", "saves")
    says = {edit["command"]: str(edit["labels"]["saves"]) for edit in weighed}
    yield "saves", saves, {line: says[line] for line in saves}
    yield "the largest saving is first", next(iter(saves)), weighed[0]["command"]


def said_of(page, table, label):
    """The devices of a label in the rows of a table, by the names of these."""
    said = page.js(f"""Object.fromEntries([...document.querySelectorAll('main table')]
        .find((one) => one.caption.textContent === {json.dumps(table)}).querySelectorAll('tbody tr').values()
        .map((row) => [row.querySelector('.pick, code').textContent, row.querySelector('.labelled')?.textContent ?? ""]))""")
    found = {name: re.search(rf"([\d,]+) {label}", words) for name, words in said.items()}
    return {name: int(match[1].replace(",", "")) for name, match in found.items() if match}


def counts_of(parts, member, name="name"):
    return {part[name]: part[member] for part in parts if part[member] > 0}


def signed(count):
    return "±0" if count == 0 else f"{'+' if count > 0 else '−'}{abs(count):,}"


def strangers(page, command, work):
    """Names of strangers are shown as texts."""
    page.open("policy -set default,blacklist,risk")
    page.js("document.querySelectorAll('details:not([open]) > summary').forEach((one) => one.click())")
    text = page.js("document.body.innerText")
    yield "a script is a text", "alert(1)" in text, True
    yield "elements of strangers", page.js("document.querySelectorAll('script:not([src=\"main.js\"]), img, iframe, body style').length"), 0
    unseen = page.js(r"(document.body.textContent.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g) ?? []).length")
    yield "characters that cannot be seen", unseen, 0
    messages = [event for event in page.browser.events if event.get("method") == "Runtime.exceptionThrown"]
    yield "messages", messages, []


PARTS = {part.__name__: part for part in (tasks, walks, keyboard, accessibility, layout, speed, endings, labels, strangers,
                                          functions)}


def main():
    work = json.load(sys.stdin)
    compared, differences = 0, []
    capture = "hostile.jsonl" if work["part"] == "strangers" else "day.txt"
    browser = shared_browser()
    tab = browser.open_tab()
    page = Explored(browser, work["command"], work["folder"], *work["options"], capture=capture)
    command = Command(work["command"], work["folder"])
    browser.call("Emulation.setDeviceMetricsOverride", width=1440, height=900, deviceScaleFactor=1, mobile=False)
    try:
        for what, shows, says in PARTS[work["part"]](page, command, work):
            compared += 1
            if shows != says:
                differences.append({"what": what, "page": shows, "command": says})
    finally:
        page.kill()
    browser.close_tab(tab)
    json.dump({"compared": compared, "differences": differences}, sys.stdout)


if __name__ == "__main__":
    main()
