internal import Figures

/// Writes the intervals of a report as CSV: a row for each figure.
enum CSVIntervals {
    /// The intervals as bytes; equal ones give equal bytes.
    static func bytes(of intervals: Intervals) -> [UInt8] {
        var output = CSVOutput()
        for name in ["figure", "level", "estimate", "lower", "upper"] { output.plain(name) }
        output.endRow()
        for estimate in intervals.estimates {
            output.plain(estimate.key)
            output.plain(intervals.level.name)
            for field in estimate.fields { output.plain(field) }
            output.endRow()
        }
        return output.bytes
    }
}
