internal import Documents
internal import Figures
internal import PolicyEngine

/// The figures of windows, in the order of time without gaps, for a plot and its table.
struct TimeSections {
    private let kind: WindowKind
    private let starts: [Instant]

    /// The greatest number of bars of a plot.
    private static let limit = 100

    /// Chooses hours, days or months: the finest of which a plot has room for all.
    ///
    /// - Parameter windows: By kind, those of every side that is shown.
    /// - Returns: `nil` where nothing happened.
    init?(_ windows: [WindowKind: [Figures.Window]]) {
        guard let first = Self.all(windows).first else { return nil }
        self = first
    }

    private init(kind: WindowKind, starts: [Instant]) {
        (self.kind, self.starts) = (kind, starts)
    }

    /// The hours and the days, where a plot has room for them and there are several days; else what there is room for.
    static func all(_ windows: [WindowKind: [Figures.Window]]) -> [TimeSections] {
        let hours = even(windows[.hourly] ?? [], every: 3600)
        let days = even(windows[.daily] ?? [], every: Instant.secondsPerDay)
        if hours != nil || days != nil {
            let isOneDay = (days?.count ?? 0) <= 1
            return [
                hours.map { TimeSections(kind: .hourly, starts: $0) },
                hours != nil && isOneDay ? nil : days.map { TimeSections(kind: .daily, starts: $0) },
            ].compactMap(\.self)
        }
        let months = Set((windows[.monthly] ?? []).map(\.start)).sorted().suffix(limit)
        return months.isEmpty ? [] : [TimeSections(kind: .monthly, starts: Array(months))]
    }

    // From the first to the last, without gaps; `nil` where there is none, or too many.
    private static func even(_ windows: [Figures.Window], every seconds: Int) -> [Instant]? {
        let starts = windows.map(\.start)
        guard let first = starts.min(), let last = starts.max(), (last - first) / seconds < limit else { return nil }
        return (0...(last - first) / seconds).map { first + $0 * seconds }
    }

    /// `hour`, `day` or `billing month`.
    private var unit: String {
        switch kind {
        case .hourly: "hour"
        case .daily: "day"
        case .monthly: "billing month"
        }
    }

    private func label(_ start: Instant) -> String {
        kind == .hourly ? String(start.dateAndTime.dropLast(3)) : start.date.description
    }

    // Some of the rows, at most five.
    private var marks: [Int: String] {
        let every = (starts.count + 4) / 5
        return Dictionary(
            uniqueKeysWithValues: stride(from: 0, to: starts.count, by: every).map { row in
                let label = label(starts[row])
                return (row, kind == .monthly ? String(label.prefix(7)) : String(label.suffix(5)))
            })
    }
}

extension TimeSections {
    /// Devices that passed and failed, on one side.
    func devices(_ figures: Figures) -> ReportSection {
        let found = byStart(figures)
        let rows: [[ReportTable.Cell]] = starts.map { start in
            let window = found[start]
            return [.time(label(start)), .number(window?.failed ?? 0), .number(window?.passed ?? 0)]
        }
        let columns: [ReportTable.Column] = [.text(unit), .figure("failed"), .figure("passed")]
        let title = "Devices by \(unit)"
        let panel = ReportPlot.Panel(title: "", series: Self.series(failed: 1, passed: 2))
        return section(title, ReportTable(columns, rows), [plot(title, [panel])])
    }

    /// Devices that passed and failed, before and after a change.
    func devices(before: Figures, after: Figures) -> ReportSection {
        let (old, new) = (byStart(before), byStart(after))
        let rows: [[ReportTable.Cell]] = starts.map { start in
            [
                .time(label(start)), .number(old[start]?.failed ?? 0), .number(old[start]?.passed ?? 0),
                .number(new[start]?.failed ?? 0), .number(new[start]?.passed ?? 0),
            ]
        }
        let title = "Devices by \(unit), before and after"
        let failing = ReportPlot.Panel(
            title: "Failing, before and after",
            series: [
                ReportPlot.Series(name: "before", column: 1, tone: .neutral),
                ReportPlot.Series(name: "after", column: 3, tone: .failed),
            ], isGrouped: true)
        let plots = [plot("Failed devices by \(unit), before and after", [failing]), plot(title, Self.bands)]
        return section(title, ReportTable(Self.columns(of: unit), rows), plots)
    }

