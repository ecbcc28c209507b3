import Testing

@testable import TestSupport
@testable import scenario

struct ArgumentParserTests {
    struct Accepted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        var operands: [String] = []
        var output: String?
        var tags: [String] = []
        var isVerbose = false

        init(
            _ testDescription: String,
            _ arguments: [String],
            operands: [String] = [],
            output: String? = nil,
            tags: [String] = [],
            isVerbose: Bool = false
        ) {
            (self.testDescription, self.arguments, self.operands) = (testDescription, arguments, operands)
            (self.output, self.tags, self.isVerbose) = (output, tags, isVerbose)
        }
    }

    static let accepted = [
        Accepted("nothing", []),
        Accepted("operands keep their order", ["b", "a"], operands: ["b", "a"]),
        Accepted("value in the next argument", ["--output", "file"], output: "file"),
        Accepted("joined value", ["--output=file"], output: "file"),
        Accepted("joined value with further equals signs", ["--output=a=b="], output: "a=b="),
        Accepted("value that begins with a combining mark", ["--output=\u{338}x"], output: "\u{338}x"),
        Accepted("joined value with one dash", ["--output=-05:00"], output: "-05:00"),
        Accepted("value behind two dashes", ["--output", "--", "--verbose"], output: "--verbose"),
        Accepted(
            "two dashes in front of a value end options", ["--output", "--", "-x", "--verbose"],
            operands: ["--verbose"], output: "-x"),
        Accepted("value that is one dash", ["--output", "-"], output: "-"),
        Accepted("value of several words", ["--output", "policy -set default"], output: "policy -set default"),
        Accepted("joined value with two dashes", ["--output=--verbose"], output: "--verbose"),
        Accepted("joined value that is two dashes", ["--output=--"], output: "--"),
        Accepted("value that is the name of a command", ["--output", "sample"], output: "sample"),
        Accepted("switch", ["--verbose"], isVerbose: true),
        Accepted("switch before an operand", ["--verbose", "a"], operands: ["a"], isVerbose: true),
        Accepted("options behind operands", ["a", "--verbose", "b"], operands: ["a", "b"], isVerbose: true),
        Accepted("one dash is an operand", ["-", "a"], operands: ["-", "a"]),
        Accepted("two dashes end options", ["--", "--verbose", "-x"], operands: ["--verbose", "-x"]),
        Accepted("only the first two dashes count", ["a", "--", "--"], operands: ["a", "--"]),
        Accepted("help behind two dashes is an operand", ["--", "--help"], operands: ["--help"]),
        Accepted("letter", ["-o", "file", "a"], operands: ["a"], output: "file"),
        Accepted("letter with a joined value", ["-o=file"], output: "file"),
        Accepted("letter behind two dashes", ["--", "-o"], operands: ["-o"]),
        Accepted("former name", ["--label", "b", "--tag=a"], tags: ["b", "a"]),
        Accepted("a rule that is kept", ["--verbose", "--format=text"], isVerbose: true),
        Accepted("repeated option", ["--tag", "b", "a", "--tag=a"], operands: ["a"], tags: ["b", "a"]),
    ]

    @Test(arguments: accepted) func accepts(_ row: Accepted) throws {
        let parsed = try ArgumentParser.parse(row.arguments, for: .sample)
        #expect(!parsed.isHelpRequested)
        #expect(parsed.operands == row.operands)
        #expect(parsed.value(of: .sampleOutput) == row.output)
        #expect(parsed.values(of: .sampleTag) == row.tags)
        #expect(parsed.isSet(.sampleVerbose) == row.isVerbose)
    }

    static let refused: [Case<[String], String>] = [
        Case(["--ouptut", "x"], gives: "unknown option `--ouptut`; did you mean `--output`?"),
        Case(["--ouptut=x"], gives: "unknown option `--ouptut`; did you mean `--output`?"),
        Case(["-verbose"], gives: "unknown option `-verbose`; did you mean `--verbose`?"),
        Case(["--wxyzwxyzwxyz"], gives: "unknown option `--wxyzwxyzwxyz`; `--help` lists the options"),
        Case(["-x"], gives: "unknown option `-x`; `--help` lists the options"),
        Case(["-O"], gives: "unknown option `-O`; did you mean `-o`?"),
        Case(["-output", "a"], gives: "unknown option `-output`; did you mean `--output`?"),
        Case(
            ["-oreport.json"],
            gives: "unknown option `-oreport.json`; the value of `-o` is a word of its own: `-o report.json`"
        ),
        Case(["-o"], gives: "option `--output FILE` lacks its value"),
        Case(["-o", "-q"], gives: "option `--output FILE` lacks its value"),
        Case(["-o", "a", "--output", "b"], gives: "option `--output` is given more than once"),
        Case(["-q=yes"], gives: "option `--quiet` takes no value"),
        Case(["--verbose", "--count=1"], gives: "`--count` cannot be combined with `--verbose`; once is enough"),
        Case(
            ["--verbose", "--format", "json"],
            gives: "`--verbose` cannot be combined with `--format json`; once is enough"),
        Case(["--draft"], gives: "`--draft` needs `--output`"),
        Case(["-05:00"], gives: "unknown option `-05:00`; `--` has to precede operands that begin with `-`"),
        Case(["--a\nb\u{1B}[2J"], gives: #"unknown option `--a\nb\u{1B}[2J`; `--help` lists the options"#),
        Case(["--output"], gives: "option `--output FILE` lacks its value"),
        Case(["--output", "--verbose"], gives: "option `--output FILE` lacks its value"),
        Case(["--output", "--format=json"], gives: "option `--output FILE` lacks its value"),
        Case(["--output", "--"], gives: "option `--output FILE` lacks its value"),
        Case(
            ["--output", "-05:00"],
            gives: "option `--output FILE` lacks its value; a value that begins with `-` is written `--output=-05:00`"),
        Case(
            ["--output", "--daft"],
            gives: "option `--output FILE` lacks its value; a value that begins with `-` is written `--output=--daft`"
        ),
        Case(["--output="], gives: "the value of option `--output FILE` is empty"),
        Case(["--output", ""], gives: "the value of option `--output FILE` is empty"),
        Case(["--tag", "a", "--tag="], gives: "the value of option `--tag T` is empty"),
        Case(["--output=a", "--output=a"], gives: "option `--output` is given more than once"),
        Case(["--verbose", "--verbose"], gives: "option `--verbose` is given more than once"),
        Case(["--verbose=yes"], gives: "option `--verbose` takes no value"),
        Case(["--verbose="], gives: "option `--verbose` takes no value"),
        Case(["--help=yes"], gives: "option `--help` takes no value"),
        Case(["--format", "jsn"], gives: "option `--format` does not know `jsn`; did you mean `json`?"),
        Case(["--format=wxyzwxyz"], gives: "option `--format` does not know `wxyzwxyz`; it knows `text`, `json`"),
        Case(["--count", "0"], gives: "option `--count` takes a whole number, 1 through 8, not `0`"),
        Case(["--count", "9"], gives: "option `--count` takes a whole number, 1 through 8, not `9`"),
        Case(["--count=-1"], gives: "option `--count` takes a whole number, 1 through 8, not `-1`"),
        Case(["--count", "+1"], gives: "option `--count` takes a whole number, 1 through 8, not `+1`"),
        Case(["--count", "1.0"], gives: "option `--count` takes a whole number, 1 through 8, not `1.0`"),
        Case(
            ["--count=18446744073709551616"],
            gives: "option `--count` takes a whole number, 1 through 8, not `18446744073709551616`"
        ),
        Case(["a", ""], gives: "a PATH is empty"),
        Case(["--", ""], gives: "a PATH is empty"),
        Case(["--bad", "--output"], gives: "unknown option `--bad`; `--help` lists the options"),
    ]

    @Test(arguments: refused) func refuses(_ row: Case<[String], String>) {
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(row.input, for: .sample) }
        #expect(error?.description == row.expected)
    }

    static let helpRequests = [
        ["--help"], ["-h"], ["a", "-h", "--unknown"], ["a", "--help"], ["--unknown", "--help"], ["--output", "--help"],
        ["--verbose", "--help", "--"],
    ]

    @Test(arguments: helpRequests) func helpWinsOverEverythingElse(_ arguments: [String]) throws {
        #expect(try ArgumentParser.parse(arguments, for: .sample) == ParsedArguments(isHelpRequested: true))
    }

    @Test func operandsAreCounted() throws {
        let code = OperandDefinition(placeholder: "CODE", summary: "A code.", kind: .words)
        let command = CommandDefinition(name: "one", summary: "Takes one.", operands: code)
        #expect(try ArgumentParser.parse(["a"], for: command).operands == ["a"])
        let none = #expect(throws: UsageError.self) { try ArgumentParser.parse([], for: command) }
        #expect(none?.description == "`CODE` is missing; `--help` shows how it is used")
        let two = #expect(throws: UsageError.self) { try ArgumentParser.parse(["a", "b"], for: command) }
        #expect(two?.description == "unexpected argument `b`")
    }

    @Test func commandWithoutOperandsTakesNone() {
        let command = CommandDefinition(name: "none", summary: "Takes nothing.")
        let error = #expect(throws: UsageError.self) { try ArgumentParser.parse(["a"], for: command) }
        #expect(error?.description == "unexpected argument `a`")
    }
}

