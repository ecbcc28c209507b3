internal import Figures

/// Writes the verdicts on labelled devices as CSV: a row for each label.
enum CSVLabels {
    /// The verdicts of an account as bytes; equal ones give equal bytes.
    static func bytes(of figures: LabelFigures) -> [UInt8] {
        var output = CSVOutput()
        for name in ["label", "devices", "rejected", "days", "rejected-days", "unevaluated"] { output.plain(name) }
        output.endRow()
        for label in DeviceLabel.allCases {
            guard let counts = figures.lanes.first?[label] else { continue }
            output.plain(label.rawValue)
            for count in [counts.devices, counts.rejected, counts.days, counts.rejectedDays, counts.unevaluated] {
                output.field(count)
            }
            output.endRow()
        }
        return output.bytes
    }
}
