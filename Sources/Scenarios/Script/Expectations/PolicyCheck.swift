internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: the policy that was applied.
struct PolicyCheck: FetchCheckKind, DecisionCheck {
    // Its rejection part may be `custom`.
    static let forms = [
        (
            key: "policy",
            schema: RuleForms.policy(
                rejections: RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName])
        )
    ]
    let text: String
    var reach: Set<AccountPart> { [.policy] }

    static func load(_ entry: Node.Entry, _ loader: inout CheckLoader) -> (any FetchCheck)? {
        guard let text = loader.reader.text(entry.value, "`policy`") else { return nil }
        let isKnown = loader.names.checkPolicy(text, at: entry.value.position, &loader.reader)
        return isKnown ? PolicyCheck(text: text) : nil
    }

    func mismatch(_ decision: Decision, in service: SimulatedService) -> ActualValue? {
        let policy = service.policy(of: decision)
        return policy == text ? nil : .word(policy)
    }
}
