internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// The figures of a report with their intervals for all devices.
struct Intervals {
    let level: ConfidenceLevel
    /// None for a change that can turn no verdict.
    let estimates: [IntervalEstimate]
    /// The devices that could not be evaluated.
    let unevaluated: Int

    /// The value in JSON: `{"level":"95%","assumption":"…","locked-out":{…},…}`.
    var value: JSONValue {
        .ordered(
            [("level", .string(level.name)), ("assumption", .string(Self.assumption))]
                + estimates.map { ($0.key, IntervalEstimate.form.value(of: $0)) })
    }

    /// The schema of that value for a replay.
    static let schemaOfReplay = schema(["failing-devices"])

    /// The same for a comparison. A change that can turn no verdict has no intervals.
    static let schemaOfComparison = schema(
        [], optional: ["locked-out", "let-in", "newly-rejected", "newly-accepted", "failing-devices-difference"])

    private static func schema(_ names: [String], optional: [String] = []) -> JSONSchema {
        IntervalEstimate.schema(names, optional: optional, and: [("level", .string), ("assumption", .string)])
    }

    /// The section of a report: a row for each figure.
    var section: ReportSection {
        let title = ReportSection.Heading.title("What the capture says of all devices")
        guard !estimates.isEmpty else { return ReportSection(title, sentences: [ReportText(Self.none)]) }
        let rows: [[ReportTable.Cell]] = estimates.map { estimate in
            [.text(estimate.words), .text(estimate.estimateText), estimate.cell]
        }
        let columns: [ReportTable.Column] = [
            .text("figure"), .figure("this capture"), .figure("all devices, at \(level.text)"),
        ]
        let widened =
            "devices that could not be evaluated (\(unevaluated.grouped)) widen each interval by their whole share"
        return ReportSection(
            title,
            sentences: [ReportText(Self.assumption), ReportText(Self.others)]
                + (unevaluated > 0 ? [ReportText(widened)] : []),
            table: ReportTable(columns, rows))
    }

    /// The assumption about devices that intervals rest on.
    static let randomSample = "provided that the devices of the capture are a random sample of all"

    private static let assumption = "\(randomSample); each interval holds by itself"

    // The figures without an interval.
    private static let others = "figures of attestations and of fetches are those of this capture"

    /// The sentence on a change without intervals.
    static let none = "the change can turn no verdict, whatever the devices are, so that there is nothing to estimate"

    /// The sentence of a report without intervals.
    static let without = ReportSection(
        .continuation,
        sentences: ["the figures are those of this capture; `--confidence` adds what they say of all devices"])
}

// MARK: Comparisons

extension Comparison {
    /// The intervals of the figures; `nil` where none were asked for.
    var intervals: Intervals? {
        guard let confidence else { return nil }
        return Intervals(
            level: confidence, estimates: turnsNothing ? [] : estimates(at: confidence.confidence),
            unevaluated: changes.unevaluated.devices)
    }

    /// The interval of a number of devices; `nil` where none was asked for, or the change can turn no verdict.
    ///
    /// - Parameter open: The evaluated devices that may be among them besides.
    func interval(of devices: Int, open: Int = 0) -> ConfidenceInterval? {
        guard let confidence, !turnsNothing else { return nil }
        return ConfidenceInterval(
            devices, of: changes.devices, unevaluated: changes.unevaluated.devices + open, at: confidence.confidence)
    }

    /// The same in words, with the level: `95 %: 4.3–6.3 %`.
    func intervalWords(of devices: Int, open: Int = 0) -> String? {
        guard let confidence, let interval = interval(of: devices, open: open) else { return nil }
        return "\(confidence.text): \(ShareText.interval(interval, digits: 2))"
    }

    private func estimates(at confidence: Confidence) -> [IntervalEstimate] {
        func devices(_ key: String, _ words: String, _ count: Int, open: Int = 0) -> IntervalEstimate {
            IntervalEstimate(
                key, words, count, of: changes.devices, unevaluated: changes.unevaluated.devices + open,
                at: confidence)
        }
        let turns = changes.openTurns
        return [
            devices("locked-out", "devices that would stop getting valid tokens", changes.lockedOut, open: turns),
            devices("let-in", "devices that would start getting valid tokens", changes.letIn, open: turns),
            devices("newly-rejected", "devices newly rejected", changes.rejected.devices),
            devices("newly-accepted", "devices newly accepted", changes.accepted.devices),
            IntervalEstimate(
                "failing-devices-difference", "devices that fail at least once, after less before",
                gained: changes.failing.after, lost: changes.failing.before, of: changes.devices,
                unevaluated: changes.unevaluated.devices + changes.failing.open, at: confidence),
        ]
    }
}

// MARK: Replays

extension Report {
    /// The intervals of the figures; `nil` where none were asked for.
    var intervals: Intervals? {
        guard let confidence else { return nil }
        let unevaluated = figures.unevaluated.devices
        return Intervals(
            level: confidence,
            estimates: [
                IntervalEstimate(
                    "failing-devices", "devices that fail at least once", figures.failingDevices,
                    of: figures.devices.unique, unevaluated: unevaluated, at: confidence.confidence)
            ], unevaluated: unevaluated)
    }

    /// The section on what the figures are of; none for scenarios, and where nothing was attested.
    var intervalSections: [ReportSection] {
        guard scenarios.isEmpty, leftOut == nil, figures.attestations > 0, !isOfFetchesAlone else { return [] }
        return [intervals?.section ?? Intervals.without]
    }
}
