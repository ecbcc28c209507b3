internal import PolicyEngine

extension Install {
    /// Asks for a token, as the app does (R14.1, R14.2).
    ///
    /// - Parameters:
    ///   - domain: The API domain that the token is for, if one is named.
    ///   - world: The service.
    ///   - time: Now.
    /// - Returns: How it ended, and whether the token was in the cache; ``token`` is then the token.
    mutating func fetch(domain: String?, from world: World, at time: Instant) -> (result: FetchResult, isCached: Bool) {
        if let refusal = world.refusal(of: domain) { return (refusal, false) }
        let observed = observedFlags
        if let token, token.serves(at: time, observing: observed) { return (.success, true) }
        if world.pinMode(of: attestation.device, at: time) == .blockAll { return (.mitmDetected, false) }
        var sent = attestation
        sent.time = time
        sent.flags = observed
        let decision = world.attest(sent, system: operatingSystem)
        if observed.contains(.pinningTampered) { hasTamperedPinning = true }
        token = CachedToken(decision: decision, observedFlags: observed)
        return (.success, false)
    }
}
