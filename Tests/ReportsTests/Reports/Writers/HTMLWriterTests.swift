import Testing

@testable import Reports
@testable import Statistics
@testable import TestSupport

/// The content and the form of a page, whatever its parts are called.
@Suite struct HTMLWriterTests {
    private static func html(_ sections: [ReportSection], title: String = "A page") -> String {
        let page = ReportPage(title: title, sections: sections, origin: ReportOrigin())
        return String(decoding: HTMLWriter.bytes(of: page), as: UTF8.self)
    }

    private static func main(_ sections: [ReportSection]) -> String {
        let text = html(sections)
        return String(text[(text.firstRange(of: "<main>")?.lowerBound ?? text.endIndex)...])
    }

    @Test func everyPartOfASectionIsWritten() throws {
        var row = ReportTable.Row(
            cells: [.text("long", .bad), .number(1234), .share(1, of: 8), .code("abcdefghijklmn==")],
            details: [ReportList(head: "where", items: ["expected: 1"], anchor: "expectation a.yaml 4:7")],
            note: "The meaning")
        row.anchor = "flag rooted"
        var table = ReportTable([.text("name"), .figure("count"), .figure(bars: .worse), .text("what")], rows: [row])
        table.omitted = 2000
        let sections = [
            ReportSection(.notice(ReportText("all", .strong) + " is " + ReportText("well", .good))),
            ReportSection(.title("A title"), sentences: ["a sentence"], table: table),
            ReportSection(.continuation, lists: [ReportList(items: ["one\n  two"], isOutput: true)]),
        ]
        try Form.expect(
            Self.main(sections),
            "every part of a section on a page: the share of 12.5 % on a scale that ends at 15 % is 83.33 % of its length"
        )
    }

