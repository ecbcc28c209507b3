import PolicyEngine
import Testing

@testable import Figures
@testable import Reports
@testable import TestSupport

/// Everything that a section can hold, in every form that is written from sections.
@Suite struct SectionWriterTests {
    private static let sections: [ReportSection] = {
        let columns: [ReportTable.Column] = [.text("name"), .figure("count"), .figure(), .text("what")]
        let rows = [
            ReportTable.Row(
                cells: [.text("long *name*", .bad), .number(1234), .share(1, of: 8), .text("x")],
                details: [
                    ReportList(items: ["one\n\ttwo"], isOutput: true),
                    ReportList(head: "where", items: ["expected: 1", "actual:   2\n"]),
                ]),
            ReportTable.Row(cells: [.text("b"), .seconds(7)]),
        ]
        var ranking = ReportTable(columns, rows: rows)
        ranking.omitted = 2000
        return [
            ReportSection(.notice(ReportText("all", .strong) + " is " + ReportText("well", .good))),
            ReportSection(
                .title("A title"), sentences: ["a sentence", "an [other]"], table: ranking,
                lists: [ReportList(head: "any of:", items: ["a", "b"])]),
            ReportSection(.continuation, sentences: [ReportText("a sum", .good)]),
        ]
    }()

    @Test func textIsIndentedAndAligned() throws {
        try Form.expect(
            TextWriter().text(of: Self.sections), "text is indented and aligned")
    }

    @Test func columnsAreCountedAsATerminalShowsThem() throws {
        let rows = [("设备", 1), ("🔒 a", 20), ("plain", 300), ("e\u{301}", 4)]
        let table = ReportTable(
            [.text("name"), .figure("count")], rows: rows.map { .init(cells: [.text($0.0), .number($0.1)]) })
        try Form.expect(
            TextWriter().text(of: [ReportSection(.title("A title"), table: table)]),
            "columns are counted as a terminal shows them")
    }

    // 60 letters set the width of the column, 61 do not.
    @Test func aLongNameHasALineOfItsOwn() throws {
        let (long, longer) = (String(repeating: "a", count: 60), String(repeating: "b", count: 61))
        let rows: [ReportTable.Row] = [
            .init(cells: [.text(longer), .number(1)]), .init(cells: [.text("plain"), .number(20)]),
            .init(cells: [.text(longer)]),
        ]
        let table = { (rows: [ReportTable.Row]) in
            TextWriter().text(
                of: [
                    ReportSection(.title("A title"), table: ReportTable([.text("name"), .figure("count")], rows: rows))
                ])
        }
        try Form.expect(
            table(rows), "a name of 61 letters has a line of its own")
        try Form.expect(
            table([.init(cells: [.text(long), .number(1)])]), "60 letters set the width of the column")
    }

    @Test func colourIsAroundTheWordsAlone() {
        let text = TextWriter(style: .coloured).text(of: Self.sections)
        #expect(text.hasPrefix("\u{1B}[1mall\u{1B}[0m is \u{1B}[32mwell\u{1B}[0m\n\n\u{1B}[1mA title\u{1B}[0m\n"))
        #expect(text.contains("\n  \u{1B}[31mlong *name*\u{1B}[0m  1,234  12.5 %  x\n"))
        #expect(text.hasSuffix("\n\n  \u{1B}[32ma sum\u{1B}[0m\n"))
    }

    @Test func markdownEscapesMarkup() throws {
        try Form.expect(
            MarkdownWriter.text(of: Self.page), "Markdown escapes markup")
    }

    // The sections behind an answer.
    private static var page: ReportPage {
        var page = ReportPage(title: "bank & co", sections: sections, origin: ReportOrigin())
        page.head = .sample
        return page
    }

    // A title is in a tag of HTML, where a backslash would not keep a name from being markup.
    @Test func aTitleInHTMLIsNoMarkup() {
        let page = ReportPage(
            title: "x", sections: [ReportSection(.title("<b>@team"), sentences: ["y"])], origin: ReportOrigin())
        #expect(MarkdownWriter.text(of: page).contains("<summary>&#60;b&#62;@&#8203;team</summary>"))
    }

