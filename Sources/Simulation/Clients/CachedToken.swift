internal import PolicyEngine

/// A token in a client's cache, and the attestation behind it (R14.1).
struct CachedToken: Sendable {
    let decision: Decision
    /// What was sent for it, and what the app had bound its tokens to.
    let attested: TokenIssuer.Attested
    /// The flags observed when it was issued; one more ends it.
    let observedFlags: FlagSet
    /// Whether the app bound its tokens to other data since then.
    var isOutdated = false

    /// Whether its lifetime is over.
    func hasExpired(at time: Instant) -> Bool { time - decision.time >= decision.lifetime }

    /// Whether the client returns it instead of attesting.
    func serves(at time: Instant, observing flags: FlagSet) -> Bool {
        !isOutdated && !hasExpired(at: time) && observedFlags.isSuperset(of: flags)
    }
}
