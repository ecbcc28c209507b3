"""The page of a report, as a part of another page such as a notebook."""

from __future__ import annotations

import re

_CLASS = "policy-scenario"
# Inputs and command line, which the cell above the output shows.
_ORIGIN = re.compile(r'<section class="block" id="repeat-it">.*(?=</main>)', re.DOTALL)


def fragment(page: str) -> str:
    """The content of a page, without script, and with a style that applies to nothing else.

    Its rules are inside one for the part, so that they count more than those of the notebook, which aligns all cells of tables to
    the right.

    >>> fragment("<head><style>body{margin:0}h2{top:1}</style></head><body><main>3 devices</main></body>")
    '<div class="policy-scenario"><style>.policy-scenario{&{margin:0}h2{top:1}}</style><main>3 devices</main></div>'
    """
    style = page[page.index("<style>") + len("<style>"):page.index("</style>")]
    style = re.sub(r":root\b|(?:(?<=^)|(?<=[}\n]))(?:html|body)(?=[{,])", "&", style)
    body = page[page.index("<body>") + len("<body>"):page.rindex("</body>")]
    body = _ORIGIN.sub("", body)
    return f'<div class="{_CLASS}"><style>.{_CLASS}{{{style}}}</style>{body.strip()}</div>'
