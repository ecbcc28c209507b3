internal import Documents
internal import PolicyEngine
package import Replay
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
/// `clients`, `newly-blocked` and `timeline`, too.
package enum JSONComparison {
    /// The comparison as bytes, newline included; equal comparisons give equal bytes.
    ///
    /// - Parameters:
    ///   - timeline: The timeline of the change in a scenario.
    ///   - identity: The identity of the comparison, and names for devices; without it there is no baseline for a later
    ///     one.
    package static func bytes(
        of comparison: Comparison, timeline: ChangeTimeline? = nil, identity: ComparisonIdentity? = nil
    ) -> [UInt8] {
        var output = JSONBytes()
        JSONValue.ordered([
            ("version", .integer(1)), ("before", JSONReport.value(of: Report(comparison.before))),
            ("after", JSONReport.value(of: Report(comparison.after))),
            ("changes", changes(comparison, timeline, identity)),
        ]).write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    private static func changes(
        _ comparison: Comparison, _ timeline: ChangeTimeline?, _ identity: ComparisonIdentity?
    ) -> JSONValue {
        let figures = comparison.changes
        let isCapture = comparison.isCapture
        var members: [ExactText: JSONValue] = [
            "attestations": .integer(figures.attestations), "counts": .string(isCapture ? "attestations" : "fetches"),
            "fetches": isCapture ? .null : .integer(figures.events),
            "judged": JSONReport.evaluated(figures.unevaluated, isExact: comparison.isExact),
            "devices": .integer(figures.devices),
            "newly-rejected": change(figures.rejected, isCapture, identity),
            "newly-accepted": change(figures.accepted, isCapture, identity),
            "compared": identity.map(compared) ?? .null,
            "certainty": certainty(comparison),
            "locked-out": .integer(figures.lockedOut), "let-in": .integer(figures.letIn),
            "policies": .sorted([
                "before": .string(comparison.policies.before), "after": .string(comparison.policies.after),
            ]),
            "policy-difference": difference(comparison.difference), "lifetimes": lifetimes(figures, isCapture),
            "token-fetches": tokenFetches(figures), "annotations": annotations(figures.annotations, isCapture),
            "disagreements": .array(figures.disagreements.map(disagreement)),
            "unjudged": .array(comparison.unevaluated.map { .string($0) }),
        ]
        if let clients = figures.clients {
            members["newly-blocked"] = JSONClients.blocked(clients)
            members["clients"] = JSONClients.value(of: clients)
        }
        if let timeline { members["timeline"] = self.timeline(timeline) }
        return .sorted(members)
    }

    private static func compared(_ identity: ComparisonIdentity) -> JSONValue {
        .sorted([
            "inputs": strings(identity.inputs), "account": .string(identity.account),
            "names": .string(identity.keyName),
        ])
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
                "at-least": atMost == nil ? .null : .integer(devices), "at-most": atMost.map { .integer($0) } ?? .null,
            ])
        }
        return .sorted([
            "answer": .string(comparison.certainty.name), "locked-out": bounds(comparison.changes.lockedOut),
            "let-in": bounds(comparison.changes.letIn),
        ])
    }

    // The count of attestations among some members; fetches of a scenario are counted besides.
    private static func counted(
        _ members: [ExactText: JSONValue], _ events: Int, _ attestations: Int, _ isCapture: Bool
    ) -> JSONValue {
        var members = members
        members["attestations"] = .integer(attestations)
        if !isCapture { members["fetches"] = .integer(events) }
        return .sorted(members)
    }

    private static func change(
        _ change: ChangeFigures, _ isCapture: Bool, _ identity: ComparisonIdentity?
    ) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "attestations": .integer(change.attestations), "devices": .integer(change.devices),
            "fetches": change.fetches.map { .integer($0) } ?? .null,
            "examples": .array(change.examples.map { example($0, isCapture) }),
            "device-names": identity?.names(of: change.known).map(strings) ?? .null,
        ]
        for kind in ChangeCause.Kind.allCases {
            let parts = change.splits.first { $0.kind == kind.rawValue }?.parts ?? []
            members[ExactText(kind.rawValue + "s")] = .array(
                parts.map {
                    counted(
                        [
                            "name": .string($0.name), "devices": .integer($0.devices),
                            "example": .string($0.example.description),
                        ], $0.events, $0.attestations, isCapture)
                }
            )
        }
        return .sorted(members)
    }

    private static func example(_ example: ChangeFigures.Example, _ isCapture: Bool) -> JSONValue {
        counted(
            [
                "device": .string(example.device.description), "time": .string(example.time.description),
                "flags": strings(example.flags), "before": side(example.before), "after": side(example.after),
            ], example.events, example.attestations, isCapture)
    }

    private static func side(_ side: ChangeFigures.Side) -> JSONValue {
        .sorted([
            "verdict": .string(side.isValid ? "pass" : "fail"), "policy": .string(side.policy),
            "rejections": strings(side.reasons.map(\.name)),
        ])
    }

    private static func difference(_ difference: PolicyDifference) -> JSONValue {
        .sorted([
            "flags": .array(
                difference.flags.map {
                    .sorted([
                        "flag": .string($0.name), "before": .string($0.before.rawValue),
                        "after": .string($0.after.rawValue),
                    ])
                }
            ),
            "others": strings(difference.others),
        ])
    }

    private static func lifetimes(_ figures: ComparisonFigures, _ isCapture: Bool) -> JSONValue {
        .array(
            figures.lifetimes.map {
                counted(
                    ["before": .integer($0.before), "after": .integer($0.after)], $0.events, $0.attestations,
                    isCapture)
            }
        )
    }

    private static func tokenFetches(_ figures: ComparisonFigures) -> JSONValue {
        let perMille = figures.expectedFetchesPerMille
        return .sorted([
            "per-mille": .integer(perMille),
            "a-day-before": figures.attestationsPerDay.map { .integer($0) } ?? .null,
            "a-day-after": figures.attestationsPerDay.map { .integer(($0 * perMille + 500) / 1000) } ?? .null,
        ])
    }

    private static func annotations(_ figures: AnnotationFigures, _ isCapture: Bool) -> JSONValue {
        counted(
            [
                "devices": .integer(figures.devices), "appearing": .integer(figures.appearing),
                "disappearing": .integer(figures.disappearing),
                "gained": .counts(figures.gained), "lost": .counts(figures.lost),
            ], figures.events, figures.attestations, isCapture)
    }

    private static func disagreement(_ disagreement: ComparisonFigures.Disagreement) -> JSONValue {
        let captured =
            switch disagreement.verdict {
            case .fails: "pass"
            case .passes: "fail"
            }
        return .sorted([
            "captured": .string(captured), "reasons": strings(disagreement.verdict.names),
            "attestations": .integer(disagreement.attestations), "example": .string(disagreement.example.description),
            "time": .string(disagreement.time.description),
        ])
    }

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
