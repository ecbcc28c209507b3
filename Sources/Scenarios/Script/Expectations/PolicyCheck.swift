internal import Accounts
internal import Documents
internal import PolicyEngine

/// Of each fetch: the policy that was applied.
struct PolicyCheck: FetchCheckKind, DecisionCheck {
    static let keys = ["policy"]
    let text: String
    var reach: Set<AccountPart> { [.policy] }

    // Its rejection part may be `custom`.
    static func schema(of _: String, _ forms: CheckForms) -> JSONSchema {
        let rejections = RejectionPreset.allCases.map(\.rawValue) + [RejectionPolicy.customName]
        let parts = "[a-z0-9-]{1,64},(\(rejections.joined(separator: "|"))),\(forms.rules.annotationPattern)"
        return .text(matching: parts)
    }

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
