internal import PolicyEngine
internal import Replay

/// A token in a client's cache, and the attestation behind it (R14.1).
struct CachedToken: Sendable {
    let decision: Decision
    /// What was sent for it, and what the app had bound its tokens to.
    let attested: TokenIssuer.Attested
    /// The flags observed when it was issued; one more ends it.
    let observedFlags: FlagSet

    /// Whether the client returns it instead of attesting.
    func serves(at time: Instant, observing flags: FlagSet) -> Bool {
        time - decision.time < decision.lifetime && observedFlags.isSuperset(of: flags)
    }
}
