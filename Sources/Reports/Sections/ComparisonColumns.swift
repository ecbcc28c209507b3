internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Scenarios

// The comparison as JSON (formats: Comparison as JSON).
extension ComparedChange {
    /// The whole report as an object.
    ///
    /// - Parameter origin: The origin of the comparison.
    func report(_ origin: ReportOrigin) -> JSONValue { Self.reportColumns.value(of: (self, origin)) }

    /// The columns of the whole report.
    static let reportColumns = Columns<(change: ComparedChange, origin: ReportOrigin)>(inOrder: [
        .version, side("before", "The report before the change.") { $0.before },
        side("after", "The report after the change.") { $0.after },
        .value("changes", "The effects of the change.", schema) { $0.change.value },
        .optional("sentence", "What the change would do, in a sentence.") {
            ComparisonSections($0.change.comparison).headline
        },
        .optional(
            "intervals", "The figures of the devices of the captures, with the intervals for all devices.",
            Comparison.intervalSchema
        ) { $0.change.comparison.intervals?.value },
        .optional("explain", "The command that explains a device, up to the device.") {
            $0.change.comparison.explanation($0.origin)
        }, .optional("part", "The part of the devices that the report is of.", \.origin.part),
        .optional(
            "alternatives", "The best single edits in place of the change; where they were asked for.",
            Alternatives.columns
        ) { $0.change.parts.alternatives },
        .optional("rollout", "The rollout of the change; where it was asked for.", .reference(to: "rollout")) {
            $0.change.parts.rollout?.json
        }, .narrowed(\.change.comparison.narrowed), .assumed(\.change.comparison.assumed),
    ])

    private static func side(
        _ name: String, _ description: String, _ side: @escaping @Sendable (Comparison) -> Comparison.Side
    ) -> Column<(change: ComparedChange, origin: ReportOrigin)> {
        .value(name, description, .reference(to: "report")) {
            Report(side($0.change.comparison)).json()
        }
    }
}

/// The effects of a change, with what only the member `changes` of a report has.
struct ComparedChange {
    let comparison: Comparison
    let timeline: ChangeTimeline?
    let identity: ComparisonIdentity?
    var parts = ChangeCase()

    private var figures: ComparisonFigures { comparison.changes }
    private var unit: ComparedUnit { comparison.isCapture ? .attestations : .fetches }

    /// The schema: the fields of the figures, and the rest.
    static var schema: JSONSchema {
        let (members, optional) = ComparisonFigures.reportedFields()
        return columns.schema(and: members, optional: optional)
    }

