import Testing

@testable import Reports

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

    @Test func textIsIndentedAndAligned() {
        #expect(
            TextWriter().text(of: Self.sections) == """
                all is well

                A title
                  a sentence
                  an [other]
                  name         count          what
                  long *name*  1,234  12.5 %  x
                          one
                          \ttwo
                        where
                          expected: 1
                          actual:   2␊
                  b              7 s
                  and 2,000 more
                      any of:
                        a
                        b

                  a sum

                """)
    }

    @Test func columnsAreCountedAsATerminalShowsThem() {
        let rows = [("设备", 1), ("🔒 a", 20), ("plain", 300), ("e\u{301}", 4)]
        let table = ReportTable(
            [.text("name"), .figure("count")], rows: rows.map { .init(cells: [.text($0.0), .number($0.1)]) })
        #expect(
            TextWriter().text(of: [ReportSection(.title("A title"), table: table)]) == """
                A title
                  name   count
                  设备       1
                  🔒 a      20
                  plain    300
                  e\u{301}          4

                """)
    }

    // 60 letters set the width of the column, 61 do not.
    @Test func aLongNameHasALineOfItsOwn() {
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
        #expect(
            table(rows) == """
                A title
                  name   count
                  \(longer)
                             1
                  plain     20
                  \(longer)

                """)
        #expect(
            table([.init(cells: [.text(long), .number(1)])]) == """
                A title
                  name\(String(repeating: " ", count: 56))  count
                  \(long)      1

                """)
    }

    @Test func colourIsAroundTheWordsAlone() {
        let text = TextWriter(style: .coloured).text(of: Self.sections)
        #expect(text.hasPrefix("\u{1B}[1mall\u{1B}[0m is \u{1B}[32mwell\u{1B}[0m\n\n\u{1B}[1mA title\u{1B}[0m\n"))
        #expect(text.contains("\n  \u{1B}[31mlong *name*\u{1B}[0m  1,234  12.5 %  x\n"))
        #expect(text.hasSuffix("\n\n  \u{1B}[32ma sum\u{1B}[0m\n"))
    }

    @Test func markdownEscapesMarkup() {
        #expect(
            MarkdownWriter.text(of: Self.sections) == #"""
                **all** is **well**

                ### A title

                a sentence

                an \[other\]

                | name | count |  | what |
                | --- | ---: | ---: | --- |
                | **long \*name\*** | 1,234 | 12.5 % | x |
                | b | 7 s |  |  |

                - one
                - ␉two

                - where
                  - expected: 1
                  - actual:   2␊

                and 2,000 more

                - any of:
                  - a
                  - b

                **a sum**

                """#)
    }

    @Test func nothingIsWrittenOfNothing() {
        #expect(TextWriter().text(of: []).isEmpty)
        #expect(MarkdownWriter.text(of: []).isEmpty)
    }

    @Test func aRankingSaysHowManyItLeavesOut() {
        func omitted(_ count: Int) -> [Int] {
            let table = ReportTable.ranking([.text()], rows: (0..<count).map { ReportTable.Row(cells: [.number($0)]) })
            return [table.rows.count, table.omitted]
        }
        #expect(omitted(20) == [20, 0])
        #expect(omitted(21) == [20, 1])
    }
}
