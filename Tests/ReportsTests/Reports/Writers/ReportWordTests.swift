import PolicyEngine
import Testing

@testable import Reports
@testable import TestSupport

/// Words and fields of reports, with what is written of each: `Tests/Tables/words/reports.txt`.
@Suite struct ReportWordTests {
    private static let readings: [String: TextCase.Reading] = [
        "a duration of a rollout": { RolloutDuration.words(Int($0) ?? 0) },
        "a span of time": { line in
            let times = try line.split(separator: " ").map { try #require(Instant(rfc3339: String($0))) }
            return SpanWords.text(from: times[0], to: times[1])
        },
        "a day of the week, as any calendar says; the day before 1970 was a Wednesday": { day in
            try #require(Instant(rfc3339: day + "T12:00:00Z")).date.weekdayAndDay
        },
        "an app with its system": { SpokenName.text(of: $0) },
        "a sentence begins with a capital": { line in
            let text = ReportText(try TextCase.text(of: line)).capitalized.spans.map(\.text).joined()
            return text.isEmpty ? "\"\"" : text
        },
        "code on a page ends a line between words": { code in
            let table = ReportTable([.text("name")], [[.code(code)]])
            let page = ReportPage(
                title: "x", sections: [ReportSection(.title("A"), table: table)], origin: ReportOrigin())
            let html = String(decoding: HTMLWriter.bytes(of: page), as: UTF8.self)
            return try String(
                #require(
                    html.firstMatch(of: #/<td[^>]*><code>(.*?)</code>|<th[^>]*><code>(.*?)</code>/#).flatMap {
                        $0.1 ?? $0.2
                    }))
        },
        "the end of a scale": { "\(PlotScale.end(atLeast: Int($0) ?? 0))" },
        "a scale of counts has one unit": { scale([.number(Int($0) ?? 0)]) },
        "a scale of shares of 2,000 is in percent": { scale([.share(1, of: 2000), .share(Int($0) ?? 0, of: 2000)]) },
        "a fact says which way is better": { line in
            let words = line.split(separator: " ")
            let fact = ReportHead.Fact(
                "Devices", from: Int(words[0]) ?? 0, to: Int(words[1]) ?? 0, of: nil,
                more: words[2] == "bad" ? .bad : .good)
            return fact.words.spans.map(\.text).joined()
        },
        "a field of CSV (RFC 4180) is text, whatever it begins with": { line in
            let output = CSVOutput(columns: [.count(1), .words(try TextCase.text(of: line)), "+w4m=="])
            let row = String(decoding: output.bytes, as: UTF8.self)
            #expect(row.hasPrefix("1,") && row.hasSuffix(",+w4m==\r\n"))
            let field = row.dropFirst(2).dropLast(",+w4m==\r\n".count)
            return field.isEmpty ? "\"\"" : String(field)
        },
    ]

    private static func scale(_ figures: [ReportTable.Cell]) -> String {
        let panel = ReportPlot.Panel(title: "x", series: [.init(name: "x", column: 1, tone: .worse)])
        let scale = PlotScale(of: panel, in: ReportTable([.text(), .figure()], figures.map { [.text("row"), $0] }))
        return [0, scale.top / 2, scale.top].map(scale.words).joined(separator: ", ")
    }

    @Test(arguments: CaseFile.all(in: "Tables/words", ending: "reports.txt")) func areWritten(_ file: CaseFile) throws {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }
}
