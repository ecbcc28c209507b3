"""Ten tasks of a security engineer on the page of `scenario explore`, from the first click to the result, and the other ways to a
part of the captures. Each gives pairs of what the page shows and what the command, or a plain count, says."""

import json
import re
import subprocess
from pathlib import Path

from explored import ACCOUNT, CAPTURE, column, expected, grouped, shown

STRICT = "policy -set default,strict,risk"


def same(page, command, commands):
    return shown(page.figures()), expected(command, commands)


def commands_of(page):
    return page.figures()["commands"]


def cheapest_preset(page, command):
    """Which preset costs least?"""
    page.open()
    page.click("[data-name='sort newly rejected']")
    page.open_fold("more edits")
    figures = page.figures()
    tables = "Single edits", "Single edits, continued"
    rejected, accepted = ({line: count for table in tables for line, count in column(figures, table, title).items()}
                          for title in ("newly rejected", "newly accepted"))
    edits = command.ask("whatif", [], "--order", "newly-rejected")["edits"]
    for edit in edits:
        turned = edit["newly-rejected"]["devices"], edit["newly-accepted"]["devices"]
        if edit["command"].startswith("policy -set ") and any(turned):
            yield ((rejected[edit["command"]], accepted[edit["command"]]),
                   tuple(grouped(count) if count else "" for count in turned))
    yield list(rejected)[:1], ["policy -set default,blacklist,risk"]


def hit_by_strict(page, command):
    """Who is hit by `strict`?"""
    page.open()
    page.choose("#policy-rejection", "strict")
    yield commands_of(page), [STRICT]
    yield page.js("document.querySelector('h1').textContent"), "example-bank"
    yield same(page, command, [STRICT])
    # As README.md has it.
    yield page.figures()["tables"]["By flag"][0], ["safetynet-unavailable", "49", "", "47.1 %"]
    values = command.run("diff", *command.inputs([STRICT]), "--count", "os-version", "--top", "8", "--format", "json")
    counted = json.loads(values.stdout)["changes"]["values"][0]["values"]
    yield ([row[:2] for row in page.figures()["tables"]["By os-version"]],
           [[one["value"], grouped(one["newly-rejected"])] for one in counted[:6]])


def failing_today(page, command):
    """Why do devices fail today?"""
    page.open()
    # Each device of this capture attests once.
    metrics = command.ask("replay", [])["metrics"]
    counted = {name.removeprefix(start): count for start in ("rejection-flag-", "rejection-filter-")
               for name, count in metrics.items() if name.startswith(start)}
    figures = page.figures()
    tables = ("Why devices fail", "Why devices fail, continued")
    if "more reasons" in page.js("[...document.querySelectorAll('summary')].map((one) => one.dataset.name)"):
        page.open_fold("more reasons")
        figures = page.figures()
    listed = {name: count for table in tables if table in figures["tables"]
              for name, count in column(figures, table, "devices").items()}
    yield listed, {name: grouped(count) for name, count in counted.items()}
    yield len(listed) > 3, True


def more_frida(page, command):
    """What if 2.5 % of the devices shown had frida?"""
    page.open()
    page.click("[data-name='assume frida']")
    page.js("document.querySelector('#dialog input').value = 2.5")
    page.click("[data-name=assume]")
    page.until("document.querySelector('#dialog pre') !== null")
    line = page.js("document.querySelector('#dialog pre').textContent")
    yield "--assume 'add frida to 2.5%'" in line, True
    typed = line.replace("scenario ", f"{command.path} ", 1).strip() + " --format json"
    answer = json.loads(subprocess.run(typed, shell=True, cwd=command.folder, capture_output=True, text=True).stdout)
    draws = answer["assumed"]["draws"]
    newly = draws["newly-rejected"]
    yield page.js("document.querySelector('#dialog .sub').textContent"), (
        f"On average {newly['expected']:.1f} devices would newly be rejected; {grouped(newly['fewest'])} at the fewest and "
        f"{grouped(newly['most'])} at the most, whichever {grouped(draws['taken'])} of {grouped(draws['devices'])} devices it is.")
    yield newly["most"] > newly["fewest"], True


