internal import Figures
internal import PolicyEngine

extension Comparison {
    /// The newly rejected devices by the values of each key, as groups of the section before; none where nobody asked for them.
    var rejectedValues: [ReportSection] {
        sections(of: valueHits?.rejected, "Newly rejected", .worse, among: changes.rejected.devices)
    }

    /// The newly accepted devices, likewise.
    var acceptedValues: [ReportSection] {
        sections(of: valueHits?.accepted, "Newly accepted", .better, among: changes.accepted.devices)
    }

    private func sections(
        of hits: [ValueHits.Key]?, _ title: String, _ tone: ReportPlot.Tone, among turned: Int
    ) -> [ReportSection] {
        (hits ?? []).filter { !$0.values.isEmpty }.enumerated().map { index, hits in
            let columns: [ReportTable.Column] = [
                .text(), .figure("devices"), .figure("share"), .figure("of"), .figure("rate", bars: tone),
            ]
            let rows = hits.values.map { value in
                ReportTable.Row(
                    cells: [
                        .text(value.text), .number(value.turned), .share(value.turned, of: turned),
                        .number(value.devices), .share(value.turned, of: value.devices),
                    ], anchor: "\(title) \(hits.key) \(value.text)")
            }
            var table = ReportTable(columns, rows: rows)
            table.omitted = hits.different - hits.values.count
            let rate = ReportText("the rate is the part of the devices with the value that are \(title.lowercased())")
            var section = ReportSection(
                .title("\(title), by \(hits.key)"), sentences: index == 0 ? [rate] : [], table: table)
            section.place = .beside
            return section
        }
    }
}

extension [ValueHits.Key] {
    /// `[{"key":"model","different":12,"values":[{"value":"Pixel 4","devices":n,"newly-rejected":n},…]},…]`
    ///
    /// - Parameter turned: The member for the devices that are turned: `newly-rejected`.
    func reported(as turned: ExactText) -> JSONValue {
        .array(
            map { hits in
                .sorted([
                    "key": .string(hits.key), "different": .integer(hits.different),
                    "values": .array(
                        hits.values.map { value in
                            .sorted([
                                "value": .string(value.text), "devices": .integer(value.devices),
                                turned: .integer(value.turned),
                            ])
                        }),
                ])
            })
    }
}
