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
}

// MARK: Axis

extension TimeSections {
    // The greatest number of words below a plot.
    private static let markLimit = 8

    /// The words below some of the rows: hours of one day, days of some weeks, or months.
    private var marks: [Int: String] {
        let days = Set(starts.map(\.dayNumber)).count
        let rows = starts.indices.filter { kind != .hourly || days == 1 || starts[$0].hourNumber % 24 == 0 }
        let every = max(1, (rows.count + Self.markLimit - 1) / Self.markLimit)
        let marked = rows.enumerated().filter { $0.offset % every == 0 }.map(\.element)
        return Dictionary(uniqueKeysWithValues: marked.map { ($0, mark(starts[$0], isOneDay: days == 1)) })
    }

    private func mark(_ start: Instant, isOneDay: Bool) -> String {
        switch kind {
        case .hourly where isOneDay: String(start.dateAndTime.dropLast(3).suffix(5))
        case .hourly, .daily: start.date.weekdayAndDay
        case .monthly: String(start.date.description.prefix(7))
        }
    }

    private func event(at time: Instant?) -> ReportPlot.Event? {
        guard let time, kind != .monthly, let row = starts.lastIndex(where: { $0 <= time }) else { return nil }
        let length = kind == .hourly ? 3600 : Instant.secondsPerDay
        let offset = (time - starts[row]) * 1000 / length
        // A change at the very start or after the end divides nothing.
        guard offset < 1000, row > 0 || offset > 0 else { return nil }
        return ReportPlot.Event(row: row, offset: offset, name: "change")
    }
}

// MARK: Attestations

extension TimeSections {
    /// The share of attestations that fail, on one side, or before and after a change; `nil` for billing months.
    ///
    /// - Parameters:
    ///   - sides: The figures of one side, or of both.
    ///   - change: The time of the change, if it is made during the scenario.
    func attestations(_ sides: [Figures], change: Instant? = nil) -> ReportSection? {
        guard kind != .monthly else { return nil }
        let counts = sides.map { byStart($0.hours) }
        let isAlike = starts.allSatisfy { start in Set(counts.map { $0[start]?.total ?? 0 }).count == 1 }
        let (totals, names) = (isAlike ? 1 : sides.count, Self.names(of: sides))
        let rows: [[ReportTable.Cell]] = starts.map { start in
            let counts = counts.map { $0[start] ?? VerdictCounts() }
            return [.time(label(start))] + counts.prefix(totals).map { .number($0.total) }
                + counts.flatMap { [.number($0.failed), .share($0.failed, of: $0.total)] }
        }
        let columns: [ReportTable.Column] =
            [.text(unit)] + names.suffix(totals).map { .figure("attestations" + (isAlike ? "" : $0)) }
            + names.flatMap { [.figure("failed" + $0), .figure("failing" + $0)] }
        let title = "Failing attestations by \(unit)"
        let panels = [
            panel("share of attestations that fail", columns: sides.indices.map { 2 + totals + 2 * $0 }),
            ReportPlot.Panel(
                title: "attestations", series: [.init(name: "attestations", column: totals, tone: .neutral)]),
        ]
        return ReportSection(.title(title), table: ReportTable(columns, rows), plots: plots(title, panels, change))
    }

    // A single bar says no more than the table.
    private func plots(_ title: String, _ panels: [ReportPlot.Panel], _ change: Instant?) -> [ReportPlot] {
        starts.count < 2
            ? [] : [ReportPlot(title: title, panels: panels, marks: marks, event: event(at: change))]
    }

    // Of one side, or of both in one.
    private func panel(_ title: String, columns: [Int]) -> ReportPlot.Panel {
        guard columns.count == 2 else {
            return ReportPlot.Panel(
                title: title, series: columns.map { .init(name: "failing", column: $0, tone: .worse) })
        }
        let series = zip(["before", "after"], columns).map {
            ReportPlot.Series(name: $0, column: $1, tone: .neutral)
        }
        return ReportPlot.Panel(title: title, shape: .change, series: series)
    }

    private static func names(of sides: [Figures]) -> [String] { sides.count == 1 ? [""] : [" before", " after"] }

    // Hours make days.
    private func byStart(_ hours: [Instant: VerdictCounts]) -> [Instant: VerdictCounts] {
        let seconds = kind == .hourly ? 3600 : Instant.secondsPerDay
        return hours.reduce(into: [:]) { counts, hour in
            let start = starts[0] + (hour.key - starts[0]) / seconds * seconds
            counts[start] = (counts[start] ?? VerdictCounts()).adding(hour.value)
        }
    }
}

// MARK: Devices

extension TimeSections {
    /// Devices that fail, on one side, or before and after a change; `nil` where they are as many as the attestations.
    ///
    /// - Parameters: As of ``attestations(_:change:)``.
    func devices(_ sides: [Figures], change: Instant? = nil) -> ReportSection? {
        let counts = sides.map(byStart)
        guard kind == .monthly || zip(sides, counts).contains(where: { byStart($0.hours) != $1 }) else { return nil }
        let rows: [[ReportTable.Cell]] = starts.map { start in
            [.time(label(start))]
                + counts.flatMap { [.number($0[start]?.failed ?? 0), .number($0[start]?.passed ?? 0)] }
        }
        let columns = Self.names(of: sides).flatMap { name -> [ReportTable.Column] in
            [.figure("failed" + name), .figure("passed" + name)]
        }
        let title = "Failing devices by \(unit)"
        let panels = [panel("devices that fail", columns: sides.indices.map { 1 + 2 * $0 })]
        return ReportSection(
            .title(title),
            sentences: [
                ReportText("A device counts once by \(unit) as passed and once as failed, if it did; times are in UTC.")
            ], table: ReportTable([.text(unit)] + columns, rows), plots: plots(title, panels, change))
    }

    private func byStart(_ figures: Figures) -> [Instant: VerdictCounts] {
        (figures.windows[kind] ?? []).reduce(into: [:]) { counts, window in
            var devices = VerdictCounts()
            (devices.passed, devices.failed) = (window.passed, window.failed)
            counts[window.start] = devices
        }
    }
}
