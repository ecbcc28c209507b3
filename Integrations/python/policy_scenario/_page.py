"""The page of a report, as a part of another page such as a notebook."""

from __future__ import annotations

import re

_CLASS = "policy-scenario"
_NAVIGATION = re.compile(r"<nav\b.*?</nav>\s*", re.DOTALL)
# Inputs and command line, which the cell above the output shows.
_ORIGIN = re.compile(r'<section id="how-this-report-was-made">.*(?=</main>)', re.DOTALL)


def fragment(page: str) -> str:
    """The content of a page, without script, and with a style that applies to nothing else.

    >>> fragment("<head><style>body{margin:0}h2{top:1}</style></head><body><main>3 devices</main></body>")
    '<div class="policy-scenario"><style>@scope(.policy-scenario){:scope{margin:0}h2{top:1}}</style><main>3 devices</main></div>'
    """
    style = page[page.index("<style>") + len("<style>"):page.index("</style>")]
    style = re.sub(r":root\b|(?:(?<=^)|(?<=[}\n]))(?:html|body)(?=[{,])", ":scope", style)
    body = page[page.index("<body>") + len("<body>"):page.rindex("</body>")]
    body = _ORIGIN.sub("", _NAVIGATION.sub("", body))
    return f'<div class="{_CLASS}"><style>@scope(.{_CLASS}){{{style}}}</style>{body.strip()}</div>'
