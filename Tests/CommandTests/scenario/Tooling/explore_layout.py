"""How the page of `explore` behaves while somebody works with it: what is typed, the sheet of small windows, the order of devices, and
answers that take long."""

from explored import column

from explore_tasks import STRICT

PROBLEM = "document.querySelector('#command-problem').textContent"
# An answer that never comes, until the question is given up.
SLOW = """(() => {
    const fetched = window.fetch;
    window.fetch = (route, options) => route !== "answer" ? fetched(route, options) : new Promise((_, refuse) => {
        options.signal.addEventListener("abort", () => refuse(new DOMException("", "AbortError")));
    });
})()"""


def layout(page, command, work):
    yield from typed(page)
    yield from sheet(page)
    yield from sorted_devices(page)
    yield from chips(page)
    yield from ended(page)


def typed(page):
    """Nothing moves while somebody types, and a word that is not finished is no fault."""
    page.open()
    page.js("document.querySelector('#command').focus()")
    height = page.js("document.querySelector('#answer').getBoundingClientRect().top")
    for text in ("policy -addRej", "ectFlag clon"):
        page.type(text)
        page.until("document.querySelectorAll('#completions li').length > 0")
        yield f"no fault after {text}", page.js(PROBLEM), ""
    page.type("ed")
    page.until(f"{PROBLEM} !== ''")
    yield "what Enter does", page.js(PROBLEM).startswith("updating the security policy will"), True
    page.js("document.querySelector('#command').value = ''")
    page.type("policy -addd x")
    page.until(f"{PROBLEM} !== ''")
    yield "a fault of a finished word", "-addd" in page.js(PROBLEM), True
    yield "the answer stays where it is", page.js("document.querySelector('#answer').getBoundingClientRect().top"), height
    boxes = page.js("""['#command', '#command-problem'].map((one) => document.querySelector(one).getBoundingClientRect())
        .map(({top, bottom}) => [top, bottom])""")
    yield "the message is below the line", boxes[0][1] <= boxes[1][0], True


def sheet(page):
    """The account opens over the answer in small windows, and the keyboard follows."""
    for width in (820, 390):
        page.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        page.open(STRICT)
        yield f"{width}: shut", page.js("document.querySelector('#account').checkVisibility()"), False
        yield f"{width}: the sentence", page.js("document.querySelector('#dock').textContent").startswith("104 of 2,000 devices would stop"), True
        page.js("document.querySelector('#dock button').focus()")
        page.press("Enter")
        yield f"{width}: open", page.js("document.querySelector('#account').checkVisibility()"), True
        yield f"{width}: the keyboard is in it", page.js("document.activeElement.id"), "account"
        yield f"{width}: its button", page.js("document.querySelector('#dock button').textContent"), "Close"
        page.click("[data-name='flag cloned']")
        yield f"{width}: it stays open", page.js("document.querySelector('#account').checkVisibility()"), True
        page.press("Escape")
        yield f"{width}: shut again", page.js("document.querySelector('#account').checkVisibility()"), False
        yield f"{width}: the keyboard is back", page.js("document.activeElement.textContent"), "Account"
    page.browser.call("Emulation.setDeviceMetricsOverride", width=1440, height=900, deviceScaleFactor=1, mobile=False)


def sorted_devices(page):
    """The devices by time, by reason and by ID; and the pager says so."""
    page.open(STRICT)
    columns = {"time": "time", "would fail for": "reason", "device": "device ID"}
    for title, order in columns.items():
        page.click(f"#devices [data-name='sort {title}']")
        shown = list(column(page.figures(), "Newly rejected devices", title).values())
        yield f"by {order}", shown, sorted(shown)
        yield f"the pager, by {order}", page.js("document.querySelector('.pager .note').textContent"), f"1–20 of 104 devices, by {order}"


def chips(page):
    """A narrowed state shows what narrows it, counted, and gives it up again."""
    page.open(STRICT)
    page.press_button("Android 9", "#hit")
    yield "a chip", page.js("document.querySelector('#part li').textContent"), "os-version: Android 9×"
    yield "its count", page.js("document.querySelector('#part .note').textContent"), "only these 364 of 2,000 devices · all devices"
    yield "the basis", page.figures()["facts"].split(" · ")[0], "364 attestations of 364 devices, of 2,000 devices in all"
    page.press_button("all devices", "#part")
    yield "all devices", page.js("document.querySelector('#part').checkVisibility()"), False


def ended(page):
    """A long answer says that it works, and can be ended; the last answer stays, and is pale."""
    page.open(STRICT)
    sentence = page.figures()["sentence"]
    page.js(SLOW)
    page.js("document.querySelector('[data-name=\"flag cloned\"]').click()")
    page.until("document.querySelector('[data-name=end]')?.checkVisibility()")
    yield "pale", page.js("document.body.classList.contains('stale')"), True
    yield "the last answer", page.figures()["sentence"], sentence
    page.click("[data-name=end]")
    yield "ended", page.js("document.querySelector('#working').textContent").startswith("Ended."), True
    yield "still pale", page.js("document.body.classList.contains('stale')"), True
