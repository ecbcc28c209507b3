internal import Figures

/// Writes the verdicts on labelled devices as CSV: a row for each label.
enum CSVLabels {
    /// The verdicts of an account as bytes; equal ones give equal bytes.
    static func bytes(of figures: LabelFigures) -> [UInt8] {
        var output = CSVOutput(columns: ["label", "devices", "rejected", "days", "rejected-days", "unevaluated"])
        for label in DeviceLabel.allCases {
            guard let counts = figures.lanes.first?[label] else { continue }
            let all = [counts.devices, counts.rejected, counts.days, counts.rejectedDays, counts.unevaluated]
            output.add([.plain(label.rawValue)] + all.map { .count($0) })
        }
        return output.bytes
    }
}
