#!/usr/bin/env python3
"""Refuses words and idioms that readers have to translate, in comments, texts and documents, and comments that begin with
"What", "Whether", "How", "Where" or "Who", which leave out their subject. In the README and the guides it also refuses
sentences of more than 25 words. Prints `file:line:column: error: …`, and exits with 1 if there is any.

usage: check_words.py [FILE…]     (by default all files of the repository; `--test` checks the checker)
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A word or an idiom, as a regular expression, and the plain words for it.
WORDS = [
    (r"(?:what )?came out", "results, or the name of the result"),
    (r"hardly", "rarely, or probable typo"),
    (r"at hand", "current"),
    (r"put(?:s|ting)? off", "deferred"),
    (r"so (?:many|much)(?! that)", "the number, or the count"),
    (r"(?:an?|the|of|other) slips?|slips", "mistake, or typing error"),
    (r"(?:un)?sound", "valid"),
    (r"stands?(?! for\b)", "is, comes, or contains"),
    (r"told", "reported, or distinguished"),
    (r"(?:un)?judg(?:es?|ed|ing|ement)|mis-?judg(?:es?|ed)", "evaluate"),
    (r"apprais\w*", "evaluate"),
    (r"worlds?", "simulated service"),
    (r"houses?", "architecture"),
    (r"store?ys", "modules"),
    (r"(?:comes?|came|coming) to(?= (?:one|nothing|the same|little|much)\b)", "gives, or has the same result"),
    (r"(?:what|all that) (?:\w+ ){1,6}(?:comes?|came) to", "the result"),
    (r"gates? (?:that is |is |was )?passed|passes (?:a|the) gate", "limit exceeded, or limit held"),
    (r"go(?:es)? on|went on|going on", "continue"),
    (r"h[au]ngs? on", "depends on"),
    (r"bears? on|bearing on", "affects"),
    (r"whither|under way|had better", "plain English"),
]

# Turns of phrase that are refused in documents alone.
PHRASES = [
    (r"who(?:m|se)?ever", "the person or the part: the owner of …, someone who …"),
    (r"and so (?:is|are|was|were|does|do|did|has|have|can|may|must)", "`as is …`, or both subjects before one verb"),
    (r"it is (?:only |just )?(?:the|this|these|those|by|because of) [^.,;:\n]{1,40} that", "the sentence without `it is … that`"),
    (r"takes? it that", "assume"),
    (r"says? nothing of", "ignore, or says nothing about"),
    (r"nothing needs? (?:to )?be", "you need not"),
    (r"that there (?:can|could|may) be", "possible"),
    (r"(?:is|are) not answered", "is refused, or has no answer"),
    (r"that (?:it|they) (?:is|are) reported on", "measured on"),
    (r"only be known from before", "must have been … earlier"),
    (r"until it is interrupted", "until you press Ctrl-C"),
]

# The documents that are read from start to end, and the most words that a sentence of theirs has.
READ_ALOUD = re.compile(r"README\.md|docs/guides/[^/]*\.md")
SENTENCE_WORDS = 25

BEGINNINGS = {
    "What": "name the thing: `The flags that …`",
    "Whether": "name the fact: `True if …`",
    "How": "name the quantity: `The number of …`",
    "Where": "name the place or the condition: `The folder of …`, `If …`",
    "Who": "name the person or the part: `The owner of …`",
}

# Texts that are right, by the ending of the path and the whole text around the word, each with the reason.
RIGHT = [
    ("", "`sound`", "a value of scenario files"),
    ("", "pinning: sound", "a value of scenario files"),
    ("", "`judged`", "a key of reports"),
    ("", "`unjudged`", "a key of reports"),
    ("", '"judged"', "a key of reports"),
    ("", '"unjudged"', "a key of reports"),
    ("docs/REPORTS.md", "judged", "a part of the paths of members"),
    ("docs/REPORTS.md", "unjudged", "a part of the paths of members"),
    ("", "`not-judged`", "a rule of SARIF reports"),
    ("", "not-judged", "a rule of SARIF reports"),
    ("", "--max-unjudged", "an option, which has another name beside it"),
    ("", "unjudged-devices", "a key of reports"),
    ("", "scenario_unjudged_devices", "a metric"),
    ("", "judged-events", "a key of partial results"),
    ("", "How the SafetyNet Integration Works", "a title of the manual"),
    ("CHANGELOG.md", "`gate passed`", "a message of an earlier version"),
    ("check_words.py", "", "the words themselves"),
]

# All words are searched at once, in lower case and by their first letters, which is faster.
WORD = re.compile(r"(?<![\w-])(?=[abcghjmopstuw])(?<!\\\()(?:" + "|".join(f"({word})" for word, _ in WORDS) + r")(?![\w-])")
PHRASE = re.compile(r"(?<![\w-])(?:" + "|".join(f"({phrase})" for phrase, _ in PHRASES) + r")(?![\w-])")
BEGINNING = re.compile(r"(?:" + "|".join(BEGINNINGS) + r")\b")

# The parts of a source, by the kind of the file. What is in no part is code.
SWIFT = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>(?P<marks>#+)(?:"""|").*?(?:"""|")(?P=marks))'
    r'|(?P<block>"""(?:\\.|(?!""").)*""")|(?P<text>"(?:\\\((?:[^()"]|"(?:\\.|[^"\\\n])*"|\((?:[^()"]|"[^"\n]*")*\))*\)'
    r'|\\.|[^"\\\n])*")', re.DOTALL)
