internal import Documents
package import Figures
internal import PolicyEngine
package import Scenarios

/// Writes a comparison as JSON on one line: `{"version":1,"before":REPORT,"after":REPORT,"changes":{…}}`.
///
/// `changes` holds `counts`, the unit of the comparison: `attestations` of captures, or `fetches` of a scenario. Of a
/// scenario every count has both: `fetches`, and as `attestations` those of them for which a client attested on a side.
/// There are `newly-rejected` and `newly-accepted`, each with `attestations`, `devices`, `fetches` (of captures: those that
/// the devices make, null if nothing weighs devices), the same by `flags`, `filters`, `others`, `apps`, `versions` and
/// `systems`, and `examples`; `locked-out` and `let-in`, devices that lose or gain valid tokens altogether; `policies`,
/// `policy-difference`, `lifetimes`, `token-fetches`, `annotations`, `disagreements`, `unjudged`, `judged` and `certainty`;
/// `compared`, the identity of the comparison, and `device-names` of either change, which make a baseline; of a scenario
/// `clients`, `newly-blocked` and `timeline`, too; with labels `labels`. `intervals` is there if a confidence level was given
/// (``Intervals``). `sentence` says what the change would do, as the text does.
package enum JSONComparison {
    /// The comparison as bytes, newline included; equal comparisons give equal bytes.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - identity: The identity of the comparison, and names for devices; without it there is no baseline for a later
    ///     one.
    ///   - origin: The origin of the comparison.
    package static func bytes(
        of comparison: Comparison, timeline: ChangeTimeline? = nil, identity: ComparisonIdentity? = nil,
        origin: ReportOrigin = ReportOrigin()
    ) -> [UInt8] {
        let subject = ComparedChange(comparison: comparison, timeline: timeline, identity: identity)
        return form.value(of: (subject, origin)).line
    }

    static let form = ObjectForm<(change: ComparedChange, origin: ReportOrigin)>(inOrder: [
        .version, side("before") { $0.before }, side("after") { $0.after },
        .value("changes", ComparedChange.schema) { $0.change.value },
        .optional("sentence") { ComparisonSections($0.change.comparison).headline },
        .optional("intervals", Intervals.schemaOfComparison) { $0.change.comparison.intervals?.value },
        .optional("explain") { $0.change.comparison.explanation($0.origin) }, .optional("part", \.origin.part),
        .narrowed(\.change.comparison.narrowed),
    ])

    private static func side(
        _ name: String, _ side: @escaping @Sendable (Comparison) -> Comparison.Side
    ) -> ObjectForm<(change: ComparedChange, origin: ReportOrigin)>.Member {
        .value(name, .reference(to: "report")) {
            JSONReport.form.value(of: (Report(side($0.change.comparison)), ReportOrigin()))
        }
    }
}

/// The effects of a change, with what only the member `changes` of a report has.
struct ComparedChange {
    let comparison: Comparison
    let timeline: ChangeTimeline?
    let identity: ComparisonIdentity?

    private var figures: ComparisonFigures { comparison.changes }
    private var unit: ComparedUnit { comparison.isCapture ? .attestations : .fetches }

    /// The schema: the fields of the figures, and the rest.
    static var schema: JSONSchema {
        let (members, optional) = ComparisonFigures.reportedFields()
        return form.schema(and: members, optional: optional)
    }

    /// The effects as JSON.
    var value: JSONValue {
        .sorted(
            figures.reportedMembers(unit).merging(
                Self.form.members(of: self).map { (ExactText($0.key), $0.value) }, uniquingKeysWith: { $1 }))
    }

