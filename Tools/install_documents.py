#!/usr/bin/env python3
"""Installs README, CHANGELOG, guides, reference and integrations, as Markdown and as pages of HTML, with links that lead to
what is installed.

usage: install_documents.py [--check] FOLDER     (of an installation, such as /usr/share/doc/scenario)

A link to a file that is not installed becomes plain text. Exits with 1 where an installed link leads nowhere, or a document is
missing; --check installs nothing.
"""
import html
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Documents of the repository, and their place in the installation.
DOCUMENTS = {name: name for name in ["README.md", "CHANGELOG.md"]}
DOCUMENTS |= {f"docs/{name}.md": f"docs/{name}.md" for name in ["FORMATS", "RULES", "GLOSSARY", "LINT", "DECISIONS"]}
DOCUMENTS |= {str(path.relative_to(ROOT)): str(path.relative_to(ROOT)) for path in (ROOT / "docs/guides").glob("*.md")}
DOCUMENTS |= {str(path.relative_to(ROOT)): f"examples/{path.relative_to(ROOT)}"
              for path in (ROOT / "Scenarios").rglob("README.md")}
DOCUMENTS |= {f"Integrations/{name}.md": f"Integrations/{name}.md"
              for name in ["backends/README", "python/README", "python/spark"]}
# Folders and files that are installed as they are.
COPIES = {"Scenarios": "examples/Scenarios", "Integrations/backends": "Integrations/backends",
          "Integrations/github": "Integrations/github", "Integrations/gitlab": "Integrations/gitlab",
          "Integrations/vscode": "Integrations/vscode",
          "Integrations/change-request.sh": "Integrations/change-request.sh",
          "Integrations/keep_comment.py": "Integrations/keep_comment.py",
          "Integrations/setup.sh": "Integrations/setup.sh", "Integrations": "Integrations",
          "docs/grafana": "docs/grafana"}
PICTURES = {str(path.relative_to(ROOT)): str(path.relative_to(ROOT))
            for ending in ["*.svg", "*.png"] for path in (ROOT / "docs").glob(ending)}

LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
STYLE = ("body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#1b1f24;"
         "background:#fff}pre{overflow-x:auto;padding:.75rem;background:#f3f4f6}code{font-family:ui-monospace,monospace;"
         "font-size:.9em}table{border-collapse:collapse;display:block;overflow-x:auto}th,td{text-align:left;"
         "vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #d0d7de}img{max-width:100%}"
         "@media(prefers-color-scheme:dark){body{color:#e6e9ed;background:#14171a}pre{background:#22272c}a{color:#8ab4f8}}")


def place(path):
    """The place of a file of the repository in the installation; None if it is not installed."""
    for source, target in (DOCUMENTS | PICTURES).items():
        if path == source:
            return target
    for source, target in COPIES.items():
        if path == source:
            return target
        if path.startswith(source + "/") and source != "Integrations":
            return target + path[len(source):]
    return None


def installed_link(target, source):
    """A link of a document as its copy has it; None where it leads to nothing that is installed."""
    if re.match(r"[a-z]+:|#", target):
        return target
    path, mark, anchor = target.partition("#")
    found = place(os.path.normpath(os.path.join(os.path.dirname(source), path)))
    if found is None:
        return None
    return os.path.relpath(found, os.path.dirname(place(source)) or ".") + mark + anchor


def copied(text, source):
    """A document whose links are those of its copy; lines of code stay as they are."""
    def changed(match):
        target = installed_link(match[3], source)
        return f"{match[1]}[{match[2]}]({target})" if target else match[2]

    lines, is_code = [], False
    for line in text.splitlines():
        is_code ^= line.startswith("```")
        lines.append(line if is_code or line.startswith("```") else LINK.sub(changed, line))
    return "\n".join(lines) + "\n"


def anchor(heading):
    """The anchor of a heading, as GitHub makes it."""
    text = re.sub(r"[^\w\- ]", "", LINK.sub(r"\2", heading).lower())
    return text.replace(" ", "-")


def inline(text):
    """A line of text: code, links, stress."""
    parts = re.split(r"(``.+?``|`[^`]+`)", text)
    shown = []
    for index, part in enumerate(parts):
        if index % 2:
            shown.append(f"\0{len(shown)}\0")
            parts[index] = f"<code>{html.escape(part.strip('`').strip(), quote=False)}</code>"
        else:
            shown.append(part)
    joined = html.escape("".join(shown), quote=False)

    def linked(match):
        target = re.sub(r"\.md(?=$|#)", ".html", match[3]) if not re.match(r"[a-z]+:", match[3]) else match[3]
        if match[1]:
            return f'<img src="{html.escape(target)}" alt="{html.escape(match[2])}">'
        return f'<a href="{html.escape(target)}">{match[2]}</a>'

    joined = LINK.sub(linked, joined)
    joined = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", joined)
    joined = re.sub(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])", r"<em>\1</em>", joined)
    return re.sub("\0(\\d+)\0", lambda match: parts[int(match[1])], joined)