    /// The effects as JSON.
    var value: JSONValue {
        .sorted(
            figures.reportedMembers(unit).merging(
                Self.columns.members(of: self).map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 }))
    }

    private static let columns = Columns<ComparedChange>(byName: [
        .word("counts", "The unit of the counts.", of: ["attestations", "fetches"]) {
            $0.comparison.isCapture ? "attestations" : "fetches"
        },
        .field("fetches", "Fetches of the scenario; null for captures.") {
            $0.comparison.isCapture ? Int?.none : $0.figures.events
        },
        .object("judged", "Whether all devices were evaluated.", Report.evaluated) {
            ($0.figures.unevaluated, $0.comparison.isExact)
        },
        .value("newly-rejected", "What passed before the change and fails after it.", ChangeFigures.reportedForm) {
            $0.turned($0.figures.rejected)
        },
        .value("newly-accepted", "What failed before the change and passes after it.", ChangeFigures.reportedForm) {
            $0.turned($0.figures.accepted)
        },
        .object(
            orNull: "compared",
            "The identity of the comparison, by which a later one recognizes known devices; null where it has none.",
            compared
        ) { $0.identity },
        .object("certainty", "How certain the counts of devices that lose or gain valid tokens are.", certainty) {
            $0.comparison
        },
        .field("policies", "The policies of the account, before and after.") { $0.comparison.policies },
        .field("policy-difference", "The difference between the policies.") { $0.comparison.difference },
        .object("token-fetches", "Token fetches before, and those to expect after.", tokenFetches) { $0.figures },
        .field("unjudged", "What was not evaluated and why, in sentences.") { $0.comparison.unevaluated },
        .optional("newly-blocked", "Requests that are no longer accepted.", ClientChanges.blocked) { change in
            change.figures.clients.map { $0[.request]?.worse ?? ClientChanges.Count() }
        },
        .optionalList("clients", "Changes in what clients get, by kind.", ClientChanges.part) {
            $0.figures.clients?.parts
        },
        .optional("timeline", "When the change of a scenario reaches devices.", timeline) { $0.timeline },
        .optional("labels", "The verdicts on labelled devices.", LabelReport.ofChange) { change in
            change.figures.labels.map {
                LabelReport(figures: $0, cost: change.comparison.labelCost, level: change.comparison.confidence)
            }
        },
        .optional("groups", "Groups of devices that are newly rejected more often than the rest.", HitFigures.columns) {
            $0.comparison.hits
        },
        .optionalList("values", "Newly rejected devices by the values of attributes.", ValueHits.Key.rejected) {
            $0.comparison.valueHits?.rejected
        },
        .optionalList("accepted-values", "Newly accepted devices by the values of attributes.", ValueHits.Key.accepted)
        {
            $0.comparison.valueHits?.accepted
        },
        .optional("since", "The differences of the capture from an older one.", DriftFigures.columns) {
            $0.comparison.drift
        },
    ])

    private static let compared = Columns<ComparisonIdentity>(byName: [
        .field("inputs", "Digests of the inputs, in their order.", \.inputs),
        .field("account", "The digest of the account before.", \.account),
        .field("names", "A name that stands for the key of the devices' names.", \.keyName),
    ])

    private func turned(_ change: ChangeFigures) -> JSONValue {
        var members = change.reportedMembers(unit)
        members["device-names"] = identity?.list(of: change.known) ?? .null
        return .sorted(members)
    }

    private static let timeline = Columns<ChangeTimeline>(byName: [
        .field("made", "When the change is made.", \.made),
        .field("in-force", "When the change is in force.", \.inForce),
        .list("minutes", "The minutes in which something happened.", minute, \.minutes),
    ])

    private static let minute = Columns<ChangeTimeline.Minute>(byName: [
        .field("minute", "The start of the minute.", \.start), .field("fetches", "Fetches in the minute.", \.fetches),
        .field("cached", "Those of them that the cache answered.", \.cached),
        .field("newly-locked-out", "Devices that no longer get valid tokens from this minute on.", \.lockedOut),
        .field("newly-let-in", "Devices that get valid tokens from this minute on.", \.letIn),
        .field("newly-blocked", "Devices whose requests are no longer accepted from this minute on.", \.blocked),
    ])

    private static let certainty = Columns<Comparison>(byName: [
        .word(
            "answer", "Whether the counts are exact, bounded, or open because of effects that cannot be evaluated.",
            of: ["exact", "bounded", "open"]
        ) { $0.certainty.name },
        .object("locked-out", "Devices that lose valid tokens altogether.", bounds) {
            ($0.changes.lockedOut, $0.atMost($0.changes.lockedOut))
        },
        .object("let-in", "Devices that gain valid tokens.", bounds) {
            ($0.changes.letIn, $0.atMost($0.changes.letIn))
        },
    ])

    private static let bounds = Columns<(devices: Int, atMost: Int?)>(byName: [
        .field("at-least", "The least number of devices; null where it is not known.") {
            $0.atMost == nil ? Int?.none : $0.devices
        }, .field("at-most", "The greatest number of devices; null where it is not known.") { $0.atMost },
    ])

    private static let tokenFetches = Columns<ComparisonFigures>(byName: [
        .field("per-mille", "Token fetches to expect for every 1,000 before the change.", \.expectedFetchesPerMille),
        .field(
            "a-day-before", "Token fetches of a day before the change; null where the time is too short to tell.",
            \.attestationsPerDay),
        .field(
            "a-day-after",
            "Token fetches of a day to expect after the change; null where the time is too short to tell."
        ) { figures in
            figures.attestationsPerDay.map { $0.scaled(by: figures.expectedFetchesPerMille, over: 1000) }
        },
    ])
}