    private static let form = ObjectForm<ComparedChange>(byName: [
        .word("counts", of: ["attestations", "fetches"]) { $0.comparison.isCapture ? "attestations" : "fetches" },
        .field("fetches") { $0.comparison.isCapture ? Int?.none : $0.figures.events },
        .object("judged", JSONReport.evaluated) { ($0.figures.unevaluated, $0.comparison.isExact) },
        .value("newly-rejected", ChangeFigures.reportedForm) { $0.turned($0.figures.rejected) },
        .value("newly-accepted", ChangeFigures.reportedForm) { $0.turned($0.figures.accepted) },
        .object(orNull: "compared", compared) { $0.identity }, .object("certainty", certainty) { $0.comparison },
        .field("policies") { $0.comparison.policies }, .field("policy-difference") { $0.comparison.difference },
        .object("token-fetches", tokenFetches) { $0.figures }, .field("unjudged") { $0.comparison.unevaluated },
        .optional("newly-blocked", ClientChanges.blocked) { change in
            change.figures.clients.map { $0[.request]?.worse ?? ClientChanges.Count() }
        },
        .optional("clients", .list(of: ClientChanges.part.schema)) {
            ($0.figures.clients?.parts).map(ClientChanges.part.list)
        },
        .optional("timeline", timeline) { $0.timeline },
        .optional("labels", LabelledFigures.ofChange) { change in
            change.figures.labels.map {
                LabelledFigures($0, cost: change.comparison.labelCost, at: change.comparison.confidence)
            }
        },
        .optional("groups", HitFigures.form) { $0.comparison.hits },
        .optional("values", .list(of: ValueHits.Key.rejected.schema)) {
            ($0.comparison.valueHits?.rejected).map(ValueHits.Key.rejected.list)
        },
        .optional("accepted-values", .list(of: ValueHits.Key.accepted.schema)) {
            ($0.comparison.valueHits?.accepted).map(ValueHits.Key.accepted.list)
        },
        .optional("since", DriftFigures.form) { $0.comparison.drift },
    ])

    private static let compared = ObjectForm<ComparisonIdentity>(byName: [
        .field("inputs", \.inputs), .field("account", \.account), .field("names", \.keyName),
    ])

    private func turned(_ change: ChangeFigures) -> JSONValue {
        var members = change.reportedMembers(unit)
        members["device-names"] = identity?.list(of: change.known) ?? .null
        return .sorted(members)
    }

    private static let timeline = ObjectForm<ChangeTimeline>(byName: [
        .field("made", \.made), .field("in-force", \.inForce), .list("minutes", minute, \.minutes),
    ])

    private static let minute = ObjectForm<ChangeTimeline.Minute>(byName: [
        .field("minute", \.start), .field("fetches", \.fetches), .field("cached", \.cached),
        .field("newly-locked-out", \.lockedOut), .field("newly-let-in", \.letIn), .field("newly-blocked", \.blocked),
    ])

    private static let certainty = ObjectForm<Comparison>(byName: [
        .word("answer", of: ["exact", "bounded", "open"]) { $0.certainty.name },
        .object("locked-out", bounds) { ($0.changes.lockedOut, $0.atMost($0.changes.lockedOut)) },
        .object("let-in", bounds) { ($0.changes.letIn, $0.atMost($0.changes.letIn)) },
    ])

    private static let bounds = ObjectForm<(devices: Int, atMost: Int?)>(byName: [
        .field("at-least") { $0.atMost == nil ? Int?.none : $0.devices }, .field("at-most") { $0.atMost },
    ])

    private static let tokenFetches = ObjectForm<ComparisonFigures>(byName: [
        .field("per-mille", \.expectedFetchesPerMille), .field("a-day-before", \.attestationsPerDay),
        .field("a-day-after") { figures in
            figures.attestationsPerDay.map { $0.scaled(by: figures.expectedFetchesPerMille, over: 1000) }
        },
    ])
}

// The effects of a change on all that clients of a scenario get as JSON (R19a).
extension ClientChanges {
    /// The effects on one kind: `{"kind":…,"events":n,"devices":n,"worse":{…},"better":{…},"differences":[…]}`.
    fileprivate static let part = ObjectForm<Part>(byName: [
        .field("events", \.events), .field("devices", \.devices), .field("kind") { $0.kind.rawValue },
        .object("worse", count, \.worse), .object("better", count, \.better),
        .list("differences", difference, \.differences),
    ])

    /// The requests that are no longer accepted: `{"requests":n,"devices":n}`.
    fileprivate static let blocked = ObjectForm<Count>(byName: [
        .field("requests", \.events), .field("devices", \.devices),
    ])

    private static let count = ObjectForm<Count>(byName: [.field("events", \.events), .field("devices", \.devices)])

    private static let difference = ObjectForm<Difference>(byName: [
        .field("events") { $0.count.events }, .field("devices") { $0.count.devices },
        .word("effect", of: ["worse", "better", "other"]) { $0.effect.rawValue }, .field("before", \.before),
        .field("after", \.after), .field("example", \.example),
    ])
}
