internal import Documents
internal import Scenarios

extension ScenarioResult {
    /// What became of the requests of each group (R19.5); nothing where none were made.
    var requestSections: [ReportSection] {
        guard !requests.isEmpty else { return [] }
        let columns: [ReportTable.Column] =
            [.text("requests")] + RequestOutcome.allCases.map { .figure($0.rawValue) }
            + [.figure("devices blocked"), .figure("still"), .figure("longest")]
        let rows = requests.map { figures in
            var row = ReportTable.Row(
                cells: [.text(figures.group)] + RequestOutcome.allCases.map { .number(figures[$0]) }
                    + [
                        .number(figures.blockedDevices), .number(figures.stillBlocked),
                        .text(figures.longestBlocked.map(DurationText.print) ?? "–"),
                    ])
            row.anchor = "requests \(figures.group)"
            return row
        }
        return [ReportSection(.title("Requests"), table: ReportTable(columns, rows: rows))]
    }

    /// How many requests were made.
    var requestCount: Int { requests.reduce(0) { $0 + $1.total } }
}
