package import PolicyEngine

/// What became of one fetch on one side of a comparison: a token and the decision behind it, or none.
package struct Outcome {
    /// The decision; `nil` where there is no token.
    let decision: Decision?
    /// How the fetch ended for the app.
    package let result: FetchResult

    /// The flags that the token tells, in numbers that both sides share; `nil` where it can tell none.
    let annotations: FlagSet?

    /// An attestation of a capture.
    ///
    /// - Parameter annotations: Those of the decision, in numbers that both sides share.
    init(_ decision: Decision, annotations: FlagSet?) {
        self.decision = decision
        self.annotations = annotations
        result = .success
    }

    /// A fetch of a simulated client, whose flags both sides number alike.
    package init(_ result: FetchResult, _ decision: Decision?) {
        self.decision = decision
        annotations = decision?.annotations
        self.result = result
    }

    /// Whether there is a valid token.
    package var isValid: Bool { decision?.passed ?? false }
}
