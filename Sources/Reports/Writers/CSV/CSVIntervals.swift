internal import Figures

/// Writes the intervals of a report as CSV: a row for each figure.
enum CSVIntervals {
    /// The intervals as bytes; equal ones give equal bytes.
    static func bytes(of intervals: Intervals) -> [UInt8] {
        var output = CSVOutput(columns: ["figure", "level", "estimate", "lower", "upper"])
        for estimate in intervals.estimates {
            output.add(([estimate.key, intervals.level.name] + estimate.fields).map { .plain($0) })
        }
        return output.bytes
    }
}
