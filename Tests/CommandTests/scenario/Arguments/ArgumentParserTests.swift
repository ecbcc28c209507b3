import Testing

@testable import TestSupport
@testable import scenario

/// The words of a command line; `Tests/Transcripts/arguments` has most of it.
@Suite struct ArgumentParserTests {
    @Test func aMistakeIsShownWithoutActing() {
        let words = ["--a\nb\u{1B}[2J"]
        let error = #expect(throws: CommandFailure.self) { try ArgumentParser.parse(words, for: .run) }
        expect(error?.description, equals: #"unknown option `--a\nb\u{1B}[2J`; `--help` lists the options"#)
    }

    static let helpRequests = [
        ["--help"], ["-h"], ["a", "-h", "--unknown"], ["a", "--help"], ["--unknown", "--help"], ["--output", "--help"],
        ["--verbose", "--help", "--"],
    ]

    @Test(arguments: helpRequests) func helpWinsOverEverythingElse(_ arguments: [String]) throws {
        let parsed = try ArgumentParser.parse(arguments, for: .run)
        expect(parsed.help, equals: arguments.contains("-h") ? .short : .full)
        #expect(parsed.operands.isEmpty)
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
        expect(choice.isColoured(columns: 120), equals: row.onTerminal)
        expect(choice.isColoured(columns: 0), equals: row.elsewhere)
    }

    @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
    func noProgressWhereNothingMoves(_ environment: [String: String]) {
        #expect(!TerminalChoice { environment[$0] }.allowsProgress)
        #expect(TerminalChoice { _ in nil }.allowsProgress)
    }

    @Test(arguments: [(0, 80), (20, 60), (72, 72), (100, 100), (240, 100)])
    func helpIsAsWideAsTheTerminal(columns: Int, width: Int) {
        expect(TerminalChoice { _ in nil }.helpWidth(columns: columns), equals: width)
        expect(TerminalChoice { $0 == "TERM" ? "dumb" : nil }.helpWidth(columns: columns), equals: 80)
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
        expect(row.figure.isWithin(bound, row.form), equals: row.isWithin)
    }

    @Test(arguments: ["3", "", "%", "101%", "-1%", "1 %"]) func noLeastShare(_ text: String) {
        #expect(Bound(text, .least) == nil)
    }

    @Test func saysWhatMayCount() {
        expect(Self.figure(3, 9).text, equals: "3 of 9 devices (33.3 %)")
        expect(Self.figure(1, 1).text, equals: "1 of 1 device (100.0 %)")
        expect(Self.figure(0, 0).text, equals: "0 of 0 devices")
        expect(
            Self.figure(3, 9, unevaluated: 2, known: 1).text,
            equals: "up to 4 of 9 devices (44.4 %), with 2 that could not be evaluated (`new-did`)")
    }
}
