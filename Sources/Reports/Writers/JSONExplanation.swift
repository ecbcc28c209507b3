internal import Documents
internal import PolicyEngine

/// Writes explanations as JSON on one line: `{"version":1,"explanations":[…]}`, in the order of the attestations.
package enum JSONExplanation {
    /// The explanations as bytes, newline included; equal explanations give equal bytes.
    package static func bytes(of explanations: [Explanation]) -> [UInt8] {
        var output = JSONBytes()
        JSONValue.ordered([
            ("version", .integer(1)), ("explanations", .array(explanations.map(value))),
        ]).write(to: &output)
        return output.bytes + [UInt8(ascii: "\n")]
    }

    private static func value(of explanation: Explanation) -> JSONValue {
        .sorted([
            "device": .string(explanation.device.description), "time": .string(explanation.time.description),
            "verdict": .string(explanation.passed ? "pass" : "fail"), "policy": .string(explanation.policy),
            "steps": .array(explanation.steps.map(step)),
            "flips": .array(explanation.flips.map { .array($0.commands.map { .string($0) }) }),
        ])
    }

    private static func step(_ step: Explanation.Step) -> JSONValue {
        .sorted([
            "number": .integer(step.number), "name": .string(step.name),
            "lines": .array(step.lines.map { .string($0) }),
        ])
    }
}