struct ParsedArgumentsTests {
    @Test func absentOptionsHaveNoValue() throws {
        let parsed = try ArgumentParser.parse([], for: .sample)
        #expect(!parsed.isSet(.sampleTag))
        #expect(parsed.value(of: .sampleTag) == nil)
        #expect(parsed.values(of: .sampleTag).isEmpty)
        #expect(parsed.integer(of: .sampleCount) == nil)
        #expect(parsed.choice(of: .sampleFormat, as: SampleFormat.self) == nil)
    }

    @Test(arguments: ["1": 1, "8": 8, "007": 7]) func integersAreRead(text: String, number: Int) throws {
        #expect(try ArgumentParser.parse(["--count", text], for: .sample).integer(of: .sampleCount) == number)
    }

    @Test func integersReachTheTopOfTheirRange() throws {
        let arguments = ["--seed", "18446744073709551615"]
        let parsed = try ArgumentParser.parse(arguments, for: RunCommand.definition)
        #expect(parsed.integer(of: .seed, as: UInt64.self) == UInt64.max)
    }

    @Test(arguments: SampleFormat.allCases) func choicesAreRead(_ format: SampleFormat) throws {
        let parsed = try ArgumentParser.parse(["--format", format.rawValue], for: .sample)
        #expect(parsed.choice(of: .sampleFormat, as: SampleFormat.self) == format)
    }
}

