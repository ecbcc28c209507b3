internal import Documents
internal import PolicyEngine
package import Replay

/// Writes a comparison as JSON on one line: `{"version":1,"before":REPORT,"after":REPORT,"changes":{…}}`.
///
/// `changes` holds `newly-rejected` and `newly-accepted`, each with `attestations`, `devices`, `fetches` (null where
/// nothing weighs devices), the same by `flags`, `filters`, `others`, `apps`, `versions` and `systems`, and `examples`;
/// `locked-out` and `let-in`, devices that lose or gain valid tokens altogether; `policies`, `policy-difference`,
/// `lifetimes`, `token-fetches`, `annotations`, `disagreements` and `unjudged`.
package enum JSONComparison {
    /// The comparison as bytes, newline included; equal comparisons give equal bytes.
    package static func bytes(of comparison: Comparison) -> [UInt8] {
        var output = JSONBytes()
        JSONValue.ordered([
            ("version", .integer(1)), ("before", JSONReport.value(of: Report(comparison.before))),
            ("after", JSONReport.value(of: Report(comparison.after))), ("changes", changes(comparison)),
        ]).write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    private static func changes(_ comparison: Comparison) -> JSONValue {
        let figures = comparison.changes
        return .sorted([
            "attestations": .integer(figures.attestations), "devices": .integer(figures.devices),
            "newly-rejected": change(figures.rejected), "newly-accepted": change(figures.accepted),
            "locked-out": .integer(figures.lockedOut), "let-in": .integer(figures.letIn),
            "policies": .sorted([
                "before": .string(comparison.policies.before), "after": .string(comparison.policies.after),
            ]),
            "policy-difference": difference(comparison.difference), "lifetimes": lifetimes(figures),
            "token-fetches": tokenFetches(figures), "annotations": annotations(figures.annotations),
            "disagreements": .array(figures.disagreements.map(disagreement)),
            "unjudged": .array(comparison.unjudged.map { .string($0) }),
        ])
    }

    private static func change(_ change: ChangeFigures) -> JSONValue {
        var members: [ExactText: JSONValue] = [
            "attestations": .integer(change.attestations), "devices": .integer(change.devices),
            "fetches": change.fetches.map { .integer($0) } ?? .null,
            "examples": .array(change.examples.map(example)),
        ]
        for kind in ChangeCause.Kind.allCases {
            let parts = change.splits.first { $0.kind == kind.rawValue }?.parts ?? []
            members[ExactText(kind.rawValue + "s")] = .array(
                parts.map {
                    .sorted([
                        "name": .string($0.name), "attestations": .integer($0.attestations),
                        "devices": .integer($0.devices), "example": .string($0.example.description),
                    ])
                }
            )
        }
        return .sorted(members)
    }

    private static func example(_ example: ChangeFigures.Example) -> JSONValue {
        .sorted([
            "device": .string(example.device.description), "time": .string(example.time.description),
            "attestations": .integer(example.attestations), "flags": strings(example.flags),
            "before": side(example.before), "after": side(example.after),
        ])
    }

    private static func side(_ side: ChangeFigures.Side) -> JSONValue {
        .sorted([
            "verdict": .string(side.isValid ? "pass" : "fail"), "policy": .string(side.policy),
            "rejections": strings(side.rejections),
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

    private static func lifetimes(_ figures: ComparisonFigures) -> JSONValue {
        .array(
            figures.lifetimes.map {
                .sorted([
                    "before": .integer($0.before), "after": .integer($0.after),
                    "attestations": .integer($0.attestations),
                ])
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

    private static func annotations(_ figures: AnnotationFigures) -> JSONValue {
        .sorted([
            "attestations": .integer(figures.attestations), "appearing": .integer(figures.appearing),
            "disappearing": .integer(figures.disappearing),
            "gained": .counts(figures.gained),
            "lost": .counts(figures.lost),
        ])
    }

    private static func disagreement(_ disagreement: ComparisonFigures.Disagreement) -> JSONValue {
        .sorted([
            "captured": .string(disagreement.captured ? "pass" : "fail"), "reasons": strings(disagreement.reasons),
            "attestations": .integer(disagreement.attestations), "example": .string(disagreement.example.description),
            "time": .string(disagreement.time.description),
        ])
    }

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
