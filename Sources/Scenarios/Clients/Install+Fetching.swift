internal import PolicyEngine
internal import Replay

extension Install {
    /// Asks for a token, as the app does (R14.1–R14.3), and lets the client report its calls where it can.
    ///
    /// - Parameters:
    ///   - domain: The API domain that the token is for.
    ///   - world: The account's side.
    ///   - service: Who answers; `nil` for nobody.
    ///   - time: Now.
    /// - Returns: How it ended, and whether the token was in the cache; ``token`` is then the token.
    mutating func fetch(
        _ domain: RequestedDomain, from world: World, by service: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        let outcome = answer(domain, from: world, by: service, at: time)
        statistics.count(outcome.result)
        report(to: world, reaching: outcome.result == .mitmDetected ? nil : service)
        return outcome
    }

    /// Lets the client report what it counted, where it has a network and the primary service answers (R13.3).
    mutating func report(to world: World, reaching service: TokenService?) {
        guard network == .ok, service == .primary else { return }
        world.take(&statistics, ofKind: kind)
        guard !held.isEmpty else { return }
        for place in held.indices { world.take(&held[place].statistics, ofKind: held[place].kind) }
        held = []
    }

    private mutating func answer(
        _ domain: RequestedDomain, from world: World, by service: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        let observed = observedFlags
        if let token, token.serves(at: time, observing: observed), domain.isServed(byTokenFrom: token.decision.time) {
            return (.success, true)
        }
        if let refusal = domain.refusal ?? network.failure { return (refusal, false) }
        if world.pinMode(of: attestation.device, at: time) == .blockAll { return (.mitmDetected, false) }
        guard let service else { return (.noApproovService, false) }
        attest(observing: observed, to: world, by: service, at: time)
        return (.success, false)
    }

    private mutating func attest(
        observing flags: FlagSet, to world: World, by service: TokenService, at time: Instant
    ) {
        var sent = attestation
        sent.time = time
        sent.flags = flags
        world.tell(reason(toAttestAt: time), in: &sent)
        let decision = world.attest(sent, evidence: evidence, by: service)
        // DeviceCheck is done by the failover, too, and so not again until the next launch (R8.1); SafetyNet is not (R14.3).
        evidence.hasMetFailoverOnly =
            service == .failover && (evidence.isFirstSinceLaunch || evidence.hasMetFailoverOnly)
        evidence.isFirstSinceLaunch = false
        if flags.contains(.pinningTampered) { hasTamperedPinning = true }
        let attested = TokenIssuer.Attested(attestation: sent, boundData: boundData)
        token = CachedToken(decision: decision, attested: attested, observedFlags: flags)
    }

    // R14.2b.
    private func reason(toAttestAt time: Instant) -> AttestReason {
        guard let token else { return .launch }
        return token.hasExpired(at: time) ? .expiry : .change
    }
}
