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
        if let frequencies = figures.frequencies {
            return CSVFrequencies.bytes(of: frequencies, narrowed: report.narrowed)
        }
        if let labels = figures.labels { return CSVLabels.bytes(of: labels, narrowed: report.narrowed) }
        if let intervals = report.intervals { return intervals.csv(narrowed: report.narrowed) }
        let minutes = figures.series.map { Array($0.inOrder) } ?? []
        let windows = WindowKind.allCases.flatMap { kind in (figures.windows[kind] ?? []).map { (kind, $0) } }
        let columns = columns(minutes.map(\.metrics) + windows.map(\.1.allCounts))
        var output = CSVOutput(
            columns: ["window", "start", "counts"] + columns.map { .words($0.name) }, narrowed: report.narrowed)
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

/// Writes the verdicts on labelled devices as CSV: a row for each label.
enum CSVLabels {
    /// The verdicts of an account as bytes; equal ones give equal bytes.
    static func bytes(of figures: LabelFigures, narrowed: NarrowedRecords?) -> [UInt8] {
        var output = CSVOutput(
            columns: ["label", "devices", "rejected", "days", "rejected-days", "unevaluated"], narrowed: narrowed)
        for label in DeviceLabel.allCases {
            guard let counts = figures.lanes.first?[label] else { continue }
            let all = [counts.devices, counts.rejected, counts.days, counts.rejectedDays, counts.unevaluated]
            output.add([.plain(label.rawValue)] + all.map { .count($0) })
        }
        return output.bytes
    }
}

/// Writes how often attributes have their values as CSV: a row for each value, the commonest of an attribute first.
enum CSVFrequencies {
    /// The frequencies as bytes; equal ones give equal bytes.
    static func bytes(of frequencies: [AttributeFrequency], narrowed: NarrowedRecords?) -> [UInt8] {
        var output = CSVOutput(
            columns: [
                "attribute", "value", "attestations", "failed", "devices", "missed-at-most", "missed-devices-at-most",
            ], narrowed: narrowed)
        for frequency in frequencies {
            for value in frequency.commonest {
                let counts = [value.attestations, value.failed, value.devices, value.missed, value.missedDevices]
                output.add([.words(frequency.attribute), .words(value.text)] + counts.map { .count($0) })
            }
        }
        return output.bytes
    }
}

/// Writes the counts by minute, and the unique devices by hour, day and billing month, as CSV with a row for each count.
///
/// Attestations are counted by minute, and devices in every other window. A metric about an app, a version or a flag has these in
/// columns of their own, and is named without them: `fail-flag` of the flag `rooted`. If values of attributes were counted,
/// these are written instead, as ``CSVReport`` writes them.
enum CSVLongReport {
    /// The report as bytes; equal reports give equal bytes.
    static func bytes(of report: Report) -> [UInt8] {
        let figures = report.figures
        if let frequencies = figures.frequencies {
            return CSVFrequencies.bytes(of: frequencies, narrowed: report.narrowed)
        }
        var output = CSVOutput(
            columns: ["window", "start", "metric", "app", "version", "flag", "value"], narrowed: report.narrowed)
        for minute in figures.series.map({ Array($0.inOrder) }) ?? [] {
            write("minute", minute.start, minute.metrics, to: &output)
        }
        for kind in WindowKind.allCases {
            for window in figures.windows[kind] ?? [] {
                write(kind.rawValue, window.start, window.allCounts, to: &output)
            }
        }
        return output.bytes
    }

    // The counts of a window: `pass` and `fail`, and the others in the order of their names' bytes.
    private static func write(
        _ window: String, _ start: Instant, _ counts: [Metric: Int], to output: inout CSVOutput
    ) {
        let others = counts.filter { ![.pass, .fail].contains($0.key) }.map {
            (name: ExactText($0.key.name), count: $0)
        }
        let apps = counts.keys.compactMap { if case .app(let app, _) = $0 { app.text } else { nil } }
        let all =
            [Metric.pass, .fail].map { ($0, counts[$0] ?? 0) }
            + others.sorted { $0.name < $1.name }.map { ($0.count.key, $0.count.value) }
        for (metric, count) in all {
            let fields = [CSVOutput.Field.plain(window), .plain(start.description)] + fields(of: metric, apps: apps)
            output.add(fields + [.count(count)])
        }
    }

    // The name of the metric, the app, the version and the flag.
    private static func fields(of metric: Metric, apps: [String]) -> [CSVOutput.Field] {
        func fields(
            _ kind: String, _ passed: Bool, app: String = "", version: String = "", flag: String = ""
        ) -> [CSVOutput.Field] {
            [.plain("\(passed ? "pass" : "fail")-\(kind)"), .words(app), .words(version), .words(flag)]
        }
        switch metric {
        case .flag(let flag, let passed): return fields("flag", passed, flag: flag.text)
        case .rejection(.flag(let flag)): return ["rejection-flag", "", "", .words(flag.text)]
        case .app(let app, let passed): return fields("app", passed, app: app.text)
        case .version(let name, let passed):
            let (app, version) = parts(of: name.text, apps: apps)
            return fields("appver", passed, app: app, version: version)
        default: return [.plain(metric.name), "", "", ""]
        }
    }

    // An app and its version, joined by a dash, which may be in the names of both: the longest app that there is counts.
    private static func parts(of name: String, apps: [String]) -> (app: String, version: String) {
        let app = apps.filter { name.hasPrefix("\($0)-") }.max { $0.utf8.count < $1.utf8.count }
        return app.map { ($0, String(name.dropFirst($0.count + 1))) } ?? (name, "")
    }
}

extension Figures.Window {
    /// The devices by metric, `pass` and `fail` among them.
    var allCounts: [Metric: Int] { counts.merging([.pass: passed, .fail: failed]) { $1 } }
}
