#!/usr/bin/env python3
"""Makes the pictures of pages in README.md and in the guides, as Chromium shows them: docs/page.png, the top of the report of a
change, and docs/explore.png and docs/explore-narrow.png, the page of `explore` with the same change.

usage: picture.py [COMMAND]     (by default .build/release/scenario)
"""
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent
PAGE, EXPLORED, NARROW = (900, 640), (1440, 960), (500, 860)
INPUTS = ["Scenarios/captures/new-devices-2020-07-23.txt", "--account", "Scenarios/accounts/bank.yaml"]
CHANGE = "policy -set default,strict,risk"


def chunks(png):
    at = 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + length]
        at += length + 12


def rows(png):
    """The rows of pixels of a picture of 8 bits without interlacing, as Chromium writes them."""
    parts = list(chunks(png))
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", parts[0][1])
    size = {2: 3, 6: 4}[colour]
    assert depth == 8 and not interlace
    data = zlib.decompress(b"".join(content for kind, content in parts if kind == b"IDAT"))
    stride, previous = width * size, bytearray(width * size)
    for row in range(height):
        kind, line = data[row * (stride + 1)], bytearray(data[row * (stride + 1) + 1:(row + 1) * (stride + 1)])
        for index in range(stride):
            left = line[index - size] if index >= size else 0
            above, corner = previous[index], previous[index - size] if index >= size else 0
            if kind == 1:
                line[index] = line[index] + left & 255
            elif kind == 2:
                line[index] = line[index] + above & 255
            elif kind == 3:
                line[index] = line[index] + (left + above) // 2 & 255
            elif kind == 4:
                guess = left + above - corner
                nearest = min((abs(guess - left), 0, left), (abs(guess - above), 1, above), (abs(guess - corner), 2, corner))
                line[index] = line[index] + nearest[2] & 255
        previous = line
        yield [bytes(line[at:at + 3]) for at in range(0, stride, size)]


def palettized(png):
    """The picture with the 256 commonest colours; others become the nearest of these."""
    picture = list(rows(png))
    counts = {}
    for row in picture:
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    palette = sorted(counts, key=lambda pixel: (-counts[pixel], pixel))[:256]
    index = {pixel: number for number, pixel in enumerate(palette)}
    for pixel in counts:
        if pixel not in index:
            index[pixel] = min(range(len(palette)), key=lambda number: sum((a - b) ** 2 for a, b in zip(pixel, palette[number])))
    lines = b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in picture)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", len(picture[0]), len(picture), 8, 3, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", b"".join(palette))
            + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


def picture(address, size, folder):
    """The picture that Chromium shows at an address, once the page has its answers."""
    shot = Path(folder, "shot.png")
    subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=10000",
                    f"--user-data-dir={folder}/profile", f"--window-size={size[0]},{size[1]}", f"--screenshot={shot}", address],
                   check=True, stderr=subprocess.DEVNULL)
    return palettized(shot.read_bytes())


def report(command, folder):
    page = Path(folder, "page.html")
    subprocess.run([command, "diff", *INPUTS, "--change", CHANGE, "--max-newly-rejected", "1%", "--output", page], cwd=ROOT,
                   check=False, stderr=subprocess.DEVNULL)
    return picture(page.as_uri(), PAGE, folder)


def explored(command, folder, size=EXPLORED):
    with subprocess.Popen([command, "explore", *INPUTS], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().split()[-1]
        try:
            return picture(f"{address}#change={quote(CHANGE)}", size, folder)
        finally:
            process.terminate()


def main(arguments):
    command = Path(arguments[0] if arguments else ROOT / ".build/release/scenario").resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name, made in (("page", report(command, folder)), ("explore", explored(command, folder)),
                           ("explore-narrow", explored(command, folder, NARROW))):
            Path(ROOT, f"docs/{name}.png").write_bytes(made)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