/// When reports are coloured, and how wide the help is.
@Suite struct TerminalChoiceTests {
    struct Row: LabelledRow {
        let name: String
        let environment: [String: String]
        let onTerminal, elsewhere: Bool
    }

    static let rows = [
        Row(name: "nothing said", environment: [:], onTerminal: true, elsewhere: false),
        Row(name: "forced", environment: ["CLICOLOR_FORCE": "1"], onTerminal: true, elsewhere: true),
        Row(name: "not forced", environment: ["CLICOLOR_FORCE": "0"], onTerminal: true, elsewhere: false),
        Row(name: "forced by nothing", environment: ["CLICOLOR_FORCE": ""], onTerminal: true, elsewhere: false),
        Row(name: "forbidden", environment: ["NO_COLOR": "1"], onTerminal: false, elsewhere: false),
        Row(
            name: "forbidden and forced", environment: ["NO_COLOR": "", "CLICOLOR_FORCE": "1"], onTerminal: false,
            elsewhere: false),
        Row(name: "dumb", environment: ["TERM": "dumb"], onTerminal: false, elsewhere: false),
        Row(
            name: "dumb and forced", environment: ["TERM": "dumb", "CLICOLOR_FORCE": "1"], onTerminal: true,
            elsewhere: true),
    ]

