"""Finds the places of a source that can be changed."""
import re

from .changes import INFIX

KEYWORDS = (
    "return let var if guard for while switch case default throw func init struct enum class extension protocol import "
    "break continue defer do precondition preconditionFailure repeat else public package private internal static "
    "subscript typealias deinit fileprivate indirect mutating where associatedtype").split()


def masked(text):
    """The text with comments and literals of text blanked out, so that only code is left at its place."""
    out, at = list(text), 0

    def blank(start, end):
        for index in range(start, min(end, len(out))):
            if out[index] != "\n":
                out[index] = " "

    def string_end(start, hashes, quotes):
        index, closing = start, quotes + "#" * hashes
        while index < len(text):
            if text.startswith("\\" + "#" * hashes + "(", index):
                depth, index = 1, index + 2 + hashes
                while depth and index < len(text):
                    if text[index] == '"':
                        triple = text.startswith('"""', index)
                        index = string_end(index + (3 if triple else 1), 0, '"""' if triple else '"')
                        continue
                    depth += {"(": 1, ")": -1}.get(text[index], 0)
                    index += 1
                continue
            if hashes == 0 and text[index] == "\\":
                index += 2
                continue
            if text.startswith(closing, index):
                return index + len(closing)
            index += 1
        return index

    while at < len(text):
        if text.startswith("//", at):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            blank(at, end)
        elif text.startswith("/*", at):
            end = text.find("*/", at) + 2
            blank(at, end)
        elif match := re.compile(r'(#*)("""|")').match(text, at):
            end = string_end(match.end(), len(match[1]), match[2])
            blank(at, end)
            # A literal stays an operand.
            out[at] = out[end - 1] = "\u00a4"
        else:
            end = at + 1
        at = end
    return "".join(out)


class Place:
    """A place that can be changed: the text there, its replacement, and the form in which the build gets them."""

    def __init__(self, file, line, start, end, kind, text, change, render):
        self.file, self.line, self.start, self.end = file, line, start, end
        self.kind, self.text, self.change, self.render = kind, text, change, render
        self.number, self.source, self.name = 0, "", ""

    @property
    def key(self):
        """The name of the place, independent of its line."""
        return f"{self.file} | {self.source} | {self.text} → {self.change}"


def places(file, text):
    code, found = masked(text), []
    lines, starts = code.split("\n"), [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def add(line, start, end, kind, change, render):
        found.append(Place(file, line + 1, start, end, kind, text[start:end], change, render))

    for number, line in enumerate(lines):
        base = starts[number]
        stripped = line.strip()
        # Room that is asked for too early or too late is a matter of speed alone.
        if ".reserveCapacity(" in line or ".prefetch(" in line:
            continue
        if not stripped or stripped.startswith(("import ", "internal import", "@", "#", "package import", "public import")):
            continue
        if re.search(r"\bfunc \S+ ?\(|\boperator\b|\btypealias\b|\bassociatedtype\b", line) and "{" not in line:
            continue
        is_header = re.search(r"\b(func|init|subscript)\b", line) is not None
        for match in re.finditer(r"(?<=[\w)\]\u00a4}] )(\S+)(?= [^\s])", line):
            if match[1] in INFIX and not (is_header and line[:match.start()].rstrip().endswith("func")):
                add(number, base + match.start(1), base + match.end(1), "operator", INFIX[match[1]][0], "infix")
        for match in re.finditer(r"(?<=[\w)\]])(\.\.<|\.\.\.)(?=[\w(])", line):
            add(number, base + match.start(), base + match.end(), "range", "one less", "range")
        for match in re.finditer(r"(?<=[\s(\[])!(?=[\w(])", line):
            add(number, base + match.start(), base + match.end(), "operator", "nothing", "not")
        if not stripped.startswith(("case ", "enum ")) or "=" not in stripped or ":" in stripped:
            for match in re.finditer(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*)(?![\w.]|\s*\.\.\.)", line):
                add(number, base + match.start(), base + match.end(), "constant", "one more", "number")
        for match in re.finditer(r"(?<![\w.@])(true|false)\b(?!:)", line):
            change = "false" if match[1] == "true" else "true"
            add(number, base + match.start(), base + match.end(), "constant", change, "flag")
        condition = re.match(r"^(\s*(?:\} else )?(?:if|guard|while) )(.+?)( else)? \{.*$", line) \
            or re.match(r"^(.*\bfor .+ where )(.+?)()( \{.*)$", line)
        if condition:
            words = condition[2]
            if not re.search(r"\b(let|var|case|some|any)\b|,|#|\{|\?\?", words) and words.count("(") == words.count(")"):
                start = base + condition.start(2)
                add(number, start, start + len(words), "condition", "its opposite", "condition")
        if is_statement(lines, number):
            start = base + len(line) - len(line.lstrip())
            add(number, start, start + len(stripped), "step", "nothing", "step")
    return found


def is_statement(lines, number):
    line = lines[number].strip()
    word = re.match(r"[A-Za-z_]\w*", line)
    if word is None or word[0] in KEYWORDS or any(line.count(a) != line.count(b) for a, b in ("()", "[]", "{}")):
        return False
    is_call = re.match(r"^(try |unsafe )*[\w.\[\]$]+(\(.*\))?[\w.?()\[\]]*\(.*\)$", line) and " ? " not in line
    is_change = re.match(r"^[\w.\[\]()$, +-]+ (=|[-+*|&^]=) \S.*[^{,(]$", line)
    if not (is_call or is_change):
        return False
    before = next((lines[index].strip() for index in range(number - 1, -1, -1) if lines[index].strip()), "")
    after = next((lines[index].strip() for index in range(number + 1, len(lines)) if lines[index].strip()), "")
    if re.search(r"([,(\[=?:|&+*<-]|\belse|\breturn|\bin)$", before) or re.match(r"[.?:&|+*\])=-]", after):
        return False
    is_alone = before.endswith("{") and after.startswith("}")
    return not (is_alone and is_call and re.search(r"->|\bvar\b|\bget\b|= \{|\bin$", before))
