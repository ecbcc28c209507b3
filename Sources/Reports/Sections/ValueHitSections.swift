internal import Figures
internal import PolicyEngine

extension Comparison {
    /// The newly rejected devices by the values of each key, as groups of the section before; nothing where nobody asked for them.
    var valueSections: [ReportSection] {
        (valueHits ?? []).filter { !$0.values.isEmpty }.enumerated().map { index, hits in
            let columns: [ReportTable.Column] = [
                .text(), .figure("devices"), .figure("share"), .figure("of"), .figure("rate", bars: .worse),
            ]
            let rows = hits.values.map { value in
                ReportTable.Row(
                    cells: [
                        .text(value.text), .number(value.rejected),
                        .share(value.rejected, of: changes.rejected.devices), .number(value.devices),
                        .share(value.rejected, of: value.devices),
                    ], anchor: "Newly rejected \(hits.key) \(value.text)")
            }
            var table = ReportTable(columns, rows: rows)
            table.omitted = hits.different - hits.values.count
            let rate: ReportText = "the rate is the part of the devices with the value that are newly rejected"
            var section = ReportSection(
                .title("Newly rejected, by \(hits.key)"), sentences: index == 0 ? [rate] : [], table: table)
            section.place = .beside
            return section
        }
    }
}

extension [ValueHits] {
    /// `[{"key":"model","different":12,"values":[{"value":"Pixel 4","devices":n,"newly-rejected":n},…]},…]`
    var reported: JSONValue {
        .array(
            map { hits in
                .sorted([
                    "key": .string(hits.key), "different": .integer(hits.different),
                    "values": .array(
                        hits.values.map { value in
                            .sorted([
                                "value": .string(value.text), "devices": .integer(value.devices),
                                "newly-rejected": .integer(value.rejected),
                            ])
                        }),
                ])
            })
    }
}
