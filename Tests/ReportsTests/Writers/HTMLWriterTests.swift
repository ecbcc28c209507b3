import Testing

@testable import Reports
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

    // The bar of a share of one eighth.
    private static let eighth =
        ##"<svg class="bar" aria-hidden="true" width="64" height="12">"##
        + ##"<rect width="64" height="12" fill="#7a7f87" fill-opacity="0.15"></rect>"##
        + ##"<rect width="8" height="12" fill="#7a7f87" fill-opacity="1"></rect></svg>"##

    @Test func everyPartOfASectionIsWritten() {
        var row = ReportTable.Row(
            cells: [.text("long", .bad), .number(1234), .share(1, of: 8), .code("abcdefghijklmn==")],
            details: [ReportList(head: "where", items: ["expected: 1"], anchor: "expectation a.yaml 4:7")])
        row.anchor = "flag rooted"
        var table = ReportTable([.text("name"), .figure("count"), .figure(), .text("what")], rows: [row])
        table.omitted = 2000
        let sections = [
            ReportSection(.notice(ReportText("all", .strong) + " is " + ReportText("well", .good))),
            ReportSection(.title("A title"), sentences: ["a sentence"], table: table),
            ReportSection(.continuation, lists: [ReportList(items: ["one\n  two"], isOutput: true)]),
        ]
        #expect(
            Self.main(sections) == """
                <main>
                <section><p class="notice"><strong>all</strong> is <b class="good">well</b></p>
                </section>
                <section id="a-title"><h2>A title</h2>
                <p>a sentence</p>
                <div class="scroll" role="region" tabindex="0" aria-label="A title"><table cellpadding="4">\
                <caption align="left">A title</caption><thead><tr><th scope="col" align="left">name</th>\
                <th scope="col" class="figure" align="right">count</th><td class="figure" align="right"></td>\
                <th scope="col" align="left">what</th></tr></thead>
                <tbody><tr id="flag-rooted"><th scope="row" align="left"><b class="bad">long</b></th>\
                <td class="figure" align="right">1,234</td><td class="figure" align="right">12.5 %\(Self.eighth)</td>\
                <td align="left"><code>abcdefghijkl<wbr>mn==</code></td></tr>
                <tr><td colspan="4"><div id="expectation-a-yaml-4-7"><p>where</p><ul><li>expected: 1</li></ul></div>
                </td></tr>
                </tbody></table></div>
                <p class="more">and 2,000 more; the same report as JSON has them all</p></section>
                <section>
                <div><pre tabindex="0">one
                  two
                </pre></div>
                </section>
                </main></body></html>

                """)
    }

    @Test(arguments: Attack.withLines) func noNameBecomesMarkup(_ attack: Attack) {
        let text = attack.text
        var row = ReportTable.Row(
            cells: [.text(text, .strong), .code(text), .time(text)],
            details: [ReportList(head: ReportText(text), items: [text], anchor: text)])
        row.anchor = text
        var section = ReportSection(
            .title(text), sentences: [ReportText(text)],
            table: ReportTable([.text(text), .text(), .text()], rows: [row]),
            lists: [ReportList(head: ReportText(text), items: [text], isOutput: true)])
        section.plots = [
            ReportPlot(
                title: text, unit: text,
                panels: [.init(title: text, series: [.init(name: text, column: 1, tone: .failed)])],
                marks: [0: text])
        ]
        let attacked = Self.html([section, ReportSection(.notice(ReportText(text, .bad)))], title: text)
        let harmless = Self.html([section], title: "x")
        // The same elements as with any other name.
        for tag in ["<script", "<img", "<b>", "<i>", "onerror=alert(1)>", "</style></title>"] {
            #expect(!attacked.contains(tag), "\(tag)")
        }
        #expect(Self.count("<style>", attacked) == 1 && Self.count("</style>", attacked) == 1)
        #expect(Self.count("<title", attacked) == Self.count("<title", harmless))
        #expect(!attacked.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" })
    }

    private static func count(_ part: String, _ text: String) -> Int { text.ranges(of: part).count }

    @Test func anchorsAreUnique() {
        var anchors = HTMLAnchors()
        let texts = ["Flag Rooted", "flag-rooted", "flag rooted", "<>", "", "flag rooted 2"]
        let names = texts.map { anchors.name(for: $0) }
        #expect(names == ["flag-rooted", "flag-rooted-2", "flag-rooted-3", "part", "part-2", "flag-rooted-2-2"])
    }

    // Names of 65 to 80 bytes are as long as what is cut, with the words before them.
    @Test(arguments: [1, 64, 65, 72, 79, 80, 81, 200])
    func longNamesThatAreEqualHaveAnchorsOfTheirOwn(_ length: Int) {
        var anchors = HTMLAnchors()
        let name = String(repeating: "a", count: length)
        let names = (0..<500).map { _ in anchors.name(for: name) }
        #expect(Set(names).count == 500)
        let cut = String(name.prefix(HTMLAnchors.limit))
        #expect(Array(names.prefix(3)) == [cut, "\(cut)-2", "\(cut)-3"])
    }

    @Test func aNameThatEndsWithANumberTakesNobodysAnchor() {
        var anchors = HTMLAnchors()
        let texts = ["a-2", "a", "a", "a", "a-3", "a-2"]
        #expect(texts.map { anchors.name(for: $0) } == ["a-2", "a", "a-3", "a-4", "a-3-2", "a-2-2"])
    }

    @Test func aPageIsCutWhereItsTablesAreLong() {
        let rows = (0..<100_000).map { ReportTable.Row(cells: [.text("name \($0)"), .number($0)]) }
        let table = ReportTable([.text("name"), .figure("count")], rows: rows)
        let long = (0..<5).map { ReportSection(.title("Part \($0)"), table: table) }
        let text = Self.html(long)
        #expect(text.utf8.count < HTMLWriter.limit)
        // As many as are written and as many as are said to be left out are all.
        let written = text.ranges(of: "<tr>").count - long.count
        let omitted = text.matches(of: #/and ([0-9,]+) more/#).compactMap { Int($0.output.1.replacing(",", with: "")) }
        #expect(written > 1000)
        #expect(written + omitted.reduce(0, +) == 500_000)
    }

    @Test func aLongNameIsCut() {
        let text = Self.html([ReportSection(.notice(ReportText(String(repeating: "x", count: 1_000_000))))])
        #expect(text.utf8.count < 20_000)
        #expect(text.contains("x…</p>"))
    }

    @Test func everyFigureOfAPlotIsInItsTable() {
        let rows: [[ReportTable.Cell]] = [
            [.time("10:00"), .number(3), .number(1000)], [.time("11:00"), .number(0), .number(250)],
        ]
        var section = ReportSection(
            .title("By hour"), table: ReportTable([.text("hour"), .figure("failed"), .figure("passed")], rows))
        let series = [
            ReportPlot.Series(name: "failed", column: 1, tone: .failed),
            ReportPlot.Series(name: "passed", column: 2, tone: .passed),
        ]
        section.plots = [
            ReportPlot(
                title: "By hour", unit: "devices", panels: [.init(title: "", series: series)],
                marks: [0: "10:00", 1: "11:00"])
        ]
        let text = Self.html([section])
        // 1003 of 2000 at the top: 120 pixels are 2000, so 1000 are 60, and what is not zero can be seen.
        #expect(text.contains("<title>10:00: 3 failed, 1,000 passed</title>"))
        #expect(text.contains(##"y="149.9" height="0.5" fill="#c8650f"##))
        #expect(text.contains(##"y="89.9" height="60" fill="#3d7ebf"##))
        #expect(text.contains("<title>11:00: 0 failed, 250 passed</title>"))
        #expect(text.contains(##"y="135" height="15" fill="#3d7ebf"##))
        #expect(text.contains(#"role="img" aria-labelledby="by-hour-plot1-title by-hour-plot1-desc""#))
        #expect(text.contains(">2,000</text>") && text.contains(">1,000</text>"))
    }

    @Test(arguments: [
        (0, 2), (1, 2), (2, 2), (3, 10), (21, 50), (99, 100), (101, 200), (210, 250), (300, 500), (501, 1000),
        (1003, 2000),
    ]) func scalesEndAtARoundFigure(_ value: Int, top: Int) {
        #expect(PlotDrawing.scale(atLeast: value) == top)
    }
}
