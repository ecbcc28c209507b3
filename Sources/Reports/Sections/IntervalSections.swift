internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// The figures of a report with their intervals for all devices: a row for each.
struct Intervals {
    let level: ConfidenceLevel
    /// None for a change that can turn no verdict.
    let figures: [Figure]
    /// The devices that could not be evaluated.
    let unevaluated: Int

    /// A figure with its interval.
    struct Figure {
        /// The name in files: `locked-out`.
        let key: String
        /// The subject: `devices that would stop getting valid tokens`.
        let words: String
        let estimate: Estimate
    }

    // Of CSV and of people. JSON has an object for each figure, by its name.
    private var columns: Columns<Figure> {
        let level = level
        return Columns(inOrder: [
            .field("figure", "The figure.", \.key).text("figure") { .text($0.words) },
            .field("level", "The level of the interval.") { _ in level.name },
            .shown("this", .figure("this capture")) { .text($0.estimate.text) },
            .object("estimate", "The figure, and its interval.", Estimate.columns, \.estimate).csvWithoutPrefix
                .figure("all devices, at \(level.text)") { $0.estimate.cell },
        ])
    }

    /// The value in JSON: `{"level":"95%","assumption":"…","locked-out":{…},…}`.
    var value: JSONValue {
        .ordered(
            [("level", .string(level.name)), ("assumption", .string(Self.assumption))]
                + figures.map { ($0.key, Estimate.columns.value(of: $0.estimate)) })
    }

    /// The figures as CSV.
    ///
    /// - Parameter narrowed: What the report was narrowed to.
    func csv(narrowed: NarrowedRecords?) -> [UInt8] { columns.csv(of: figures, narrowed: narrowed) }

    /// The schema of the value in JSON.
    ///
    /// - Parameters:
    ///   - figures: The figures that are always there, and their descriptions.
    ///   - optional: Those that may be missing.
    static func schema(_ figures: KeyValuePairs<String, String>, optional: KeyValuePairs<String, String> = [:])
        -> JSONSchema
    {
        func members(_ figures: KeyValuePairs<String, String>) -> [JSONSchema.Member] {
            figures.map { ($0.key, Estimate.columns.schema.described(as: $0.value)) }
        }
        return .members(
            [
                ("level", .string.described(as: "The level of the intervals, each by itself.")),
                ("assumption", .string.described(as: "What the intervals rest on, in a sentence.")),
            ] + members(figures), optional: members(optional))
    }

    /// The section of a report: a row for each figure.
    var section: ReportSection {
        let title = ReportSection.Heading.title("What the capture says of all devices")
        guard !figures.isEmpty else { return ReportSection(title, sentences: [ReportText(Self.none)]) }
        let widened =
            "devices that could not be evaluated (\(unevaluated.grouped)) widen each interval by their whole share"
        return ReportSection(
            title,
            sentences: [ReportText(Self.assumption), ReportText(Self.others)]
                + (unevaluated > 0 ? [ReportText(widened)] : []),
            table: columns.table(of: figures))
    }

    /// The assumption about devices that intervals rest on.
    static let randomSample = "provided that the devices of the capture are a random sample of all"

    static let assumption = "\(randomSample); each interval holds by itself"

    // The figures without an interval.
    private static let others = "figures of attestations and of fetches are those of this capture"

    /// The sentence on a change without intervals.
    static let none = "the change can turn no verdict, whatever the devices are, so that there is nothing to estimate"

    /// The sentence of a report without intervals.
    static let without: ReportText =
        "the figures are those of this capture; `--confidence` adds what they say of all devices"

    /// The same among the grounds of an answer.
    static let withoutTerm = ReportSection.Term("Sample", without)
}

// MARK: Comparisons

extension Comparison {
    /// The intervals of the figures; `nil` where none were asked for.
    var intervals: Intervals? {
        guard let confidence else { return nil }
        return Intervals(
            level: confidence, figures: turnsNothing ? [] : figures(at: confidence.confidence),
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

    private func figures(at confidence: Confidence) -> [Intervals.Figure] {
        func devices(_ key: String, _ words: String, _ count: Int, open: Int = 0) -> Intervals.Figure {
            .init(
                key: key, words: words,
                estimate: Estimate(
                    count, of: changes.devices, unevaluated: changes.unevaluated.devices + open, at: confidence))
        }
        let (turns, failing) = (changes.openTurns, changes.failing)
        return [
            devices("locked-out", "devices that would stop getting valid tokens", changes.lockedOut, open: turns),
            devices("let-in", "devices that would start getting valid tokens", changes.letIn, open: turns),
            devices("newly-rejected", "devices newly rejected", changes.rejected.devices),
            devices("newly-accepted", "devices newly accepted", changes.accepted.devices),
            .init(
                key: "failing-devices-difference", words: "devices that fail at least once, after less before",
                estimate: Estimate(
                    gained: failing.after, lost: failing.before, of: changes.devices,
                    unevaluated: changes.unevaluated.devices + failing.open, at: confidence)),
        ]
    }

    /// The schema of the intervals in JSON. A change that can turn no verdict has none.
    static let intervalSchema = Intervals.schema(
        [:],
        optional: [
            "locked-out": "Devices that lose valid tokens altogether.",
            "let-in": "Devices that gain valid tokens.",
            "newly-rejected": "Devices newly rejected.",
            "newly-accepted": "Devices newly accepted.",
            "failing-devices-difference": "Devices that fail at least once, after less before.",
        ])
}

// MARK: Replays

extension Report {
    /// The intervals of the figures; `nil` where none were asked for.
    var intervals: Intervals? {
        guard let confidence else { return nil }
        let unevaluated = figures.unevaluated.devices
        return Intervals(
            level: confidence,
            figures: [
                .init(
                    key: "failing-devices", words: "devices that fail at least once",
                    estimate: Estimate(
                        figures.failingDevices, of: figures.devices.unique, unevaluated: unevaluated,
                        at: confidence.confidence))
            ], unevaluated: unevaluated)
    }

    /// The schema of the intervals in JSON.
    static let intervalSchema = Intervals.schema(["failing-devices": "Devices that fail at least once."])

    /// The section on what the figures are of; none for scenarios, and where nothing was attested.
    var intervalSections: [ReportSection] {
        guard scenarios.isEmpty, leftOut == nil, figures.attestations > 0, !isOfFetchesAlone else { return [] }
        return [intervals?.section ?? ReportSection(.continuation, sentences: [Intervals.without])]
    }
}
