internal import PolicyEngine
internal import Replay

extension Install {
    /// Asks for a token, as the app does (R14.1–R14.3), and lets the client report its calls where it can.
    ///
    /// - Parameters:
    ///   - domain: The API domain that the token is for.
    ///   - service: The account's service.
    ///   - server: Which of its servers answers; `nil` for none.
    ///   - time: Now.
    /// - Returns: How it ended, and whether the token was in the cache; ``token`` is then the token.
    mutating func fetch(
        _ domain: RequestedDomain, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        let answer = answer(domain, from: service, answeredBy: server, at: time)
        statistics.count(answer.result)
        report(to: service, reaching: answer.result == .mitmDetected ? nil : server)
        return answer
    }

    /// Lets the client report what it counted, where it has a network and the primary service answers (R13.3).
    mutating func report(to service: SimulatedService, reaching server: TokenService?) {
        guard network == .ok, server == .primary else { return }
        service.take(&statistics, ofKind: kind)
        guard !held.isEmpty else { return }
        for index in held.indices { service.take(&held[index].statistics, ofKind: held[index].kind) }
        held = []
    }

    private mutating func answer(
        _ domain: RequestedDomain, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        let observed = observedFlags
        if let token, token.serves(at: time, observing: observed), domain.isServed(byTokenFrom: token.decision.time) {
            return (.success, true)
        }
        if let refusal = domain.refusal ?? network.failure { return (refusal, false) }
        if service.pinMode(of: attestation.device, at: time) == .blockAll { return (.mitmDetected, false) }
        guard let server else { return (.noApproovService, false) }
        attest(observing: observed, to: service, by: server, at: time)
        return (.success, false)
    }

    private mutating func attest(
        observing flags: FlagSet, to service: SimulatedService, by server: TokenService, at time: Instant
    ) {
        var sent = attestation
        sent.time = time
        sent.flags = flags
        service.write(reason(toAttestAt: time), into: &sent)
        let decision = service.attest(sent, evidence: evidence, by: server)
        // DeviceCheck is done by the failover, too, and so not again until the next launch (R8.1); SafetyNet is not (R14.3).
        evidence.hasMetFailoverOnly =
            server == .failover && (evidence.isFirstSinceLaunch || evidence.hasMetFailoverOnly)
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