    /// Attestations that passed and failed, on one side; `nil` for billing months.
    func attestations(_ figures: Figures) -> ReportSection? {
        guard kind != .monthly else { return nil }
        let counts = byStart(figures.hours)
        let rows: [[ReportTable.Cell]] = starts.map { start in
            [.time(label(start)), .number(counts[start]?.failed ?? 0), .number(counts[start]?.passed ?? 0)]
        }
        let title = "Attestations by \(unit)"
        var section = ReportSection(
            .title(title), table: ReportTable([.text(unit), .figure("failed"), .figure("passed")], rows))
        let panel = ReportPlot.Panel(title: "", series: Self.series(failed: 1, passed: 2))
        section.plots = [ReportPlot(title: title, unit: "attestations", panels: [panel], marks: marks)]
        return section
    }

    /// Attestations that passed and failed, before and after a change; `nil` for billing months.
    func attestations(before: Figures, after: Figures) -> ReportSection? {
        guard kind != .monthly else { return nil }
        let (old, new) = (byStart(before.hours), byStart(after.hours))
        let rows: [[ReportTable.Cell]] = starts.map { start in
            let (old, new) = (old[start] ?? VerdictCounts(), new[start] ?? VerdictCounts())
            return [
                .time(label(start)), .number(old.failed), .number(old.passed), .number(new.failed),
                .number(new.passed),
            ]
        }
        let title = "Attestations by \(unit), before and after"
        var section = ReportSection(.title(title), table: ReportTable(Self.columns(of: unit), rows))
        section.plots = [ReportPlot(title: title, unit: "attestations", panels: Self.bands, marks: marks)]
        return section
    }

    // Hours make days.
    private func byStart(_ hours: [Instant: VerdictCounts]) -> [Instant: VerdictCounts] {
        let seconds = kind == .hourly ? 3600 : Instant.secondsPerDay
        return hours.reduce(into: [:]) { counts, hour in
            let start = starts[0] + (hour.key - starts[0]) / seconds * seconds
            counts[start] = (counts[start] ?? VerdictCounts()).adding(hour.value)
        }
    }

    private static func columns(of unit: String) -> [ReportTable.Column] {
        [
            .text(unit), .figure("failed before"), .figure("passed before"), .figure("failed after"),
            .figure("passed after"),
        ]
    }

    // Of the columns above.
    private static var bands: [ReportPlot.Panel] {
        [
            ReportPlot.Panel(title: "Before", series: series(failed: 1, passed: 2)),
            ReportPlot.Panel(title: "After", series: series(failed: 3, passed: 4)),
        ]
    }

    private func plot(_ title: String, _ panels: [ReportPlot.Panel]) -> ReportPlot {
        ReportPlot(title: title, unit: "devices", panels: panels, marks: marks)
    }

    private func section(_ title: String, _ table: ReportTable, _ plots: [ReportPlot]) -> ReportSection {
        var section = ReportSection(
            .title(title),
            sentences: [
                ReportText("A device counts once by \(unit) as passed and once as failed, if it did; times are in UTC.")
            ], table: table)
        section.plots = plots
        return section
    }

    private static func series(failed: Int, passed: Int) -> [ReportPlot.Series] {
        [
            ReportPlot.Series(name: "failed", column: failed, tone: .failed),
            ReportPlot.Series(name: "passed", column: passed, tone: .passed),
        ]
    }

    private func byStart(_ figures: Figures) -> [Instant: Figures.Window] {
        Dictionary((figures.windows[kind] ?? []).map { ($0.start, $0) }) { first, _ in first }
    }
}
