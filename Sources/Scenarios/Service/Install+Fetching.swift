internal import Figures
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
    /// - Returns: The result, and true if the token was in the cache; ``token`` is then the token.
    mutating func fetch(
        _ domain: RequestedDomain, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        bindChanged(in: service, at: time)
        let answer = fetchUnreported(domain, from: service, answeredBy: server, at: time)
        report(to: service, reaching: answer.result == .mitmDetected ? nil : server, at: time)
        return answer
    }

    /// Asks for a token likewise, and leaves what the client counted for later.
    mutating func fetchUnreported(
        _ domain: RequestedDomain, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        let answer = answer(domain, from: service, answeredBy: server, at: time)
        statistics.count(answer.result)
        return answer
    }

    /// Lets the client report what it counted, where it has a network and the primary service answers (R13.3).
    mutating func report(to service: SimulatedService, reaching server: TokenService?, at time: Instant) {
        guard network == .ok, server == .primary else { return }
        service.add(&statistics, ofKind: kind, at: time)
        guard !held.isEmpty else { return }
        for index in held.indices { service.add(&held[index].statistics, ofKind: held[index].kind, at: time) }
        held = []
    }

    private mutating func answer(
        _ domain: RequestedDomain, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: FetchResult, isCached: Bool) {
        if !hasTestedPinning { testPinning(by: service, at: time) }
        let observed = observedFlags
        if !domain.isMeasured, let token, token.serves(at: time, observing: observed),
            domain.isServed(byTokenFrom: token.decision.time)
        {
            return (.success, true)
        }
        if let refusal = domain.refusal { return (refusal, false) }
        if let failure = failure(reaching: service, server, at: time) { return (failure, false) }
        evaluate(observing: observed, to: service, by: server ?? .primary, at: time)
        if domain.isMeasured { measure(for: service, by: server ?? .primary) }
        return (.success, false)
    }

    /// Why the service cannot be reached, or does not answer; `nil` where it does (R14.2).
    mutating func failure(
        reaching service: SimulatedService, _ server: TokenService?, at time: Instant
    ) -> FetchResult? {
        if let failure = network.failure { return failure }
        if service.pinMode(of: attestation.device, at: time) == .blockAll {
            // The service itself lets the client find a proxy, and so brings the pins that go with it (R18.3).
            if server == .primary { deliverConfiguration(of: service, at: time) }
            return .mitmDetected
        }
        return server == nil ? .noApproovService : nil
    }

    /// Attests to a server that answers; the token is then a new one.
    mutating func evaluate(
        observing flags: FlagSet, to service: SimulatedService, by server: TokenService, at time: Instant
    ) {
        var (sent, evidence) = (attestation, evidence)
        service.limit(&sent, &evidence)
        sent.time = time
        sent.flags = flags
        if service.isOutdated(configuration, of: attestation.device, at: time) {
            sent.flags.insert(.initialConfigurationOutdated)
        }
        let reason = reason(toAttestAt: time)
        if service.write(reason, into: &sent), reason == .change, service.readsReasons {
            decidedRules.insert(.reasonOfChange)
        }
        service.probe(for: &sent, through: proxy, at: time)
        let decision = service.attest(sent, evidence: evidence, by: server, through: proxy)
        // DeviceCheck is done by the failover, too, and so not again until the next launch (R8.1); SafetyNet is not (R14.3).
        self.evidence.hasMetFailoverOnly =
            server == .failover && (evidence.isFirstSinceLaunch || evidence.hasMetFailoverOnly)
        self.evidence.isFirstSinceLaunch = false
        if flags.contains(.pinningTampered) { hasTamperedPinning = true }
        let attested = TokenIssuer.Attested(attestation: sent, boundData: boundData)
        token = CachedToken(decision: decision, attested: attested, observedFlags: flags)
        epoch &+= 1
        decidedRules.formUnion(service.latestRules)
        if server == .failover || !decision.passed, service.hasNewer(configuration, for: decision.device, at: time) {
            decidedRules.insert(.configurationAfterFailure)
        }
        if server == .primary { deliverConfiguration(of: service, at: time) }
    }

    // R17.3.
    private mutating func deliverConfiguration(of service: SimulatedService, at time: Instant) {
        service.deliver(to: &configuration, of: attestation.device, at: time)
        epoch &+= 1
    }

    // R18.7: at the first fetch of an install for which there is a network.
    private mutating func testPinning(by service: SimulatedService, at time: Instant) {
        guard network != .none, network != .poor else { return }
        hasTestedPinning = true
        guard hasCompromisedPinning, service.testsPinning(of: attestation, at: time) else { return }
        hasTamperedPinning = true
    }

    // R14.2b.
    private func reason(toAttestAt time: Instant) -> AttestReason {
        guard let token else { return .launch }
        return token.hasExpired(at: time) ? .expiry : .change
    }
}
