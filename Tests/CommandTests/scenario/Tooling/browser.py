"""Opens pages in Debian's Chromium, headless, as readers do: from disk and from a server with the header of a CI server,
with scripts and without, light and dark, narrow and wide, on paper. Says what it found as JSON. Other readers look for
faults of its markup.

Input (JSON): {"pages": [PATH…], "whole": [PATH…] of those with every view, "screenshots": FOLDER or null, "axe": PATH of axe.min.js or null, "widths": […]}
Output (JSON): {PATH: [{view, messages, requests, width, contentWidth, text, dark, axe, pdf, sheets, faults}…]}
"""

import atexit
import base64
import fcntl
import functools
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import html5lib

POLICY = "sandbox; default-src 'none'; img-src 'self'; style-src 'self'"
TIMEOUT = 60
# The width of a common phone.
PHONE = 390
# As Debian calls it, and as Ubuntu does.
BROWSER = shutil.which("chromium") or "chromium-browser"


class Browser:
    """Chromium at the other end of two pipes, which speak its debugging protocol: JSON with a zero behind each message."""

    def __init__(self, profile):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def descriptors():
            # By way of high numbers, since either may be 3 or 4 already.
            high = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_browser, from_browser)]
            for number, end in zip((3, 4), high):
                os.dup2(end, number)

        self.process = subprocess.Popen(
            [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.rest, self.number, self.events, self.session = b"", 0, [], None

    def open_tab(self):
        """Opens a tab and looks at it from now on. Returns its number and what belongs to it alone."""
        context = self.call_browser("Target.createBrowserContext")["browserContextId"]
        target = self.call_browser("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = self.call_browser("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.events.clear()
        for domain in ("Page", "Log", "Runtime", "Network"):
            self.call(f"{domain}.enable")
        return context

    def close_tab(self, context):
        """Closes a tab, and what it opened."""
        self.call_browser("Target.disposeBrowserContext", browserContextId=context)

    def message(self):
        while b"\0" not in self.rest:
            block = os.read(self.reader, 1 << 20)
            if not block:
                raise RuntimeError("the browser has ended")
            self.rest += block
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.writer, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def call_browser(self, method, **parameters):
        """Asks the browser itself, and not its page."""
        session, self.session = self.session, None
        try:
            return self.call(method, **parameters)
        finally:
            self.session = session

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.message())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:500])
        return result["result"].get("value")

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        self.process.wait(TIMEOUT)


@functools.cache
def shared():
    """The one browser of this process, which ends with it."""
    profile = tempfile.TemporaryDirectory()
    browser = Browser(profile.name)
    atexit.register(profile.cleanup)
    atexit.register(browser.close)
    return browser


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files as a CI server serves what a job left."""

    def end_headers(self):
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, *_):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def messages(events):
    """What the console would show."""
    for event in events:
        if event.get("method") == "Log.entryAdded":
            yield event["params"]["entry"]["text"]
        elif event.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            yield json.dumps(event["params"])[:500]


def requests(events, url):
    """What the page asks for beside itself."""
    for event in events:
        if event.get("method") == "Network.requestWillBeSent":
            asked = event["params"]["request"]["url"]
            if asked.split("#")[0] != url:
                yield asked


def look(browser, url, name, width, scheme, scripts, folder):
    """Opens a page in one view."""
    browser.call("Emulation.setScriptExecutionDisabled", value=not scripts)
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(url)
    styles = browser.call("Runtime.evaluate", expression="document.styleSheets.length", returnByValue=True)
    size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
    # If no pictures are kept, one of a page without its style alone; the whole page would take a second or more.
    shot = ""
    if folder or "-served-" in name:
        shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": 0, "width": width, "height": min(size["height"], 8000 if folder else 900), "scale": 1})["data"]
    if folder:
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(shot))
    return {"view": name, "width": width, "contentWidth": size["width"], "requests": list(requests(browser.events, url)),
            "messages": list(messages(browser.events)),
            "styles": styles["result"].get("value"), "screenshotBytes": len(shot)}


def faults(path):
    """What two readers of HTML complain of: the parser that browsers agree on, and a checker of the standard's rules."""
    parser = html5lib.HTMLParser(strict=False)
    parser.parse(Path(path).read_bytes())
    tidy = subprocess.run(["tidy", "-quiet", "-errors", path], capture_output=True, text=True)
    return [str(error) for error in parser.errors] + tidy.stderr.splitlines()


