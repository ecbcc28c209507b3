internal import Figures
internal import PolicyEngine
internal import Scenarios

extension ChangeTimeline {
    // The greatest number of rows of a table, and the spans that rows may have, in minutes.
    private static let rowLimit = 100
    private static let spans = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440]

    /// The timeline as a section: when the change reaches how many devices; nothing where it reaches none.
    var sections: [ReportSection] {
        guard let first = affecting.first, let last = affecting.last else { return [] }
        let length = (last.start - first.start) / 60 + 1
        let span = Self.spans.first { length <= Self.rowLimit * $0 } ?? (length / Self.rowLimit + 1)
        let rows = rows(from: first.start, span: span * 60)
        let columns: [ReportTable.Column] =
            [
                .text(span == 1 ? "minute" : "from"), .figure("fetches"), .figure("from the cache"),
                .figure("newly locked out"), .figure("locked out so far"), .figure("newly let in"),
                .figure("let in so far"),
            ] + (blocked > 0 ? [.figure("newly blocked"), .figure("blocked so far")] : [])
        return [
            ReportSection(
                .title("Timeline of the change"), sentences: sentences.map { ReportText($0) },
                table: ReportTable(columns, rows),
                plots: plots(rows: rows.count, labels: rows.map { $0.first?.text ?? "" }))
        ]
    }

    private var sentences: [String] {
        let affected = affecting.filter { $0.reached > 0 }
        var sentences = ["the change is made at \(made)"]
        if inForce > made { sentences[0] += " and in force at \(inForce)" }
        if let first = affected.first, let last = affected.last {
            sentences.append(
                first.start == last.start
                    ? "it reaches all devices that it affects in the minute of \(first.start)"
                    : "it reaches the first device in the minute of \(first.start), the last in that of \(last.start)")
        }
        return sentences
    }

    // Without gaps, so that the axis is even; a row is as long as the span says, in seconds.
    private func rows(from first: Instant, span: Int) -> [[ReportTable.Cell]] {
        var sums: [Int: Minute.Sum] = [:]
        for minute in affecting { sums[(minute.start - first) / span, default: .init()].add(minute) }
        var (lockedOut, letIn, blocked) = (0, 0, 0)
        let showsBlocked = self.blocked > 0
        return (0...(sums.keys.max() ?? 0)).map { row in
            let sum = sums[row] ?? .init()
            lockedOut += sum.lockedOut
            letIn += sum.letIn
            blocked += sum.blocked
            return [
                .time(String((first + row * span).dateAndTime.dropLast(3))), .number(sum.fetches), .number(sum.cached),
                .number(sum.lockedOut), .number(lockedOut), .number(sum.letIn), .number(letIn),
            ] + (showsBlocked ? [.number(sum.blocked), .number(blocked)] : [])
        }
    }

    private func plots(rows: Int, labels: [String]) -> [ReportPlot] {
        let every = (rows + 4) / 5
        let marks = Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: rows, by: every).map { ($0, String(labels[$0].suffix(5))) })
        var series: [ReportPlot.Series] = []
        if lockedOut > 0 { series.append(ReportPlot.Series(name: "locked out so far", column: 4, tone: .worse)) }
        if letIn > 0 { series.append(ReportPlot.Series(name: "let in so far", column: 6, tone: .better)) }
        if blocked > 0 { series.append(ReportPlot.Series(name: "blocked so far", column: 8, tone: .worse)) }
        let panel = ReportPlot.Panel(title: "devices reached by the change", shape: .grouped, series: series)
        return [ReportPlot(title: "Timeline of the change", panels: [panel], marks: marks)]
    }
}

extension ChangeTimeline.Minute {
    /// Minutes taken together.
    fileprivate struct Sum {
        var fetches = 0
        var cached = 0
        var lockedOut = 0
        var letIn = 0
        var blocked = 0

        mutating func add(_ minute: ChangeTimeline.Minute) {
            fetches += minute.fetches
            cached += minute.cached
            lockedOut += minute.lockedOut
            letIn += minute.letIn
            blocked += minute.blocked
        }
    }
}
