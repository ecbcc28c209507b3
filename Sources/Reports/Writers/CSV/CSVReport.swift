internal import Figures
internal import PolicyEngine

/// Writes the counts by minute, and the unique devices by hour, day and billing month, as CSV.
///
/// The first three columns are the key of a row: `window` (`minute`, `hourly`, `daily` or `monthly`), its `start`, and what
/// it `counts` (`attestations` or `devices`). A column for each metric follows, named as in every report (R13). If values
/// of attributes or labelled devices were counted, or else if a confidence level was given, these values or the intervals are
/// written instead.
enum CSVReport {
    /// The report as bytes; equal reports give equal bytes.
    static func bytes(of report: Report) -> [UInt8] {
        let figures = report.figures
        if let frequencies = figures.frequencies { return CSVFrequencies.bytes(of: frequencies) }
        if let labels = figures.labels { return CSVLabels.bytes(of: labels) }
        if let intervals = report.intervals { return CSVIntervals.bytes(of: intervals) }
        let minutes = figures.series.map { Array($0.inOrder) } ?? []
        let windows = WindowKind.allCases.flatMap { kind in (figures.windows[kind] ?? []).map { (kind, $0) } }
        let columns = columns(minutes.map(\.metrics) + windows.map(\.1.allCounts))
        var output = CSVOutput(columns: ["window", "start", "counts"] + columns.map { .words($0.name) })
        for minute in minutes { write("minute", minute.start, "attestations", minute.metrics, columns, to: &output) }
        for (kind, window) in windows {
            write(kind.rawValue, window.start, "devices", window.allCounts, columns, to: &output)
        }
        return output.bytes
    }

    // `pass` and `fail` first, the others in the order of their names' bytes.
    private static func columns(_ counts: [[Metric: Int]]) -> [Metric] {
        var all = counts.reduce(into: Set<Metric>()) { $0.formUnion($1.keys) }
        all.subtract([.pass, .fail])
        let named = all.map { (ExactText($0.name), $0) }
        return [.pass, .fail] + named.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func write(
        _ window: String, _ start: Instant, _ counted: String, _ counts: [Metric: Int], _ columns: [Metric],
        to output: inout CSVOutput
    ) {
        let key = [window, start.description, counted]
        output.add(key.map { .plain($0) } + columns.map { .count(counts[$0] ?? 0) })
    }
}
