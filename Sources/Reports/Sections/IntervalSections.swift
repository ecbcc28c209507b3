internal import Documents
internal import Figures
internal import PolicyEngine
internal import Statistics

/// The figures of a report with their intervals for all devices.
struct Intervals {
    let level: ConfidenceLevel
    let estimates: [IntervalEstimate]
    /// The devices that could not be evaluated.
    let unevaluated: Int

    /// The value in JSON: `{"level":"95%","locked-out":{…},…}`.
    var value: JSONValue {
        .ordered([("level", .string(level.name))] + estimates.map { ($0.key, IntervalEstimate.form.value(of: $0)) })
    }

    /// The schema of that value for a replay.
    static let schemaOfReplay = schema(
        ["failing-attestations", "failing-devices", "attestations-per-device"], optional: ["failing-fetches"])

    /// The same for a comparison. Parts that were made without sums over devices have figures of devices alone.
    static let schemaOfComparison = schema(
        ["locked-out", "let-in", "newly-rejected", "newly-accepted"],
        optional: [
            "newly-rejected-attestations", "newly-accepted-attestations", "failing-difference", "annotations-changed",
            "token-fetches", "failing-fetches-difference",
        ])

    private static func schema(_ names: [String], optional: [String]) -> JSONSchema {
        IntervalEstimate.schema(names, optional: optional, and: [("level", .string)])
    }

    /// The section of a report: a row for each figure.
    var section: ReportSection {
        let rows: [[ReportTable.Cell]] = estimates.map { estimate in
            [.text(estimate.words), .text(estimate.estimateText), estimate.cell]
        }
        let columns: [ReportTable.Column] = [
            .text("figure"), .figure("this capture"), .figure("all devices, at \(level.text)"),
        ]
        let widened =
            "devices that could not be evaluated (\(unevaluated.grouped)) widen each interval by their whole share"
        return ReportSection(
            .title("What the capture says of all devices"),
            sentences: [ReportText(Self.assumption)] + (unevaluated > 0 ? [ReportText(widened)] : []),
            table: ReportTable(columns, rows))
    }

    /// The assumption that intervals rest on.
    static let assumption =
        "provided that the devices of the capture are a random sample of all; each interval holds by itself"

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
            level: confidence, estimates: estimates(at: confidence.confidence),
            unevaluated: changes.unevaluated.devices)
    }

    /// The interval of a number of devices, as headlines have it; `nil` where none was asked for.
    func interval(of devices: Int) -> ConfidenceInterval? {
        confidence.map {
            ConfidenceInterval(
                devices, of: changes.devices, unevaluated: changes.unevaluated.devices, at: $0.confidence)
        }
    }

    /// The same in words, with the level: `95 %: 4.3–6.3 %`.
    func intervalWords(of devices: Int) -> String? {
        guard let confidence, let interval = interval(of: devices) else { return nil }
        return "\(confidence.text): \(ShareText.interval(interval, digits: 2))"
    }

    private func estimates(at confidence: Confidence) -> [IntervalEstimate] {
        func devices(_ key: String, _ words: String, _ count: Int) -> IntervalEstimate {
            IntervalEstimate(
                key, words, count, of: changes.devices, unevaluated: changes.unevaluated.devices, at: confidence)
        }
        let shares = [
            devices("locked-out", "devices that would stop getting valid tokens", changes.lockedOut),
            devices("let-in", "devices that would start getting valid tokens", changes.letIn),
            devices("newly-rejected", "devices newly rejected", changes.rejected.devices),
            devices("newly-accepted", "devices newly accepted", changes.accepted.devices),
        ]
        guard let moments = changes.moments else { return shares }
        let weighed = turnedFetches.map { turned in
            IntervalEstimate(
                "failing-fetches-difference", "failing share of fetches, after less before", .difference,
                turned.estimate, turned.differenceInterval(at: confidence))
        }
        let failing = IntervalEstimate(
            "failing-difference", "failing share of attestations, after less before", .difference,
            moments.failing.estimate, moments.failing.differenceInterval(at: confidence))
        // Devices that could not be evaluated may fetch any number of tokens.
        let isKnown = moments.failing.unknown.count == 0
        let fetches = IntervalEstimate(
            "token-fetches", "token fetches after, over those before", .ratio,
            moments.fetches.estimate.map { $0 / 1000 },
            isKnown
                ? moments.fetches.interval(at: confidence).map { ConfidenceInterval($0.lower / 1000, $0.upper / 1000) }
                : nil)
        return shares + [
            IntervalEstimate(
                "newly-rejected-attestations", "attestations newly rejected", moments.rejected, at: confidence),
            IntervalEstimate(
                "newly-accepted-attestations", "attestations newly accepted", moments.accepted, at: confidence),
            failing,
            IntervalEstimate(
                "annotations-changed", "tokens with other annotations", moments.annotated, at: confidence),
            fetches,
        ] + [weighed].compactMap(\.self)
    }
}

// MARK: Replays

extension Report {
    /// The intervals of the figures; `nil` where none were asked for.
    var intervals: Intervals? {
        guard let confidence, let moments = figures.moments else { return nil }
        let (level, unevaluated) = (confidence.confidence, figures.unevaluated.devices)
        let mean = moments.failing.meanInterval(at: level)
        return Intervals(
            level: confidence,
            estimates: [
                IntervalEstimate("failing-attestations", "attestations that fail", moments.failing, at: level),
                IntervalEstimate(
                    "failing-devices", "devices that fail at least once", moments.failingDevices,
                    of: figures.devices.unique, unevaluated: unevaluated, at: level),
                IntervalEstimate(
                    "attestations-per-device", "attestations of a device on average", .mean, mean?.estimate,
                    mean?.interval),
            ]
                + [
                    fetches?.failing.map {
                        IntervalEstimate("failing-fetches", "fetches of devices that fail", $0, at: level)
                    }
                ].compactMap(\.self), unevaluated: unevaluated)
    }

    /// The section on what the figures are of; none for scenarios, and where nothing was attested.
    var intervalSections: [ReportSection] {
        guard scenarios.isEmpty, leftOut == nil, figures.attestations > 0, !isOfFetchesAlone else { return [] }
        return [intervals?.section ?? Intervals.without]
    }
}