def matches_of_a_pattern(page, command):
    """Which values does this regex match?"""
    pattern = r"^203\.0\.113\."
    page.open()
    page.open_fold("filter emulator-farm")
    field = "document.querySelector('[data-name=\"value of emulator-farm\"]')"
    page.js(f"{field}.focus(); {field}.select()")
    page.type(pattern)
    page.until("/^Matches/.test(document.querySelector('[aria-label=\"Filter emulator-farm\"] [role=status]').textContent)")
    text = page.js("document.querySelector('[aria-label=\"Filter emulator-farm\"] [role=status]').firstChild.textContent")
    addresses = re.findall(r"^ip: (.*)$", Path(command.folder, CAPTURE).read_text(), re.MULTILINE)
    found = [address for address in addresses if re.search(pattern, address)]
    yield text, f"Matches {len(found)} devices, with {len(set(found))} values."
    yield commands_of(page), []


def whitelisted_tester(page, command):
    """A tester's phone has to get in."""
    page.open()
    device = command.diff(["policy -set default,whitelist,risk"])[0]["changes"]["newly-accepted"]["examples"][0]["device"]
    page.open_fold("new entry")
    page.js(f"document.querySelector('#new-entry').value = {json.dumps(device)}")
    page.press_button("Add the entry")
    line = f"device -add {device} -policy default,whitelist,risk"
    yield commands_of(page), [line]
    yield same(page, command, [line])
    yield page.figures()["devices"], "Newly accepted devices (1)"


def banned_farm(page, command):
    """The emulators of a farm have to go."""
    page.open()
    page.open_fold("filter emulator-farm")
    page.click('[data-name="ban of emulator-farm"]')
    changed = commands_of(page)
    yield [line.split()[:3] for line in changed], [["filter", "-add", "emulator-farm"]]
    yield "-ban" in changed[0].split() and "-risky" in changed[0].split(), True
    yield same(page, command, changed)
    page.click('[data-name="ban of emulator-farm"]')
    yield commands_of(page), []


def longer_sampling(page, command):
    """A larger share of the devices gets the filtered policy."""
    page.open()
    page.js("document.querySelector('#sampling').value = 25")
    page.click("[data-name='set sampling']")
    yield commands_of(page), ["filter -setSamplingPercentage 25"]
    yield same(page, command, commands_of(page))


def edit_for_a_device(page, command):
    """Which single edit lets this device in?"""
    page.open(STRICT)
    device = page.js("document.querySelector('#devices tbody button').textContent")
    page.click("#devices tbody button")
    explained = command.ask("explain", [STRICT], "--device", device)["explanations"][0]
    flips, verdict = explained["flips"], explained["steps"][-4]["lines"][0]
    yield page.js("document.querySelector('#dialog .says').textContent"), f"Passes today, would {verdict}"
    listed = page.js("[...document.querySelectorAll('#dialog tbody code')].map((one) => one.textContent)")
    yield listed[: len(flips)], ["; ".join(flip) for flip in flips]
    page.press_button("Apply", "#dialog")
    yield commands_of(page), [STRICT, *flips[0]]
    yield same(page, command, commands_of(page))
    explained = command.ask("explain", commands_of(page), "--device", device)["explanations"]
    yield explained[0]["verdict"], "pass"


