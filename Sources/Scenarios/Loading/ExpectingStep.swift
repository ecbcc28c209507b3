internal import PolicyEngine

/// A step of whose fetches, requests or calls something can be expected.
struct ExpectingStep {
    let groups: [Int]
    /// What it names; `nil` where it names none.
    var domain: String?
    /// The keys of an expectation that check something.
    let names: [String]
    /// How it can end.
    let results: [String]
    /// Whether it brings a token for no domain (R21.3).
    var bringsCustomToken = false

    /// - Returns: `nil` for a step that fetches nothing.
    init?(_ action: StepAction) {
        switch action {
        case .fetch(let groups, let domain):
            (self.groups, self.domain, names, results) = (groups, domain, Self.ofFetches, CallResult.fetches)
        case .request(let groups, let target):
            (self.groups, domain, results) = (groups, target.text, CallResult.fetches)
            names = Self.ofFetches + RequestOutcome.allCases.map(\.rawValue)
        case .call(let groups, .secureString):
            (self.groups, names, results) = (groups, ["result", "value"], CallResult.secureStrings)
        case .call(let groups, .customToken):
            (self.groups, names, results) = (groups, ["result", "token"], CallResult.customTokens)
            bringsCustomToken = true
        case .call(let groups, .prove):
            (self.groups, names, results) = (groups, ["proof"], ProofResult.allCases.map(\.rawValue))
        default: return nil
        }
    }

    static let ofFetches = [
        "verdict", "pass", "fail", "attested", "cached", "result", "policy", "rejections", "flags", "annotations",
        "filters", "lifetime", "arc", "token", "config-changed", "force-apply",
    ]
}
