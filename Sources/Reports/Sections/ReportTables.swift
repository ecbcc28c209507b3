internal import Figures
internal import PolicyEngine

// The tables of a report as CSV: those of values, labels or intervals where there are such, and else the counts by minute, with
// unique devices by hour, day and billing month.
extension Report {
    /// A row for each window, with a column for each metric.
    var csv: [UInt8] {
        if let frequencies = figures.frequencies { return AttributeFrequency.csv(of: frequencies, narrowed: narrowed) }
        if let labels = figures.labels { return labels.csv(narrowed: narrowed) }
        if let intervals { return intervals.csv(narrowed: narrowed) }
        let windows = Array(windows)
        let metrics = Self.inOrder(windows.reduce(into: Set()) { $0.formUnion($1.counts.keys) })
        let columns = Columns(
            inOrder: Self.keys + [
                .field("counts", "What is counted: attestations in a minute, and devices in other windows.") {
                    $0.kind == Self.minute ? "attestations" : "devices"
                }
            ] + metrics.map { metric in .field(metric.name, "The metric.") { $0.counts[metric] ?? 0 } })
        return columns.csv(of: windows, narrowed: narrowed)
    }

    /// The same with a row for each count. A metric about an app, a version or a flag has these in columns of their own, and is
    /// named without them: `fail-flag` of the flag `rooted`.
    var longCSV: [UInt8] {
        if let frequencies = figures.frequencies { return AttributeFrequency.csv(of: frequencies, narrowed: narrowed) }
        return Self.countColumns.csv(of: windows.lazy.flatMap(Self.counts), narrowed: narrowed)
    }

    // A minute, or another window, and its counts.
    private struct Window {
        let kind: String
        let start: Instant
        let counts: [Metric: Int]
    }

    private static let minute = "minute"

    private var windows: some Sequence<Window> {
        let minutes = (figures.series.map { Array($0.inOrder) } ?? []).map {
            Window(kind: Self.minute, start: $0.start, counts: $0.metrics)
        }
        return minutes
            + WindowKind.allCases.flatMap { kind in
                (figures.windows[kind] ?? []).map { window in
                    let all = window.counts.merging([.pass: window.passed, .fail: window.failed]) { $1 }
                    return Window(kind: kind.rawValue, start: window.start, counts: all)
                }
            }
    }

    private static let keys: [Column<Window>] = [
        .field("window", "The kind of window: minute, hourly, daily or monthly.", \.kind),
        .field("start", "When the window starts.", \.start),
    ]

    // `pass` and `fail` first, the others in the order of their names' bytes.
    private static func inOrder(_ metrics: Set<Metric>) -> [Metric] {
        let others = metrics.subtracting([.pass, .fail]).map { (name: ExactText($0.name), metric: $0) }
        return [.pass, .fail] + others.sorted { $0.name < $1.name }.map(\.metric)
    }
}

// MARK: A row for each count

extension Report {
    // A count of a window.
    private struct Count {
        let window: Window
        let metric: String
        var app = ""
        var version = ""
        var flag = ""
        var value = 0
    }

    private static let countColumns = Columns<Count>(
        inOrder: keys.map { key in key.of(\.window) } + [
            .field("metric", "The metric, without the names that the next columns have.", \.metric),
            .field("app", "The app that it is about.", \.app),
            .field("version", "The version of the app.", \.version),
            .field("flag", "The flag that it is about.", \.flag), .field("value", "The count.", \.value),
        ])

    private static func counts(of window: Window) -> [Count] {
        let apps = window.counts.keys.compactMap { if case .app(let app, _) = $0 { app.text } else { nil } }
        return inOrder(Set(window.counts.keys)).map { metric in
            var count = count(of: metric, in: window, apps)
            count.value = window.counts[metric] ?? 0
            return count
        }
    }

    private static func count(of metric: Metric, in window: Window, _ apps: [String]) -> Count {
        func named(_ kind: String, _ passed: Bool) -> Count {
            Count(window: window, metric: "\(passed ? "pass" : "fail")-\(kind)")
        }
        var count = Count(window: window, metric: metric.name)
        switch metric {
        case .flag(let flag, let passed):
            count = named("flag", passed)
            count.flag = flag.text
        case .rejection(.flag(let flag)): count = Count(window: window, metric: "rejection-flag", flag: flag.text)
        case .app(let app, let passed):
            count = named("app", passed)
            count.app = app.text
        case .version(let name, let passed):
            count = named("appver", passed)
            (count.app, count.version) = parts(of: name.text, apps: apps)
        default: break
        }
        return count
    }

    // An app and its version, joined by a dash, which may be in the names of both: the longest app that there is counts.
    private static func parts(of name: String, apps: [String]) -> (app: String, version: String) {
        let app = apps.filter { name.hasPrefix("\($0)-") }.max { $0.utf8.count < $1.utf8.count }
        return app.map { ($0, String(name.dropFirst($0.count + 1))) } ?? (name, "")
    }
}