def let_in_again(page, command):
    """Devices with a flag look bad by mistake: what lets them in, and who else gets in?"""
    page.open(STRICT)
    page.click("[data-name='reason safetynet-unavailable']")
    page.click("[data-name=exempt]")
    line = page.js("document.querySelector('#dialog pre').textContent")
    typed = line.replace("scenario ", f"{command.path} ", 1).strip() + " --format json"
    done = subprocess.run(typed, shell=True, cwd=command.folder, capture_output=True, text=True)
    answers = json.loads(done.stdout)["answers"]
    rows = "[...document.querySelectorAll('#dialog tbody tr')].map((row) => [...row.cells].slice(0, 4).map((one) => one.textContent))"
    counts = [[one["exempted"][name] for name in ("devices", "others", "remaining")] for one in answers]
    yield page.js(rows), [["; ".join(one["commands"]), *map(grouped, count)] for one, count in zip(answers, counts)]
    yield counts[0][0] > 50 and counts[0][2] == 0, True
    yield "declares no further rules" in page.js("document.querySelector('#dialog').textContent"), True
    before = command.diff([STRICT])[0]["after"]["summary"]["attestations-failed"]
    page.press_button("Apply", "#dialog")
    changed = commands_of(page)
    yield changed, [STRICT, *answers[0]["commands"]]
    page.click("[data-name='all devices']")
    yield same(page, command, changed)
    # Each device of this capture attests once.
    yield before - command.diff(changed)[0]["after"]["summary"]["attestations-failed"], counts[0][0] + counts[0][1]


def idle_filters(page, command):
    """Which filters decide nothing?"""
    file = Path(command.folder, ACCOUNT)
    text = file.read_text()
    more = ["{name: lab, key: ip, match: 192.168.7.9, reject: true}", "{name: again, key: device, regex: '^Android 7', risky: true}"]
    file.write_text(text.replace("filters:\n", "filters:\n" + "".join(f"  - {line}\n" for line in more)))
    try:
        page.open()
        parts = json.loads(command.run("lint", CAPTURE, "--account", ACCOUNT, "--format", "json").stdout)["parts"]
    finally:
        file.write_text(text)
    says = {part["name"]: part["effect"] if part["effect"] in ("idle", "shadowed", "unmatched") else ""
            for part in parts if part["kind"] == "filter"}
    yield page.js("""Object.fromEntries([...document.querySelectorAll('#account .line > summary')].map((one) =>
        [one.querySelector('code').textContent, one.querySelector('small')?.textContent.replace(' · ', '') ?? '']))"""), says
    yield says["lab"], "unmatched"


def two_candidates(page, command):
    """Which of two policies?"""
    page.open()
    for name in ("strict", "allow-root"):
        page.choose("#policy-rejection", name)
        yield same(page, command, [f"policy -set default,{name},risk"])
    page.press_button("Undo")
    yield same(page, command, [STRICT])
    page.press_button("Redo")
    yield same(page, command, ["policy -set default,allow-root,risk"])
    # Each of the three names changes alone.
    page.choose("#policy-annotation", "info")
    page.choose("#policy-rejection", "default")
    yield commands_of(page), ["policy -set default,default,info"]
    page.choose("#policy-annotation", "risk")
    yield commands_of(page), []


def part(command, name, is_meant):
    """Writes a capture of some records; returns their number."""
    text = Path(command.folder, CAPTURE).read_text()
    records = re.split(r"^(?=--- )", text.replace("getting new devices\n", ""), flags=re.MULTILINE)
    meant = [record for record in records if is_meant(record)]
    Path(command.folder, name).write_text("getting new devices\n" + "".join(meant))
    return len(meant)


def is_late(record):
    """The records of a capture as text begin with their device and time, in British Summer Time."""
    found = re.match(r"--- \S+ 2020-07-23 (\d\d)", record)
    return found and int(found[1]) >= 11


def last_hours(page, command):
    """Only the last two hours count."""
    late = part(command, "late.txt", is_late)
    page.open(STRICT)
    page.open_fold("span")
    page.js("""(() => {
        const [from, until] = document.querySelectorAll('#time select');
        from.value = '2020-07-23T10:00:00Z';
        until.value = '2020-07-23T12:00:00Z';
    })()""")
    page.click("[data-name='select span']")
    figures = shown(page.figures())
    yield figures, expected(command, [STRICT], "late.txt")
    yield figures["attestations"], grouped(late)
    page.click("[data-name='remove span']")
    yield same(page, command, [STRICT])