def check(browser, path, server, work):
    disk, web = Path(path).resolve().as_uri(), f"http://127.0.0.1:{server.server_port}/{Path(path).name}"
    folder, stem, views = work.get("screenshots"), Path(path).stem, []
    is_whole = folder or path in work["whole"]
    for width in work["widths"]:
        for scheme in ("light", "dark") if is_whole else ("light",):
            views.append(look(browser, disk, f"{stem}-disk-{width}-{scheme}", width, scheme, True, folder))
            if is_whole or width == work["widths"][0]:
                views.append(look(browser, web, f"{stem}-served-{width}-{scheme}", width, scheme, True, folder))
        if is_whole:
            views.append(look(browser, disk, f"{stem}-bare-{width}", width, "light", False, folder))
    # From disk again: what the page has become, and whether anybody is shut out.
    for scheme in ("light", "dark"):
        view = look(browser, disk, f"{stem}-audit-{scheme}", work["widths"][0], scheme, True, None)
        view["scripts"] = browser.evaluate("document.scripts.length")
        view["handlers"] = browser.evaluate(
            "[...document.querySelectorAll('*')].flatMap(e => [...e.attributes])"
            ".filter(a => a.name.startsWith('on') || /^\\s*javascript:/i.test(a.value)).length")
        view["background"] = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.call("Emulation.setEmulatedMedia", media="print", features=media)
        view["paper"] = browser.evaluate("getComputedStyle(document.body).backgroundColor")
        view["folded"] = browser.evaluate(
            "[...document.querySelectorAll('details td')].filter(e => !e.checkVisibility({contentVisibilityAuto: true}))"
            ".length")
        browser.call("Emulation.setEmulatedMedia", media="", features=media)
        # Lines that are broken, although one points at the other; and options that are.
        view["brokenLines"] = browser.evaluate(
            "[...document.querySelectorAll('pre')].filter(e => /\\n *\\^\\n/.test(e.textContent))"
            ".filter(e => { const style = getComputedStyle(e);"
            " const height = e.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);"
            " return height > (e.textContent.trimEnd().split('\\n').length + 0.5) * parseFloat(style.lineHeight) })"
            ".map(e => e.textContent)")
        view["brokenOptions"] = browser.evaluate(
            "[...document.querySelectorAll('p code, .option')].filter(e => /^--[^ ]{1,30}$/.test(e.textContent))"
            ".filter(e => e.getClientRects().length > 1).map(e => e.textContent)")
        view["identifiers"] = browser.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
        view["figures"] = browser.evaluate("[...document.querySelectorAll('td, th')].map(e => e.textContent)")
        view["titles"] = browser.evaluate("[...document.querySelectorAll('svg g > title')].map(e => e.textContent)")
        # Folded parts are unfolded from here on: their words count, and are audited, too.
        browser.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true }); 0")
        view["text"] = browser.evaluate("document.body.innerText")
        if work.get("axe"):
            browser.evaluate(Path(work["axe"]).read_text() + "; 0")
            view["axe"] = browser.evaluate(
                "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v => v.id + ': ' + v.help"
                " + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 200)).join(' | ')))")
        browser.call("Emulation.setDeviceMetricsOverride", width=PHONE, height=900, deviceScaleFactor=1, mobile=False)
        view["wideTables"] = browser.evaluate(
            "[...document.querySelectorAll('table')].filter(e => e.scrollWidth > e.parentElement.clientWidth + 1)"
            ".map(e => e.ariaLabel)")
        views.append(view)
    pdf = base64.b64decode(browser.call("Page.printToPDF", printBackground=True)["data"])
    if folder:
        Path(folder, f"{stem}.pdf").write_bytes(pdf)
    views.append({"view": f"{stem}-paper", "faults": faults(path), "pdf": pdf[:5].decode("latin-1"), "pdfBytes": len(pdf),
                  "sheets": len(re.findall(rb"/Type\s*/Page\b", pdf)),
                  "messages": list(messages(browser.events)), "requests": []})
    return views


def main():
    work = json.load(sys.stdin)
    servers, answer = {}, {}
    browser = shared()
    tab = browser.open_tab()
    for path in work["pages"]:
        parent = str(Path(path).resolve().parent)
        if parent not in servers:
            servers[parent] = serve(parent)
        answer[path] = check(browser, path, servers[parent], work)
    browser.close_tab(tab)
    for server in servers.values():
        server.shutdown()
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    # Under its own name, so that all programs of a process have one browser.
    from browser import shared
    main()
