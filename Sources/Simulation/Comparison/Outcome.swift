internal import PolicyEngine

/// What became of one fetch on one side of a comparison: a token and the decision behind it, or none.
struct Outcome {
    /// The decision; `nil` where there is no token.
    let decision: Decision?
    /// How the fetch ended for the app.
    let result: FetchResult

    /// An attestation of a capture.
    init(_ decision: Decision) {
        self.decision = decision
        result = .success
    }

    /// A fetch of a simulated client.
    init(_ result: FetchResult, _ decision: Decision?) {
        self.decision = decision
        self.result = result
    }

    /// Whether there is a valid token.
    var isValid: Bool { decision?.passed ?? false }
}
