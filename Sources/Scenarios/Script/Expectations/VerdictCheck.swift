internal import Documents
internal import PolicyEngine

/// Of each fetch: the token's verdict.
struct VerdictCheck: FetchCheckKind, DecisionCheck {
    static let forms = [(key: "verdict", schema: JSONSchema.words(words))]
    private static let words = ["pass", "fail"]
    let text: String
    private var passed: Bool { text == "pass" }
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.choice(entry.value, "`verdict`", from: words).map(VerdictCheck.init)
    }

    func mismatch(_ decision: Decision, in _: SimulatedService) -> ActualValue? {
        decision.passed == passed ? nil : .word(decision.passed ? "pass" : "fail")
    }
}
