internal import Documents
internal import Figures

extension AttributeFrequency {
    /// The commonest values in a table, and what of it is exact.
    var section: ReportSection {
        var columns: [ReportTable.Column] = [.text("value"), .figure("attestations"), .figure("share")]
        if !isExact { columns += [.figure("at most")] }
        columns += [.figure("devices")]
        if !isExact { columns += [.figure("at most")] }
        columns += [.figure("failed"), .figure("failing", bars: .worse)]
        let rows = commonest.map { value in
            ReportTable.Row(cells: cells(of: value), anchor: "\(attribute) \(value.text)")
        }
        let table = ReportTable(columns, rows: rows, omitted: different.map { $0 - commonest.count } ?? 0)
        return ReportSection(.title("Values of \(attribute)"), sentences: sentences, table: table)
    }

    private func cells(of value: Value) -> [ReportTable.Cell] {
        let bound = value.attestations + value.missed
        var cells: [ReportTable.Cell] = [
            .text(Self.shown(value.text)), .number(value.attestations),
            .share(value.attestations, of: present + absent),
        ]
        if !isExact { cells.append(.number(bound)) }
        cells.append(.number(value.devices))
        if !isExact { cells.append(.number(value.devices + value.missedDevices)) }
        return cells + [.number(value.failed), .share(value.failed, of: value.attestations)]
    }

    private var sentences: [ReportText] {
        let all =
            "\(present.grouped) of \((present + absent).counting("attestation")) \(present.agreeing("has", "have")) it"
        guard let different else {
            return [
                ReportText("\(all), with more different values than were kept."),
                ReportText(
                    "The counts are lower bounds, and the table has the upper bounds. A value that is not shown has at "
                        + "most \(restAtMost.counting("attestation"))."),
            ]
        }
        let count = ReportText("\(all), with \(different.counting("different value")).")
        return isExact
            ? [count]
            : [
                count,
                "The counts of devices are lower bounds, because there are too many devices; the table has the upper bounds.",
            ]
    }

    // Long values are cut in tables for people; other forms have all of them.
    private static func shown(_ text: String) -> String {
        text.utf8.count <= shownLength ? text : String(text.prefix(shownLength)) + "…"
    }

    private static let shownLength = 120
}
