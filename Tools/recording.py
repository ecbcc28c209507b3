#!/usr/bin/env python3
"""Makes docs/explore.webp: a change that is explored, from the first look to the export, as Chromium shows it.

usage: recording.py [COMMAND]     (by default .build/release/scenario)

Each frame has the part of the window that is not as in the frame before.
"""
import base64
import json
import struct
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/CommandTests/scenario/Tooling"))

from browser import shared  # noqa: E402
from explored import Explored  # noqa: E402

WIDTH, HEIGHT = 1320, 820
QUALITY = 0.8
# Milliseconds of a step of the pointer, and the steps of a way.
STEP, STEPS = 50, 7

# A page of its own compares a picture with the one before, and gives the part that differs: its place, and its bytes as WebP.
COMPARE = """
globalThis.before = null;
globalThis.difference = async (text, quality) => {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes]));
    const {width, height} = picture;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d", {willReadFrequently: true});
    context.drawImage(picture, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    let [left, top, right, bottom] = before ? [width, height, 0, 0] : [0, 0, width, height];
    for (let index = 0; before && index < pixels.length; index += 1) {
        if (pixels[index] === before[index]) continue;
        const [x, y] = [index % width, Math.floor(index / width)];
        [left, top] = [Math.min(left, x), Math.min(top, y)];
        [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
    before = pixels;
    if (right === 0) return null;
    // A frame begins at even places.
    [left, top] = [left - left % 2, top - top % 2];
    const part = new OffscreenCanvas(right - left, bottom - top);
    part.getContext("2d").drawImage(picture, -left, -top);
    const blob = await part.convertToBlob({type: "image/webp", quality});
    const content = [...new Uint8Array(await blob.arrayBuffer())].map((one) => String.fromCharCode(one)).join("");
    return {left, top, width: right - left, height: bottom - top, content: btoa(content)};
}; 0
"""

POINTER = """(() => {
    const svg = "http://www.w3.org/2000/svg";
    const [box, path] = ["svg", "path"].map((name) => document.createElementNS(svg, name));
    path.setAttribute("d", "M1 1v17l4.5-4 3 6.5 2.7-1.2-3-6.3H14z");
    path.setAttribute("fill", "black");
    path.setAttribute("stroke", "white");
    box.append(path);
    box.setAttribute("aria-hidden", "true");
    Object.assign(box.style, {position: "fixed", zIndex: 2147483647, width: "16px", height: "22px", pointerEvents: "none"});
    globalThis.point = (x, y) => {
        // On top of a dialog, too.
        (document.querySelector("dialog[open]") ?? document.body).append(box);
        Object.assign(box.style, {left: `${x}px`, top: `${y}px`});
    };
})(); 0"""


class Recorder:
    """Takes the frames while the page is used."""

    def __init__(self, browser, page):
        self.browser, self.page = browser, page
        self.frames, self.place = [], (640, 500)
        self.shown = browser.session
        browser.open_tab()
        browser.evaluate(COMPARE)
        self.compared, browser.session = browser.session, self.shown

    def hold(self, milliseconds):
        """Shows what there is now for a time."""
        shot = self.browser.call("Page.captureScreenshot", format="png")["data"]
        self.browser.session = self.compared
        part = self.browser.evaluate(f"difference({json.dumps(shot)}, {QUALITY})")
        self.browser.session = self.shown
        if part:
            self.frames.append([part, milliseconds])
        else:
            self.frames[-1][1] += milliseconds

    def point(self, selector):
        """Moves the pointer to the middle of an element, which is scrolled into view."""
        box = self.page.js(f"""(() => {{
            const found = document.querySelector({json.dumps(selector)});
            found.scrollIntoViewIfNeeded();
            const box = found.getBoundingClientRect();
            return [box.left + Math.min(box.width / 2, 120), box.top + box.height / 2];
        }})()""")
        start = self.place
        for step in range(1, STEPS + 1):
            share = step / STEPS
            smooth = share * share * (3 - 2 * share)
            self.place = tuple(a + (b - a) * smooth for a, b in zip(start, box))
            self.page.js(f"point({self.place[0]}, {self.place[1]})")
            self.hold(STEP)
        self.hold(250)

    def press(self, selector, milliseconds):
        """Points at an element, presses it, and shows the answer for a time."""
        self.point(selector)
        self.page.click(selector)
        self.page.js(f"point({self.place[0]}, {self.place[1]})")
        time.sleep(0.6)
        self.hold(milliseconds)


def chunk(kind, content):
    return kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def three(number):
    return struct.pack("<I", number)[:3]


def frame(part, milliseconds):
    """The chunk of a frame: its place and time, and the picture without the file around it."""
    content, at, picture = base64.b64decode(part["content"]), 12, b""
    while at < len(content):
        size = struct.unpack("<I", content[at + 4:at + 8])[0]
        end = at + 8 + size + size % 2
        if content[at:at + 4] in (b"ALPH", b"VP8 ", b"VP8L"):
            picture += content[at:end]
        at = end
    sizes = three(part["left"] // 2) + three(part["top"] // 2) + three(part["width"] - 1) + three(part["height"] - 1)
    # It is put over what there is.
    return chunk(b"ANMF", sizes + three(milliseconds) + b"\x02" + picture)


def animation(frames):
    """A file of frames that are repeated for ever."""
    head = chunk(b"VP8X", b"\x02\0\0\0" + three(WIDTH - 1) + three(HEIGHT - 1)) + chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")
    body = b"WEBP" + head + b"".join(frame(part, milliseconds) for part, milliseconds in frames)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def explore(recorder, page):
    """Who would `strict` hit, why, and which edit spares one of them?"""
    recorder.hold(1700)
    recorder.point("#policy-rejection")
    page.choose("#policy-rejection", "strict")
    time.sleep(0.6)
    recorder.hold(2000)
    recorder.press("#hit tbody button", 1700)
    recorder.press("#devices tbody button", 1900)
    recorder.press("#dialog tbody button", 1500)
    page.js("scrollTo(0, 0)")
    recorder.press("[data-name='all devices']", 1000)
    recorder.press("[data-name=export]", 1500)


def main(arguments):
    command = Path(arguments[0] if arguments else ROOT / ".build/release/scenario").resolve()
    browser = shared()
    browser.open_tab()
    browser.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
    with tempfile.TemporaryDirectory() as folder:
        for name, path in (("new-devices-2020-07-23.txt", "captures/new-devices-2020-07-23.txt"), ("account.yaml", "accounts/bank.yaml")):
            Path(folder, name).write_bytes(Path(ROOT, "Scenarios", path).read_bytes())
        page = Explored(browser, command, folder, "--confidence", "95%", capture="new-devices-2020-07-23.txt")
        try:
            page.open()
            page.js(POINTER)
            recorder = Recorder(browser, page)
            explore(recorder, page)
        finally:
            page.kill()
    content = animation(recorder.frames)
    Path(ROOT, "docs/explore.webp").write_bytes(content)
    seconds = sum(milliseconds for _, milliseconds in recorder.frames) / 1000
    print(f"docs/explore.webp: {len(recorder.frames)} frames, {seconds:.1f} s, {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