    @Test(arguments: [
        // An option is not broken behind its dashes.
        (
            "give `--account new`, or `-a`",
            #"<p class="lead">Give <code><span class="option">--account</span> new</code>, or "#
                + #"<code><span class="option">-a</span></code></p>"#
        ),
        ("an odd ` stays", #"<p class="lead">An odd ` stays</p>"#),
        ("`a<b`", #"<p class="lead"><code>a&lt;b</code></p>"#), ("", #"<p class="lead"></p>"#),
    ]) func whatIsTypedIsShownAsCode(_ sentence: String, html: String) {
        #expect(Self.html([ReportSection(.title("A"), sentences: [ReportText(sentence)])]).contains(html))
    }

    @Test func zerosArePaleAndTitlesStandAboveFigures() {
        let columns: [ReportTable.Column] = [.text("name"), .figure("devices"), .figure("rate", bars: .worse)]
        let rows: [[ReportTable.Cell]] = [
            [.text("a"), .number(0), .share(1, of: 2)], [.text("b"), .number(3), .share(0, of: 2)],
        ]
        let html = Self.html([ReportSection(.title("A"), table: ReportTable(columns, rows))])
        #expect(html.contains(#"class="n zero">0</td>"#) && html.contains(#"class="n">3</td>"#))
        #expect(html.contains(#"class="n zero">0.0 %"#))
        #expect(html.contains(#"<th scope="col" class="n">rate</th><td class="b">"#))
        #expect(html.contains(#"<th scope="col" class="n">devices</th>"#))
    }

    @Test(arguments: Attack.withLines) func noNameBecomesMarkup(_ attack: Attack) {
        let text = attack.text
        var row = ReportTable.Row(
            cells: [.text(text, .strong), .code(text), .time(text)],
            details: [ReportList(head: ReportText(text), items: [text], anchor: text)], note: text)
        row.anchor = text
        var section = ReportSection(
            .title(text), sentences: [ReportText(text)],
            table: ReportTable([.text(text), .text(), .text()], rows: [row]),
            lists: [ReportList(head: ReportText(text), items: [text], isOutput: true)])
        section.plots = [
            ReportPlot(
                title: text,
                panels: [.init(title: text, series: [.init(name: text, column: 1, tone: .worse)])],
                marks: [0: text], event: .init(row: 0, offset: 500, name: text))
        ]
        let attacked = Self.html([section, ReportSection(.notice(ReportText(text, .bad)))], title: text)
        let harmless = Self.html([section], title: "x")
        // The same elements as with any other name.
        for tag in ["<script", "<img", "<b>", "<i>", "onerror=alert(1)>", "</style></title>"] {
            #expect(!attacked.contains(tag), "\(tag)")
        }
        #expect(Self.count("<style>", attacked) == 1 && Self.count("</style>", attacked) == 1)
        expect(Self.count("<title", attacked), equals: Self.count("<title", harmless))
        #expect(!attacked.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" })
    }

    private static func count(_ part: String, _ text: String) -> Int { text.ranges(of: part).count }

    @Test func anchorsAreUnique() {
        var anchors = HTMLAnchors()
        let texts = ["Flag Rooted", "flag-rooted", "flag rooted", "<>", "", "flag rooted 2"]
        let names = texts.map { anchors.name(for: $0) }
        expect(names, equals: ["flag-rooted", "flag-rooted-2", "flag-rooted-3", "part", "part-2", "flag-rooted-2-2"])
    }

    // Names of 65 to 80 bytes are as long as what is cut, with the words before them.
    @Test(arguments: [1, 64, 65, 72, 79, 80, 81, 200])
    func longNamesThatAreEqualHaveAnchorsOfTheirOwn(_ length: Int) {
        var anchors = HTMLAnchors()
        let name = String(repeating: "a", count: length)
        let names = (0..<500).map { _ in anchors.name(for: name) }
        expect(Set(names).count, equals: 500)
        let cut = String(name.prefix(HTMLAnchors.limit))
        expect(Array(names.prefix(3)), equals: [cut, "\(cut)-2", "\(cut)-3"])
    }

    @Test func aNameThatEndsWithANumberTakesNobodysAnchor() {
        var anchors = HTMLAnchors()
        let texts = ["a-2", "a", "a", "a", "a-3", "a-2"]
        expect(texts.map { anchors.name(for: $0) }, equals: ["a-2", "a", "a-3", "a-4", "a-3-2", "a-2-2"])
    }

    @Test func aPageIsCutWhereItsTablesAreLong() {
        let rows = (0..<100_000).map { ReportTable.Row(cells: [.text("name \($0)"), .number($0)]) }
        let table = ReportTable([.text("name"), .figure("count")], rows: rows)
        let long = (0..<5).map { ReportSection(.title("Part \($0)"), table: table) }
        let text = Self.html(long)
        #expect(text.utf8.count < HTMLWriter.limit)
        // As many as are written and as many as are said to be left out are all.
        let written = text.ranges(of: "<tr>").count - long.count
        let omitted = text.matches(of: #/And ([0-9,]+) more/#).compactMap { Int($0.output.1.replacing(",", with: "")) }
        #expect(written > 1000)
        expect(written + omitted.reduce(0, +), equals: 500_000)
    }

    @Test func aLongNameIsCut() {
        let text = Self.html([ReportSection(.notice(ReportText(String(repeating: "x", count: 1_000_000))))])
        #expect(text.utf8.count < 20_000)
        #expect(text.contains("x…</p>") || text.contains("X…</p>"))
    }

    @Test func everyFigureOfAPlotIsInItsTable() {
        let rows: [[ReportTable.Cell]] = [
            [.time("10:00"), .number(3), .number(1000)], [.time("11:00"), .number(0), .number(250)],
        ]
        var section = ReportSection(
            .title("By hour"), table: ReportTable([.text("hour"), .figure("failed"), .figure("passed")], rows))
        let series = [
            ReportPlot.Series(name: "failed", column: 1, tone: .worse),
            ReportPlot.Series(name: "passed", column: 2, tone: .better),
        ]
        section.plots = [
            ReportPlot(
                title: "By hour", panels: [.init(title: "devices", series: series)],
                marks: [0: "10:00", 1: "11:00"])
        ]
        let text = Self.html([section])
        // 1003 of 2000 at the top: 120 pixels are 2000, so 1000 are 60, and what is not zero can be seen.
        #expect(text.contains("<title>10:00: failed 3, passed 1,000</title>"))
        #expect(text.contains(##"height="0.5" class="f-worse" fill="#b4470b"##))
        #expect(text.contains(##"height="60" class="f-better" fill="#1a62b5"##))
        #expect(text.contains("<title>11:00: failed 0, passed 250</title>"))
        #expect(text.contains(##"height="15" class="f-better" fill="#1a62b5"##))
        #expect(text.contains(#"role="img" width="100%""#) && text.contains("<title>By hour</title><desc>Bars, "))
        #expect(text.contains(">2,000</text>") && text.contains(">1,000</text>"))
    }

    // 10 % before and 30 % after of a scale up to 50 % in 120 pixels; and the other way round.
    @Test(arguments: [(1, 3, "worse"), (3, 1, "better")])
    func aChangeIsDrawnUponWhatStays(_ before: Int, _ after: Int, tone: String) {
        let row: [ReportTable.Cell] = [.time("10:00"), .share(before, of: 10), .share(after, of: 10)]
        var section = ReportSection(
            .title("By hour"), table: ReportTable([.text("hour"), .figure("before"), .figure("after")], [row]))
        let series = ["before", "after"].enumerated().map {
            ReportPlot.Series(name: $1, column: $0 + 1, tone: .neutral)
        }
        section.plots = [
            ReportPlot(
                title: "By hour", panels: [.init(title: "failing", shape: .change, series: series)], marks: [:],
                event: .init(row: 0, offset: 500, name: "change"))
        ]
        let text = Self.html([section])
        #expect(text.contains("<title>10:00: before \(before)0.0 %, after \(after)0.0 %</title>"))
        #expect(
            text.contains(##"height="24" class="f-neutral""##) && text.contains(##"height="48" class="f-\##(tone)""##))
        // From 11 to 100 % of the width: the middle of the one row.
        #expect(text.contains(tone == "worse" ? "more after the change" : "fewer after the change"))
        #expect(!text.contains(tone == "worse" ? "fewer after" : "more after"))
        #expect(text.contains(##"<line x1="55.50%" x2="55.50%""##) && text.contains(">change</text>"))
        // The line is in the panel, and the name above its title: neither crosses the other's words.
        #expect(text.contains(##"y1="32" y2="164" stroke="currentColor" stroke-dasharray"##))
        #expect(
            text.contains(##"y="10" text-anchor="start">change"##)
                && text.contains(##"y="26" font-weight="bold">Failing"##))
    }

    // The title of the panel has said what the only colour is.
    @Test func aChangeThatIsNoneHasNoLegend() {
        let row: [ReportTable.Cell] = [.time("10:00"), .share(1, of: 10), .share(1, of: 10)]
        var section = ReportSection(
            .title("By hour"), table: ReportTable([.text("hour"), .figure("before"), .figure("after")], [row]))
        let series = ["before", "after"].enumerated().map {
            ReportPlot.Series(name: $1, column: $0 + 1, tone: .neutral)
        }
        section.plots = [
            ReportPlot(title: "By hour", panels: [.init(title: "failing", shape: .change, series: series)], marks: [:])
        ]
        let text = Self.html([section])
        #expect(text.contains(##"height="120" class="f-neutral""##) && !text.contains("<figcaption>"))
    }

    // A mark below a line points at a character of it, so that neither is broken over lines.
    @Test func linesThatBelongTogetherStayWhole() {
        for (isAligned, start) in [(true, #"<pre class="aligned" tabindex="0">"#), (false, #"<pre tabindex="0">"#)] {
            let list = ReportList(items: ["expect: 1", "        ^"], isOutput: true, isAligned: isAligned)
            let text = Self.main([ReportSection(.continuation, lists: [list])])
            #expect(text.contains("\(start)expect: 1\n        ^\n</pre>"))
        }
    }

    @Test func theHeadSaysTheAnswerFirst() {
        var page = ReportPage(
            title: "bank: a → b",
            sections: [ReportSection(.title("Result"), sentences: ["more"])], origin: ReportOrigin())
        page.scope = ["23 July 2020", "2,000 devices"]
        page.head = .sample
        let text = String(decoding: HTMLWriter.bytes(of: page), as: UTF8.self)
        #expect(text.contains("<title>bank: a → b · 23 July 2020 · 2,000 devices</title>"))
        #expect(
            text.contains(
                """
                <header class="title"><h1>bank: a → b</h1><p>23 July 2020 · 2,000 devices</p></header>
                <main>
                <section class="answer bad" id="result-2"><div class="says-it"><h2 class="verdict">✗ Limit exceeded</h2>\
                <p class="says">104 of 2,000 devices</p><p class="sub"><code>a</code> rejects them</p>\
                <p class="note">A note</p></div></section>
                <div class="facts"><div><p class="k">Good devices blocked</p><p class="v">4 → 12 <small>of 86</small></p>\
                <p class="w"><b class="worse">8 more, worse</b></p></div>
                </div>
                <p class="zeros">No device is newly accepted, all are evaluated.</p>
                <section class="block" id="result"><h2>Result</h2>
                """))
    }

    // Two narrow blocks are beside each other, and the third has all of the width; parts belong to the block before them.
    @Test func narrowBlocksAreInPairs() {
        func section(_ title: String, _ place: ReportSection.Place) -> ReportSection {
            ReportSection(.title(title), sentences: ["x"], place: place)
        }
        let html = Self.main([
            section("A", .half), section("B", .half), section("Part", .below), section("C", .half),
            section("D", .alone),
        ])
        let classes = html.matches(of: #/<section class="([a-z ]+)" id="([a-z]+)"/#).map {
            "\($0.output.2) \($0.output.1)"
        }
        expect(classes, equals: ["a block half", "b block half", "c block", "d block"])
        #expect(html.contains(#"<section id="part"><h3>Part</h3>"#))
    }

    @Test(arguments: [false, true]) func aTableThatItsPlotsRepeatIsFolded(showsTable: Bool) {
        let row: [ReportTable.Cell] = [.code("an edit"), .number(3), .number(2)]
        var section = ReportSection(
            .title("Edits"), table: ReportTable([.text("edit"), .figure("caught"), .figure("blocked")], [row]))
        let series = ["caught", "blocked"].enumerated().map {
            ReportPlot.Series(name: $1, column: $0 + 1, tone: .better)
        }
        section.plots = [
            ReportPlot(title: "Edits", panels: [.init(title: "caught", shape: .grouped, series: series)], marks: [:])
        ]
        section.showsTable = showsTable
        #expect(Self.html([section]).contains("<details>") != showsTable)
    }

    // Intervals are drawn from 0 to 6 %: 4 % is at two thirds. An interval without numbers leaves its place empty.
    @Test func intervalsAreDrawnOnOneAxis() {
        var column = ReportTable.Column.figure("95 %")
        column.drawsIntervals = true
        let rows: [[ReportTable.Cell]] = [
            [.text("a"), .interval("4–6 %", estimate: 0.05, ConfidenceInterval(0.04, 0.06))],
            [.text("b"), .interval("1.00×", estimate: nil, nil)], [.text("c"), .text("–")],
        ]
        func text(_ rows: [[ReportTable.Cell]]) -> String {
            Self.html([ReportSection(.title("A"), table: ReportTable([.text("of"), column], rows))])
        }
        let whole = text(rows)
        #expect(whole.contains(##"<rect x="66.67%" width="33.33%""##) && whole.contains(##"<circle cx="83.33%""##))
        expect(Self.count("<td class=\"b\"></td>", whole), equals: 2)
        #expect(!text(Array(rows.dropFirst())).contains("<circle"))
    }

    @Test func anAxisHasALimit() {
        var section = ReportSection(.title("A"), sentences: ["x"])
        section.intervals = IntervalPlot(
            title: "Newly rejected",
            rows: [.init(estimate: 0.05, interval: ConfidenceInterval(0.04, 0.06), tone: .worse)],
            limit: .init(share: 0.03, words: "limit 3 %"))
        let text = Self.html([section])
        #expect(text.contains(##"<line x1="50%" x2="50%" y1="0""##) && text.contains(">limit 3 %</text>"))
        #expect(text.contains("aria-label=\"5.0 % of the capture, 4.0–6.0 % of all devices; limit 3 %\""))
    }

    // A column that says the same in every row is a sentence; a long narrow table folds its end.
    @Test func tablesLeaveOutWhatIsEqual() {
        let columns: [ReportTable.Column] = [.text("edit"), .figure("devices"), .figure("not evaluated")]
        let rows = (0..<13).map { ReportTable.Row(cells: [.text("e\($0)"), .number($0), .number(0)]) }
        let section = ReportSection(.title("A"), table: ReportTable(columns, rows: rows), place: .half)
        let text = Self.html([section])
        #expect(text.contains("In every row: not evaluated 0") && !text.contains(">not evaluated</th>"))
        #expect(text.contains("<summary>5 more</summary>"))
        expect(Self.count("<tr>", text), equals: 15)
    }

    // 100 is far beyond 4, 5 and 6: the scale ends at 8, and the bar of 100 is cut.
    @Test(arguments: [
        ([4.0, 5, 6], false, "8", [5000, 6250, 7500]), ([4.0, 5, 6, 100], false, "8", [5000, 6250, 7500, 10_000]),
        ([0.052, 0.091], true, "10 %", [5200, 9100]), ([1.0, 0.5], true, "100 %", [10_000, 5000]),
    ]) func bars(_ figures: [Double], isShare: Bool, end: String, lengths: [Int]) {
        let scale = BarScale(reaching: figures, isShare: isShare)
        expect(scale.words, equals: end)
        expect(figures.map(scale.length), equals: lengths)
        expect(figures.filter(scale.cuts), equals: figures.filter { $0 == 100 })
    }

    @Test func aPageHasTitlesThatATextDoesNotNeed() {
        let table = ReportTable([.text(page: "flag"), .figure(page: "devices")], [[.text("rooted"), .number(3)]])
        let section = ReportSection(.title("A"), table: table)
        #expect(Self.html([section]).contains(#"<th scope="col">flag</th><th scope="col" class="n">devices</th>"#))
        #expect(!TextWriter(style: .plain).text(of: [section]).contains("devices"))
    }
}
