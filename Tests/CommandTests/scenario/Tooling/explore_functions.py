"""The functions of the page of `explore`, with values that somebody worked out."""

import json
import random

# Module, call, value.
CALLS = [
    ("text", "grouped(0)", "0"), ("text", "grouped(999)", "999"), ("text", "grouped(1234567)", "1,234,567"),
    ("text", "percentage(104, 2000)", "5.2 %"), ("text", "percentage(155, 2000)", "7.8 %"), ("text", "percentage(1, 3)", "33.3 %"),
    ("text", "percentage(2, 2)", "100.0 %"), ("text", "percentage(0, 7)", "0.0 %"), ("text", "percentage(0, 0)", "–"),
    ("text", "counted(1, 'device')", "1 device"), ("text", "counted(2000, 'device')", "2,000 devices"),
    ("text", "minute('2020-07-23T07:00:31Z')", "2020-07-23 07:00"),
    ("text", r"visible('a\u202eb')", "a<U+202E>b"), ("text", r"visible('\u001b[31m\u0000\u007f')", "␛[31m␀␡"),
    ("text", r"visible('\u{e0041}\ufeff')", "<U+E0041><U+FEFF>"), ("text", "visible('x'.repeat(10000))", "x" * 300 + "…"),
    ("plot", "scaleEnd(0)", 2), ("plot", "scaleEnd(3)", 10), ("plot", "scaleEnd(145)", 200), ("plot", "scaleEnd(201)", 250),
    ("plot", "rowAt(0, 5)", 0), ("plot", "rowAt(0.12, 5)", 0), ("plot", "rowAt(0.99, 5)", 4), ("plot", "rowAt(2, 5)", 4),
    ("commands", "command('filter', '-add', 'x', '-matchValue', \"it's a\")", "filter -add x -matchValue 'it'\"'\"'s a'"),
    ("commands", "option('-matchValue', '-x')", ["-matchValue=-x"]),
    # A preset discards the flags before it; another command about the same filter takes its place.
    ("commands", "edited(['policy -addRejectFlag a', 'filter -remove f'], 'policy -set x,y,z', () => false)",
     ["filter -remove f", "policy -set x,y,z"]),
    ("commands", "edited(['policy -set a,b,c', 'filter -remove f'], 'policy -set x,y,z', () => false)",
     ["policy -set x,y,z", "filter -remove f"]),
    ("commands", "edited(['filter -add \"f\" -key ip', 'device -remove d'], 'filter -remove f', () => false)",
     ["filter -remove f", "device -remove d"]),
    ("commands", "edited(['policy -addRejectFlag a'], 'policy -removeRejectFlag a', (list) => list.length === 0)", []),
    ("commands", "edited(['policy -addRejectFlag a'], 'policy -set x,y,z', (list) => list.length === 0)", []),
    ("commands", "edited(['device -add d -label x'], 'device -add d -label y', () => true)",
     ["device -add d -label x", "device -add d -label y"]),
    ("history", "read('#' + fragment({commands: ['a -b \"c d\"', 'e=f&g+h'], from: null, until: null, narrow: [{key: 'ip', value: '=x'}]}))",
     {"commands": ['a -b "c d"', "e=f&g+h"], "from": None, "until": None, "narrow": [{"key": "ip", "value": "=x"}]}),
]


def share(part, whole):
    """The same share by whole numbers: tenths of a percent, halves upwards."""
    tenths = (2 * 1000 * part + whole) // (2 * whole)
    return f"{tenths // 10:,}.{tenths % 10} %"


def functions(page, command, work):
    page.open()

    def call(module, expression):
        name = expression.split("(")[0]
        names = "{read, fragment}" if module == "history" else f"{{{name}}}"
        return page.js(f"import('./{module}.js').then(({names}) => {expression})")

    for module, expression, value in CALLS:
        yield expression, call(module, expression), value
    chance = random.Random(work["seed"])
    pairs = [(part, part + chance.randint(1, 10**6)) for part in (chance.randint(0, 10**6) for _ in range(200))]
    shares = page.js(f"import('./text.js').then(({{percentage}}) => {json.dumps(pairs)}.map((pair) => percentage(...pair)))")
    yield "200 shares", shares, [share(*pair) for pair in pairs]