class Page:
    """A page of HTML that is made line by line."""

    def __init__(self):
        self.lines, self.paragraph, self.lists = [], [], []

    def end_paragraph(self):
        if self.paragraph:
            text = inline(" ".join(self.paragraph))
            self.lines.append(text if self.lists else f"<p>{text}</p>")
            self.paragraph = []

    def end_lists(self, depth=-1):
        self.end_paragraph()
        while self.lists and self.lists[-1][0] > depth:
            self.lines.append(f"</li></{self.lists.pop()[1]}>")

    def item(self, depth, kind, text):
        self.end_lists(depth)
        if self.lists and self.lists[-1][0] == depth:
            self.lines.append("</li><li>")
        else:
            self.lists.append((depth, kind))
            self.lines.append(f"<{kind}><li>")
        self.paragraph.append(text)

    def table(self, rows):
        self.end_lists()
        cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
        head, body = cells[0], cells[2:]
        def shown(row, tag):
            return "<tr>" + "".join(f"<{tag}>{inline(cell.replace(chr(92) + '|', '|'))}</{tag}>" for cell in row) + "</tr>"
        self.lines += ["<table><thead>", shown(head, "th"), "</thead><tbody>"] + [shown(row, "td") for row in body]
        self.lines.append("</tbody></table>")


def page(text):
    """A document as a page."""
    made, lines, index, title, anchors = Page(), text.splitlines(), 0, "scenario", {}
    while index < len(lines):
        line = lines[index]
        fence = re.match(r"( *)```", line)
        heading = re.match(r"(#+) (.*)", line)
        item = re.match(r"( *)([-*]|\d+\.) (.*)", line)
        if fence:
            made.end_paragraph()
            end = next((at for at in range(index + 1, len(lines)) if lines[at].strip() == "```"), len(lines))
            code = "\n".join(part[len(fence[1]):] for part in lines[index + 1:end])
            made.lines.append(f"<pre><code>{html.escape(code, quote=False)}\n</code></pre>")
            index = end
        elif heading:
            made.end_lists()
            name = anchor(heading[2])
            anchors[name] = anchors.get(name, -1) + 1
            name += f"-{anchors[name]}" if anchors[name] else ""
            level = len(heading[1])
            if level == 1:
                title = re.sub(r"[`*]", "", LINK.sub(r"\2", heading[2]))
            made.lines.append(f'<h{level} id="{html.escape(name)}">{inline(heading[2])}</h{level}>')
        elif line.startswith("|"):
            end = index
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            made.table(lines[index:end])
            index = end - 1
        elif item:
            made.item(len(item[1]), "ol" if item[2][0].isdigit() else "ul", item[3])
        elif not line.strip():
            made.end_paragraph()
            rest = next((other for other in lines[index + 1:] if other.strip()), "")
            if not re.match(r" |[-*] |\d+\. ", rest):
                made.end_lists()
        else:
            made.paragraph.append(line.strip())
        index += 1
    made.end_lists()
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
            f'<meta name="viewport" content="width=device-width">\n<style>{STYLE}</style>\n</head>\n<body>\n'
            + "\n".join(made.lines) + "\n</body>\n</html>\n")


def wrong_links(folder):
    """Documents that are not installed, and the links of those that are, and of their pages, that lead nowhere."""
    files = [folder / target for target in DOCUMENTS.values()]
    problems = [f"{path}: error: the document is missing"
                for document in files for path in (document, document.with_suffix(".html")) if not path.exists()]
    for path in filter(Path.exists, files):
        text = re.sub(r"```.*?```|``.+?``|`[^`\n]+`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in (match[3].partition("#")[0] for match in LINK.finditer(text)):
            if not re.match(r"[a-z]+:", target) and not (path.parent / target).exists():
                problems.append(f"{path}: error: the link {target} leads nowhere")
    for path in sorted(folder.rglob("*.html")):
        for target in re.findall(r'(?:href|src)="([^"]+)"', path.read_text(encoding="utf-8")):
            file, _, name = html.unescape(target).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            other = (path.parent / file) if file else path
            if not other.exists():
                problems.append(f"{path}: error: the link {target} leads nowhere")
            elif name and f'id="{name}"' not in other.read_text(encoding="utf-8"):
                problems.append(f"{path}: error: there is no heading of the link {target}")
    return problems


def main(arguments):
    folder = Path(arguments[-1])
    if arguments[0] != "--check":
        install(folder)
    problems = wrong_links(folder)
    print("\n".join(problems), end="\n" if problems else "", file=sys.stderr)
    return 1 if problems else 0


def install(folder):
    for source, target in (COPIES | PICTURES).items():
        if source == "Integrations":
            continue
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, folder / target, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / source, folder / target)
            shutil.copymode(ROOT / source, folder / target)
    for source, target in DOCUMENTS.items():
        text = copied((ROOT / source).read_text(encoding="utf-8"), source)
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        (folder / target).write_text(text, encoding="utf-8")
        (folder / target).with_suffix(".html").write_text(page(text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
