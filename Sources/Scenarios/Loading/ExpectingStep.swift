internal import PolicyEngine
internal import Replay

/// A step of whose fetches, requests or calls something can be expected.
struct ExpectingStep {
    let groups: [Int]
    /// The domain that its fetches name; `nil` if they name none.
    var domain: String?
    /// The keys of an expectation that check something.
    let names: [String]
    /// The results with which it can end.
    let results: [String]
    /// True if it brings a token for no domain (R21.3).
    var bringsCustomToken = false
    /// True if it makes calls beside those for tokens.
    var isOfCalls = false

    /// - Returns: `nil` for a step that fetches nothing.
    init?(_ action: StepAction) {
        switch action {
        case .fetch(let groups, let domain):
            (self.groups, self.domain, names, results) = (groups, domain, Self.ofFetches, CallResult.fetches)
        case .request(let groups, let target):
            (self.groups, results) = (groups, CallResult.fetches)
            // Plain HTTP and another install's token need no fetch (R19.7, R19.8).
            let isFetched = !target.isPlain && target.tokenGroup == nil
            domain = isFetched ? target.text : nil
            names = isFetched ? Self.ofFetches + Self.ofRequests : Self.ofRequests
        case .call(let groups, let call):
            (self.groups, isOfCalls) = (groups, true)
            switch call {
            case .secureString: (names, results) = (Self.ofSecureStrings, CallResult.secureStrings)
            case .customToken:
                (names, results) = (Self.ofCustomTokens, CallResult.customTokens)
                bringsCustomToken = true
            case .prove: (names, results) = (Self.ofProofs, ProofResult.allCases.map(\.rawValue))
            }
        case .serve, .approov, .set, .launch, .reinstall, .factoryReset, .bind, .binding, .network, .outage, .cancel:
            return nil
        }
    }

    // R21.6: what is said of the attestation that a call made.
    private static let ofCalls = ["attested", "rejections", "arc"]
    static let ofSecureStrings = ["result", "value"] + ofCalls
    static let ofCustomTokens = ["result", "token"] + ofCalls
    static let ofProofs = ["proof"]
    static let ofRequests = RequestOutcome.allCases.map(\.rawValue)

    static let ofFetches = [
        "verdict", "pass", "fail", "attested", "cached", "result", "policy", "rejections", "flags", "annotations",
        "filters", "lifetime", "arc", "token", "loggable", "config-changed", "force-apply",
    ]
}