    // Of a terminal of 40 columns: sentences continue below, words of the widest column, too, and figures at the end leave.
    @Test func linesFitTheTerminal() throws {
        let words = "one two three four five six seven eight nine ten"
        let columns: [ReportTable.Column] = [.text("name"), .text("words"), .figure("count")]
        let table = ReportTable(columns, [[.text("a"), .text(words), .number(7)]])
        let wide = ReportTable(
            [.text("name")] + (1...6).map { .figure("count \($0)") }, [[.text("a")] + (1...6).map { .number($0) }])
        try Form.expect(
            TextWriter(width: 40).text(of: [
                ReportSection(.title("A"), sentences: [ReportText(words)], table: table),
                ReportSection(.title("B"), table: wide),
            ]), "lines fit a terminal of 40 columns")
    }

    // A command is broken before an option, behind a backslash, so that it can be copied.
    @Test func commandsAreBrokenForTheShell() throws {
        let list = ReportList(
            items: ["scenario diff day.jsonl --account prod.yaml --policy default,strict,risk"], isOutput: true)
        try Form.expect(
            TextWriter(width: 60).text(of: [ReportSection(.title("A"), lists: [list])]),
            "commands are broken for the shell")
    }

    @Test func nothingIsWrittenOfNothing() {
        #expect(TextWriter().text(of: []).isEmpty)
    }

    @Test func aRankingSaysHowManyItLeavesOut() {
        func omitted(_ count: Int) -> [Int] {
            let table = ReportTable.ranking([.text()], rows: (0..<count).map { ReportTable.Row(cells: [.number($0)]) })
            return [table.rows.count, table.omitted]
        }
        expect(omitted(20), equals: [20, 0])
        expect(omitted(21), equals: [20, 1])
    }
}

/// Fields of comma-separated values, as RFC 4180 has them, whatever strangers call their apps.
@Suite struct CSVTests {
    @Test(arguments: Attack.withLines) func noNameEndsItsField(_ attack: Attack) {
        let row = String(decoding: CSVOutput(columns: [.words(attack.text)]).bytes, as: UTF8.self)
        let text = row.dropLast()
        #expect(row.hasSuffix("\r\n"))
        #expect(!text.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" || $0 == "\n" })
        #expect(!"=+-@".contains(text.first ?? "x"))
        // Within quotes every quote is doubled; without them there is none, and no comma.
        let inner = text.hasPrefix("\"") ? text.dropFirst().dropLast().replacing("\"\"", with: "") : text[...]
        #expect(!inner.contains("\""))
        #expect(text.hasPrefix("\"") || !text.contains(","))
    }
}

/// The windows of a report as JSON (R13.2).
@Suite struct JSONWindowsTests {
    private static func window(_ hour: Int, passed: Int, failed: Int, _ counts: [Metric: Int]) -> Figures.Window {
        Figures.Window {
            $0.start = Instant(secondsSinceEpoch: hour * 3600)
            ($0.passed, $0.failed, $0.counts) = (passed, failed, counts)
        }
    }

    private static let app = Metric.app("ios-b", passed: true)
    private static let other = Metric.app("and-a", passed: false)
    private static let flag = Metric.flag("rooted", passed: false)

    @Test("members are in the order of their bytes, and each window has those that it counts")
    func members() {
        let hours = [
            Self.window(0, passed: 3, failed: 0, [Self.app: 3]),
            Self.window(25, passed: 1, failed: 2, [Self.flag: 2, Self.other: 1, Self.app: 1]),
            Self.window(26, passed: 0, failed: 0, [:]),
        ]
        let days = [Self.window(24, passed: 0, failed: 2, [Self.flag: 2])]
        let written = JSONWindows.value(of: [.hourly: hours, .daily: days]).bytes
        let expected =
            #"{"daily":[{"fail":2,"fail-flag-rooted":2,"pass":0,"start":"1970-01-02T00:00:00Z"}],"#
            + #""hourly":[{"fail":0,"pass":3,"pass-app-ios-b":3,"start":"1970-01-01T00:00:00Z"},"#
            + #"{"fail":2,"fail-app-and-a":1,"fail-flag-rooted":2,"pass":1,"pass-app-ios-b":1,"#
            + #""start":"1970-01-02T01:00:00Z"},{"fail":0,"pass":0,"start":"1970-01-02T02:00:00Z"}],"monthly":[]}"#
        expect(String(decoding: written, as: UTF8.self), equals: expected)
    }

    @Test("a report without windows has each kind of them") func none() {
        let written = JSONWindows.value(of: [:]).bytes
        expect(String(decoding: written, as: UTF8.self), equals: #"{"daily":[],"hourly":[],"monthly":[]}"#)
    }
}
