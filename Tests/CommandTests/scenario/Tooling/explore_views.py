"""The page of `explore` in all widths and colours: axe-core finds nothing, and nothing is wider than the window."""

import base64
from pathlib import Path

from explore_tasks import STRICT

# The tables that do not fit into their block.
TOO_WIDE = ("[...document.querySelectorAll('main table')].filter((one) => one.checkVisibility()"
            " && one.offsetWidth > one.parentElement.clientWidth + 1).map((one) => one.caption.textContent)")


def accessibility(page, command, work):
    """Nobody is shut out, in any width and colour; and nothing is wider than the window. Colours do not depend on the width:
    two widths suffice for the dark ones."""
    axe = Path(work["axe"]).read_text()
    for width in (360, 820, 1440, 2000):
        for scheme in ("light", "dark") if width in (360, 1440) else ("light",):
            page.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            page.browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            for name, commands in (("empty", []), ("busy", [STRICT]), ("wrong", ["policy -set default,none,risk"])):
                page.open(*commands)
                if name == "busy":
                    page.js("document.querySelectorAll('details:not([open]) > summary').forEach((one) => one.click())")
                    page.click("[data-name=edits]")
                view = f"{name} {width} {scheme}"
                keep(page, view, work)
                page.js(axe + "; 0")
                found = page.js("axe.run(document, {resultTypes: ['violations']}).then((result) => result.violations.map("
                                "(one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | ')))")
                yield f"axe {view}", found, []
                yield f"width {view}", page.js("document.documentElement.scrollWidth"), width
                yield f"tables {view}", page.js(TOO_WIDE), []
                if width == 360 and name == "empty":
                    page.js("document.querySelector('#dock button').click()")
                    keep(page, f"sheet {width} {scheme}", work)
                    yield (f"axe sheet {view}", page.js("axe.run(document, {resultTypes: ['violations']}).then((result) => "
                                                        "result.violations.map((one) => one.id))"), [])
                if name == "busy" and width in (360, 1440):
                    page.click("#devices tbody button")
                    keep(page, f"dialog {width} {scheme}", work)
                    page.js(axe + "; 0")
                    yield f"axe dialog {view}", page.js("axe.run('#dialog').then((result) => result.violations.map((one) => one.id))"), []
    page.browser.call("Emulation.clearDeviceMetricsOverride")
    yield "a live region", page.js("document.querySelector('#sentence').getAttribute('aria-live')"), "polite"
    plots = page.js("[...document.querySelectorAll('svg[role=img]')].every((one) => one.closest('section').querySelector('summary, table'))")
    yield "a table for each plot", plots, True


def keep(page, name, work):
    if not work.get("screenshots"):
        return
    size = page.browser.call("Page.getLayoutMetrics")["cssContentSize"]
    shot = page.browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip={
        "x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 4000), "scale": 1})["data"]
    Path(work["screenshots"], f"explore-{name.replace(' ', '-')}.png").write_bytes(base64.b64decode(shot))