    @Test(arguments: rows) func environmentChooses(_ row: Row) {
        let choice = TerminalChoice { row.environment[$0] }
        #expect(choice.isColoured(columns: 120) == row.onTerminal)
        #expect(choice.isColoured(columns: 0) == row.elsewhere)
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noProgressWhereNothingMoves(_ environment: [String: String]) {
        #expect(!TerminalChoice { environment[$0] }.allowsProgress)
        #expect(TerminalChoice { _ in nil }.allowsProgress)
    }

    @Test(arguments: [(0, 80), (20, 60), (72, 72), (100, 100), (240, 100)])
    func helpIsAsWideAsTheTerminal(columns: Int, width: Int) {
        #expect(TerminalChoice { _ in nil }.helpWidth(columns: columns) == width)
        #expect(TerminalChoice { $0 == "TERM" ? "dumb" : nil }.helpWidth(columns: columns) == 80)
    }
}

/// Bounds of limits, and figures on both sides of them.
@Suite struct LimitTests {
    struct Row: LabelledRow {
        let name, bound: String
        let form: Bound.Form
        let figure: LimitedFigure
        let isWithin: Bool
    }

    private static func figure(_ count: Int, _ all: Int, unevaluated: Int = 0, known: Int = 0) -> LimitedFigure {
        LimitedFigure(
            count: count, all: all, unit: "devices", unevaluated: unevaluated, reasons: ["new-did"], known: known)
    }

    static let rows = [
        Row(name: "the number itself", bound: "3", form: .most, figure: figure(3, 9), isWithin: true),
        Row(name: "one more", bound: "3", form: .most, figure: figure(4, 9), isWithin: false),
        Row(name: "one may be", bound: "3", form: .most, figure: figure(3, 9, unevaluated: 1), isWithin: false),
        Row(name: "one is known", bound: "3", form: .most, figure: figure(4, 9, known: 1), isWithin: true),
        Row(name: "all", bound: "100%", form: .most, figure: figure(9, 9, unevaluated: 9), isWithin: true),
        Row(name: "half", bound: "50%", form: .least, figure: figure(1, 2), isWithin: true),
        Row(
            name: "a little more than half", bound: "50.000000001%", form: .least, figure: figure(1, 2), isWithin: false
        ),
        Row(name: "of nothing", bound: "100%", form: .least, figure: figure(0, 0), isWithin: false),
        Row(name: "nothing", bound: "0%", form: .least, figure: figure(0, 7), isWithin: true),
    ]

    @Test(arguments: rows) func holdsUpToTheBound(_ row: Row) throws {
        let bound = try #require(Bound(row.bound, row.form))
        #expect(row.figure.isWithin(bound, row.form) == row.isWithin)
    }

    @Test(arguments: ["3", "", "%", "101%", "-1%", "1 %"]) func noLeastShare(_ text: String) {
        #expect(Bound(text, .least) == nil)
    }

    @Test func saysWhatMayCount() {
        #expect(Self.figure(3, 9).text == "3 of 9 devices (33.3 %)")
        #expect(Self.figure(1, 1).text == "1 of 1 device (100.0 %)")
        #expect(Self.figure(0, 0).text == "0 of 0 devices")
        #expect(
            Self.figure(3, 9, unevaluated: 2, known: 1).text
                == "up to 4 of 9 devices (44.4 %), with 2 that could not be evaluated (`new-did`)")
    }
}