PYTHON = re.compile(
    r'(?P<comment>\#[^\n]*)|(?P<block>"""(?:\\.|(?!""").)*""")|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')',
    re.DOTALL)
HASH = re.compile(r"(?P<comment>(?:(?<=\s)|^)\#[^\n]*)", re.MULTILINE)
# Blocks of documents are output and code; the texts of both are checked where they are made.
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# A paragraph, an item or a heading ends at the next one, at a table, at a picture or at an empty line.
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=(?:[-*|#!]|\d+\.) ?)")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
ADDRESS = re.compile(r"\]\([^)]*\)")

KINDS = {
    ".swift": SWIFT, ".c": SWIFT, ".h": SWIFT, ".cpp": SWIFT, ".js": SWIFT, ".css": SWIFT, ".py": PYTHON, ".sh": HASH, ".toml": HASH, "Makefile": HASH,
    ".yml": HASH, ".md": None, ".yaml": None,
}
# The manual's own words, and input of the fuzzer.
LEFT_OUT = ("Tests/CommandTests/scenario/Transcripts/manual.txt", "Tests/Fuzzing/Corpus/")


def parts(kind, source):
    """The parts of a source in which people read, as (start, end, is comment)."""
    if kind is None:
        return [(0, len(source), False)]
    return [(match.start(), match.end(), match.lastgroup == "comment") for match in kind.finditer(source)]


def is_right(name, source, match, offset=0):
    """True if the word is part of a text that is listed as right."""
    first, last = offset + match.start(), offset + match.end()
    for ending, text, _ in RIGHT:
        if not name.endswith(ending):
            continue
        start = source.rfind(text, max(0, first - len(text)), last + len(text)) if text else first
        if 0 <= start <= first and (not text or start + len(text) >= last):
            return True
    return False


def problem(name, source, start, message, hint):
    line = source.count("\n", 0, start) + 1
    column = start - source.rfind("\n", 0, start)
    return f"{name}:{line}:{column}: error: {message}\n  hint: {hint}"


def words(name, kind, source):
    """The refused words of a source, and the refused phrases of a document."""
    lower = source.lower()
    # Few letters have a lower case of another length.
    searched = lower if len(lower) == len(source) else source
    found = [(match, WORDS) for match in WORD.finditer(searched)]
    if name.endswith(".md"):
        found += [(match, PHRASES) for match in PHRASE.finditer(searched)]
    if not found:
        return
    readable = parts(kind, source)
    fences = [(match.start(), match.end()) for match in FENCE.finditer(source)] if name.endswith(".md") else []
    for match, refused in found:
        inside = next((part for part in readable if part[0] <= match.start() < part[1]), None)
        if inside is None or any(start <= match.start() < end for start, end in fences):
            continue
        # A text of a single word is a key or a value, and no sentence.
        if kind is not None and not inside[2] and not re.search(r"\s", source[inside[0]:inside[1]]):
            continue
        if is_right(name, source, match):
            continue
        hint = refused[match.lastindex - 1][1]
        yield problem(name, source, match.start(), f"`{match.group()}` is not a plain word here", f"write: {hint}")


COMMENT_LINES = {
    True: re.compile(r"^[ \t]*///?[ \t]+(?P<text>[^\n]*)", re.MULTILINE),
    False: re.compile(r"^[ \t]*#[ \t]+(?P<text>[^\n]*)", re.MULTILINE),
}


def beginnings(name, kind, source):
    """The comments that begin with a word that leaves out their subject."""
    if kind is not SWIFT and kind is not PYTHON and kind is not HASH:
        return
    before = None
    for match in COMMENT_LINES[kind is SWIFT].finditer(source):
        continues = before is not None and source[before:match.start()] == "\n"
        before = match.end()
        if continues:
            continue
        word = BEGINNING.match(match["text"])
        # A question is a sentence of its own.
        if word and not match["text"].rstrip().endswith("?") and not is_right(name, source, word, match.start("text")):
            yield problem(name, source, match.start("text"), f"a comment begins with `{word.group()}`",
                          BEGINNINGS[word.group()])


def sentences(name, source):
    """The sentences that are too long to be read aloud."""
    if not READ_ALOUD.fullmatch(name):
        return
    prose = FENCE.sub(lambda fence: re.sub(r"[^\n]", " ", fence.group()), source)
    start = 0
    for border in [*PARAGRAPH.finditer(prose), None]:
        end = border.start() if border else len(prose)
        paragraph, first = prose[start:end], start
        start = border.end() if border else end
        if paragraph.lstrip().startswith(("|", "![")):
            continue
        for sentence in SENTENCE.split(paragraph):
            count = len(ADDRESS.sub("]", sentence).split())
            if count > SENTENCE_WORDS:
                yield problem(name, source, first + paragraph.index(sentence), f"a sentence has {count} words",
                              f"write: one idea each, in at most {SENTENCE_WORDS} words")


def check(name, source):
    kind = KINDS.get(Path(name).suffix, KINDS.get(Path(name).name))
    return [*words(name, kind, source), *beginnings(name, kind, source), *sentences(name, source)]


def files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.splitlines()
    for name in listed:
        path = Path(name)
        if (path.suffix in KINDS or path.name in KINDS) and not name.startswith(LEFT_OUT) and (ROOT / name).exists():
            yield name


def test():
    """Checks that the checker finds what it must, where it is, and nothing else."""
    rows = [
        ("a.swift", "// The key stands here.\n", ["a.swift:1:12: "]),
        ("a.swift", 'let a = "it is not sound: \\(b)"\n', ["a.swift:1:20: "]),
        ("a.swift", "func stands(at hand: Int) {}\n", []),
        ("a.swift", 'keys["judged"] = "unjudged"\n', []),
        ("a.swift", 'f("x \\(g("told")) y is told")\n', ["a.swift:1:11: ", "a.swift:1:24: "]),
        ("a.swift", 'f("x \\(told) y")\n', []),
        ("a.swift", "/// Whether it is so.\nlet a = 1\n", ["a.swift:1:5: "]),
        ("a.swift", "/// One.\n/// Whether it continues.\n", []),
        ("a.swift", "// X stands for Y.\n", []),
        ("a.md", "It goes on.\n```\nIt goes on.\n```\n", ["a.md:1:4: "]),
        ("a.md", "The key `judged` and `--max-unjudged 3`, and judged devices.\n", ["a.md:1:46: "]),
        ("a.md", "Whoever asks is told.\nIt is the ring that counts, and so is the day.\nIt is a replay that ends.\n",
         ["a.md:1:1: ", "a.md:1:17: ", "a.md:2:1: ", "a.md:2:29: "]),
        ("a.swift", "// Whoever asks is answered, and so is the next.\n", []),
        ("README.md", "One two.\n\n- " + "word " * 25 + "word.\n```\n" + "code " * 30 + "\n```\n", ["README.md:3:1: "]),
        ("README.md", "word " * 13 + "[x](a b c d e f g h i j k l m n): " + "word " * 24 + "\n", []),
        ("docs/FORMATS.md", "word " * 30 + "\n", []),
        ("a.yaml", "description: The device is told.\n", ["a.yaml:1:28: "]),
        ("a.py", "# What it does.\nprint('as it stands')\n", ["a.py:1:3: ", "a.py:2:14: "]),
    ]
    wrong = 0
    for name, source, expected in rows:
        found = sorted(line.split("error:")[0] for line in check(name, source))
        if found != sorted(expected):
            print(f"{source!r}: found {found} instead of {expected}")
            wrong += 1
    return wrong


def main(arguments):
    if arguments == ["--test"]:
        wrong = test()
        print(f"{wrong} wrong rows" if wrong else "the checker finds what it must")
        return 1 if wrong else 0
    if test():
        return 1
    problems = []
    for name in arguments or files():
        problems += check(name, (ROOT / name).read_text(encoding="utf-8", errors="replace"))
    print("\n".join(problems) if problems else "comments, texts and documents have plain words")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
