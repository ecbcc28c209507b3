"""Writes sources in which every place asks at run time whether it is the one that is changed."""
from .changes import BOOLEAN, CHANGE, EQUATABLE, INFIX

DIGITS = "⊕⊖⊗⊘⊙⊚⊛⊜⊝⊞"


def operator_name(number):
    return "⊟" + "".join(DIGITS[int(digit)] for digit in str(number))


def rewrite(text, chosen):
    """The text with every chosen place asking whether it is changed."""
    edits = []
    for place in chosen:
        name, length = operator_name(place.number), place.end - place.start
        if place.render in ("infix", "range", "not"):
            # The digits of a prefix operator are those of the infix one.
            edits.append((place.start, 2, 0, place.end, "⊠" + name[1:] if place.render == "not" else name))
            continue
        word = {"number": "mutatedNumber", "flag": "mutatedFlag", "condition": "mutatedCondition"}.get(place.render)
        opening = f"{word}({place.number}, " if word else f"if !mutant({place.number}) {{ "
        # At one place the inner one closes first and opens last.
        edits.append((place.start, 1, -length, place.start, opening))
        edits.append((place.end, 0, length, place.end, ")" if word else " }"))
    out, at = [], 0
    for start, _, _, end, new in sorted(edits):
        out.append(text[at:start] + new)
        at = end
    return "".join(out) + text[at:]


def declarations(chosen):
    lines = [
        "internal import CMutants", "",
        "@inline(__always) func mutant(_ number: Int) -> Bool { mutant_is_on(number) }",
        "@inline(__always) func mutatedNumber<T: FixedWidthInteger>(_ number: Int, _ value: T) -> T {",
        "    mutant(number) ? value &+ 1 : value", "}",
        "@inline(__always) func mutatedFlag(_ number: Int, _ value: Bool) -> Bool { mutant(number) != value }",
        "@inline(__always) func mutatedCondition(_ number: Int, _ value: Bool) -> Bool { mutant(number) != value }",
    ]
    for place in chosen:
        name = operator_name(place.number)
        if place.render == "not":
            lines.append(f"prefix operator ⊠{name[1:]}")
            lines.append(f"prefix func ⊠{name[1:]}(a: Bool) -> Bool {{ mutant({place.number}) == a }}")
        elif place.render == "range":
            kind = "Range" if place.text == "..<" else "ClosedRange"
            lines.append(f"infix operator {name}: RangeFormationPrecedence")
            lines.append(
                f"func {name}<T: Strideable & Comparable>(a: T, b: T) -> {kind}<T> where T.Stride: SignedInteger {{ "
                f"mutant({place.number}) && a < b ? a{place.text}b.advanced(by: -1) : a{place.text}b }}")
        elif place.render == "infix":
            change, precedence, signature = INFIX[place.text]
            lines.append(f"infix operator {name}: {precedence}")
            if signature == CHANGE:
                body = f"if mutant({place.number}) {{ a {change} b }} else {{ a {place.text} b }}"
            elif signature == BOOLEAN:
                body = f"mutant({place.number}) ? try a {change} b() : try a {place.text} b()"
            else:
                body = f"mutant({place.number}) ? a {change} b : a {place.text} b"
            lines.append(f"func {name}{signature} {{ {body} }}")
            if signature == EQUATABLE:
                isnt = "" if place.text == "==" else "!"
                lines.append(
                    f"func {name}<T>(a: T?, b: _OptionalNilComparisonType) -> Bool {{ "
                    f"mutant({place.number}) != ({isnt}(a == nil)) }}")
    return "\n".join(lines) + "\n"


C_HEADER = """#include <stdbool.h>
extern long mutant_selected;
extern unsigned char mutant_reached[];
static inline bool mutant_is_on(long number) {
    mutant_reached[number] = 1;
    return number == mutant_selected;
}
"""
C_SOURCE = """#include "CMutants.h"
#include <stdio.h>
#include <stdlib.h>
enum { COUNT = 57344 };
long mutant_selected = -1;
unsigned char mutant_reached[COUNT];
static void note(void) {
    const char *path = getenv("MUTANT_RECORD");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (long number = 0; number < COUNT; number++) if (mutant_reached[number]) fprintf(file, "%ld\\n", number);
    fclose(file);
}
__attribute__((constructor)) static void begin(void) {
    const char *selected = getenv("MUTANT");
    if (selected) mutant_selected = atol(selected);
    atexit(note);
}
"""
