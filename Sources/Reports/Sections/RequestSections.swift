internal import Documents
internal import Scenarios

extension ScenarioResult {
    /// The results of each group's requests (R19.5); nothing if none were made.
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
                        .text(figures.longestBlocked.map(DurationText.text) ?? "–"),
                    ])
            row.anchor = "requests \(figures.group)"
            return row
        }
        return [ReportSection(.title("Requests"), table: ReportTable(columns, rows: rows))]
    }

    var requestCount: Int { requests.reduce(0) { $0 + $1.total } }
}