def dragged_span(page, command):
    """The last two hours once more, by a pointer that is drawn over the plot from right to left."""
    late = part(command, "late.txt", is_late)
    page.open(STRICT)
    page.open_fold("span")
    # The middle of the bars of these hours on the screen.
    places = page.js("""(() => {
        const starts = [...document.querySelectorAll('#time select')][0].options;
        const box = document.querySelector('#time .area').getBoundingClientRect();
        return import('./plot.js').then(({slot}) => ['2020-07-23T10:00:00Z', '2020-07-23T11:00:00Z'].map((start) => {
            const {left, width} = slot([...starts].findIndex((one) => one.value === start), starts.length);
            return box.left + box.width * (left + width / 2) / 100;
        }));
    })()""")
    height = page.js("(() => { const box = document.querySelector('#time .area').getBoundingClientRect(); return box.top + box.height / 2 })()")
    page.drag((places[1], height), (places[0], height))
    yield "from=2020-07-23T10%3A00%3A00Z" in page.js("location.hash"), True
    figures = shown(page.figures())
    yield figures, expected(command, [STRICT], "late.txt")
    yield figures["attestations"], grouped(late)


def narrowed_by_value(page, command):
    """Only the devices with a flag, and then those of them that show another value, count."""
    flagged = part(command, "flagged.txt", lambda record: "safetynet-unavailable" in record)
    page.open(STRICT)
    page.press_button("safetynet-unavailable", "#reasons")
    figures = shown(page.figures())
    yield figures, expected(command, [STRICT], "flagged.txt")
    yield figures["attestations"], grouped(flagged)
    system = page.js("[...document.querySelectorAll('#hit table')].find((one) => one.caption.textContent === 'By os-version')"
                     ".querySelector('tbody button').textContent")
    part(command, "narrowed.txt", lambda record: "safetynet-unavailable" in record and f" {system}," in record)
    page.press_button(system, "#hit")
    yield shown(page.figures()), expected(command, [STRICT], "narrowed.txt")


def handed_over(page, command):
    """Somebody else has to make the change."""
    page.open(STRICT, "policy -removeRejectFlag safetynet-unavailable")
    changed, sentence = commands_of(page), page.figures()["sentence"]
    taken = {}
    for name in ("Commands, one a line", "Command line of diff", "Markdown for a change request", "Account file", "Scenario"):
        page.js("document.querySelector('[data-name=export]').click()")
        page.press_button(name, "#tools")
        page.until(f"document.querySelector('#dialog pre')?.getAttribute('aria-label') === {json.dumps(name)}")
        taken[name] = page.js("document.querySelector('#dialog pre').textContent")
        page.press_button("Close", "#dialog")
    yield taken["Commands, one a line"].split("\n"), [*changed, ""]
    Path(command.folder, "next.yaml").write_text(taken["Account file"])
    Path(command.folder, "changes.txt").write_text(taken["Commands, one a line"])
    for option, file in (("--candidate", "next.yaml"), ("--changes", "changes.txt")):
        yield command.run("diff", CAPTURE, "--account", "account.yaml", option, file).stdout.splitlines()[0], sentence
    changes = [word for one in changed for word in ("--change", one)]
    # The page shows the beginning of a long text.
    written = command.run("record", CAPTURE, "--account", "account.yaml", *changes).stdout
    yield taken["Scenario"], written[:20_000] + "…"
    yield (taken["Markdown for a change request"],
           command.run("diff", CAPTURE, "--account", "account.yaml", *changes, "--format", "markdown").stdout)
    line = taken["Command line of diff"]
    yield all(f"'{one}'" in line or f'"{one}"' in line for one in changed) and "scenario diff " in line, True


TASKS = [cheapest_preset, hit_by_strict, failing_today, more_frida, matches_of_a_pattern, whitelisted_tester, banned_farm, longer_sampling,
         edit_for_a_device, let_in_again, idle_filters, two_candidates, last_hours, handed_over, dragged_span, narrowed_by_value]
