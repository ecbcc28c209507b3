internal import Documents
internal import PolicyEngine

/// Of each fetch: the token's lifetime in seconds.
struct LifetimeCheck: FetchCheckKind, DecisionCheck {
    static let forms = [(key: "lifetime", schema: JSONSchema.duration)]
    let seconds: Int
    var text: String { "\(seconds)s" }
    var reach: Set<AccountPart> { [] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.duration(entry.value, "`lifetime`").map(LifetimeCheck.init)
    }

    func mismatch(_ decision: Decision, in _: SimulatedService) -> ActualValue? {
        decision.lifetime == seconds ? nil : .word("\(decision.lifetime)s")
    }
}
