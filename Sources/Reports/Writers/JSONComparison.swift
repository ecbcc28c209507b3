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
        var members: [(key: String, value: JSONValue)] = [
            ("version", .integer(1)), ("before", JSONReport.value(of: Report(comparison.before))),
            ("after", JSONReport.value(of: Report(comparison.after))),
            ("changes", changes(comparison, timeline, identity)),
            ("sentence", .string(ComparisonSections(comparison).headline)),
        ]
        if let intervals = comparison.intervals { members.append(("intervals", intervals.value)) }
        if let explanation = comparison.explanation(origin) { members.append(("explain", .string(explanation))) }
        return JSONValue.ordered(members).line
    }

    private static func changes(
        _ comparison: Comparison, _ timeline: ChangeTimeline?, _ identity: ComparisonIdentity?
    ) -> JSONValue {
        let figures = comparison.changes
        let unit: ComparedUnit = comparison.isCapture ? .attestations : .fetches
        var members = figures.reportedMembers(unit)
        members["counts"] = .string(comparison.isCapture ? "attestations" : "fetches")
        members["fetches"] = comparison.isCapture ? .null : .integer(figures.events)
        members["judged"] = JSONReport.evaluated(figures.unevaluated, isExact: comparison.isExact)
        members["newly-rejected"] = change(figures.rejected, unit, identity)
        members["newly-accepted"] = change(figures.accepted, unit, identity)
        members["compared"] = identity.map(compared) ?? .null
        members["certainty"] = certainty(comparison)
        members["policies"] = comparison.policies.reported
        members["policy-difference"] = comparison.difference.reported
        members["token-fetches"] = tokenFetches(figures)
        members["unjudged"] = comparison.unevaluated.reported
        if let labels = figures.labels {
            members["labels"] = JSONLabels.compared(
                labels, cost: comparison.labelCost, at: comparison.confidence ?? .usual)
        }
        if let clients = figures.clients {
            members["newly-blocked"] = JSONClients.blocked(clients)
            members["clients"] = JSONClients.value(of: clients)
        }
        if let timeline { members["timeline"] = self.timeline(timeline) }
        if let hits = comparison.hits { members["groups"] = hits.value }
        if let values = comparison.valueHits {
            members["values"] = values.rejected.reported(as: "newly-rejected")
            members["accepted-values"] = values.accepted.reported(as: "newly-accepted")
        }
        if let drift = comparison.drift { members["since"] = .ordered(drift.members) }
        return .sorted(members)
    }

    private static func compared(_ identity: ComparisonIdentity) -> JSONValue {
        .sorted([
            "inputs": identity.inputs.reported, "account": .string(identity.account),
            "names": .string(identity.keyName),
        ])
    }

    private static func change(
        _ change: ChangeFigures, _ unit: ComparedUnit, _ identity: ComparisonIdentity?
    ) -> JSONValue {
        var members = change.reportedMembers(unit)
        members["device-names"] = identity?.list(of: change.known) ?? .null
        return .sorted(members)
    }

    private static func timeline(_ timeline: ChangeTimeline) -> JSONValue {
        .sorted([
            "made": .string(timeline.made.description), "in-force": .string(timeline.inForce.description),
            "minutes": .array(
                timeline.minutes.map {
                    .sorted([
                        "minute": .string($0.start.description), "fetches": .integer($0.fetches),
                        "cached": .integer($0.cached), "newly-locked-out": .integer($0.lockedOut),
                        "newly-let-in": .integer($0.letIn), "newly-blocked": .integer($0.blocked),
                    ])
                }),
        ])
    }

    private static func certainty(_ comparison: Comparison) -> JSONValue {
        func bounds(_ devices: Int) -> JSONValue {
            let atMost = comparison.atMost(devices)
            return .sorted([
                "at-least": atMost == nil ? .null : .integer(devices), "at-most": atMost.reported,
            ])
        }
        return .sorted([
            "answer": .string(comparison.certainty.name), "locked-out": bounds(comparison.changes.lockedOut),
            "let-in": bounds(comparison.changes.letIn),
        ])
    }

    private static func tokenFetches(_ figures: ComparisonFigures) -> JSONValue {
        let perMille = figures.expectedFetchesPerMille
        return .sorted([
            "per-mille": .integer(perMille),
            "a-day-before": figures.attestationsPerDay.reported,
            "a-day-after": figures.attestationsPerDay.map { $0.scaled(by: perMille, over: 1000) }.reported,
        ])
    }
}

/// Writes the effects of a change on all that clients of a scenario get as JSON (R19a).
enum JSONClients {
    /// A list of `{"kind":…,"events":n,"devices":n,"worse":{…},"better":{…},"differences":[…]}`, in the order of kinds.
    static func value(of clients: ClientChanges) -> JSONValue {
        .array(
            clients.parts.map { part in
                .sorted([
                    "kind": .string(part.kind.rawValue), "events": .integer(part.events),
                    "devices": .integer(part.devices), "worse": .sorted(members(part.worse)),
                    "better": .sorted(members(part.better)), "differences": .array(part.differences.map(difference)),
                ])
            })
    }

    /// The requests that are no longer accepted: `{"requests":n,"devices":n}`.
    static func blocked(_ clients: ClientChanges) -> JSONValue {
        let count = clients[.request]?.worse ?? ClientChanges.Count()
        return .sorted(["requests": .integer(count.events), "devices": .integer(count.devices)])
    }

    private static func difference(_ difference: ClientChanges.Difference) -> JSONValue {
        var members = members(difference.count)
        members["effect"] = .string(difference.effect.rawValue)
        members["before"] = .string(difference.before)
        members["after"] = .string(difference.after)
        members["example"] = .string(difference.example.description)
        return .sorted(members)
    }

    private static func members(_ count: ClientChanges.Count) -> [ExactText: JSONValue] {
        ["events": .integer(count.events), "devices": .integer(count.devices)]
    }
}
