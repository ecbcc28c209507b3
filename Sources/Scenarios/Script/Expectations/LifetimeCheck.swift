internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: the token's lifetime in seconds.
struct LifetimeCheck: FetchCheckKind, DecisionCheck {
    static let keys = ["lifetime"]
    let seconds: Int
    var text: String { "\(seconds)s" }
    var reach: Set<AccountPart> { [] }

    static func schema(of _: String, _: CheckForms) -> JSONSchema { .duration }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        loader.reader.duration(entry.value, "`lifetime`").map(LifetimeCheck.init)
    }

    func mismatch(_ decision: Decision, in _: SimulatedService) -> ActualValue? {
        decision.lifetime == seconds ? nil : .word("\(decision.lifetime)s")
    }
}
