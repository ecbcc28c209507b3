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
            domain.isServed(byTokenOf: token.moment)
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
        let showsProbe = probeResult.map { service.show($0, in: &sent) } ?? false
        if showsProbe, service.readsProbes { decidedRules.insert(.filteredProbe) }
        let decision = service.attest(sent, evidence: evidence, by: server)
        if server == .primary {
            probeResult = service.probe(after: decision, on: sent, showing: showsProbe, through: proxy)
        }
        // DeviceCheck is done by the failover, too, and so not again until the next launch (R8.1); SafetyNet is not (R14.3).
        self.evidence.hasMetFailoverOnly =
            server == .failover && (evidence.isFirstSinceLaunch || evidence.hasMetFailoverOnly)
        self.evidence.isFirstSinceLaunch = false
        if flags.contains(.pinningTampered) { hasTamperedPinning = true }
        let attested = TokenIssuer.Attested(
            attestation: sent, changes: service.engine.history.revisions.count, boundData: boundData)
        token = CachedToken(decision: decision, attested: attested, observedFlags: flags)
        epoch &+= 1
        if decision.passed, let texts = service.secureStrings(at: time) {
            strings.bring(texts, until: time + decision.lifetime)
        }
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

// Calls of the SDK beside those for tokens (R21). Each attests, where it needs the service at all.
extension Install {
    /// Asks for a secure string (R21.2).
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - service: The account's service.
    ///   - server: Which of its servers answers; `nil` for none.
    ///   - time: Now.
    /// - Returns: The result, the string where it is known, and the decision where the client attested.
    mutating func secureString(
        _ call: SecureStrings.Call, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: CallResult, text: String?, decision: Decision?) {
        guard SecureStringKey.isKey(call.key) else { return (.badKey, nil, nil) }
        if call.definition == nil, strings.isKept(call.key) { decidedRules.insert(.lifetimeOfStrings) }
        if call.definition == nil, let text = strings.available(call.key, at: time) {
            return (.fetch(.success), text, nil)
        }
        let attested = attest(.secureStrings, service, server, at: time)
        guard attested.result == .fetch(.success), let decision = attested.decision else {
            return (attested.result, nil, attested.decision)
        }
        let text = strings.answer(call, until: time + decision.lifetime)
        return (text == nil ? .unknownKey : .fetch(.success), text, decision)
    }

    /// Asks for a token with claims of the app's (R21.3).
    ///
    /// - Parameters:
    ///   - payload: The app's JSON.
    ///   - service: The account's service.
    ///   - server: Which of its servers answers; `nil` for none.
    ///   - time: Now.
    /// - Returns: The result, the token and its key, and the decision where the client attested.
    mutating func customToken(
        _ payload: String, from service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (result: CallResult, token: (text: String, key: TokenKey)?, decision: Decision?) {
        guard case .object(let members)? = try? JSONParser.parse(Array(payload.utf8)) else {
            return (.badPayload, nil, nil)
        }
        let attested = attest(.customJWT, service, server, at: time)
        guard attested.result == .fetch(.success), let token else { return (attested.result, nil, attested.decision) }
        decidedRules.insert(.keysOfCustomTokens)
        return (.fetch(.success), service.customToken(token, payload: members), attested.decision)
    }

    // The common part of the calls: R14's network results, the feature, the verdict.
    private mutating func attest(
        _ feature: AccountFeature, _ service: SimulatedService, _ server: TokenService?, at time: Instant
    ) -> (result: CallResult, decision: Decision?) {
        if let failure = failure(reaching: service, server, at: time) { return (.fetch(failure), nil) }
        guard service.engine.account(inForceAt: time).has(feature) else { return (.disabled, nil) }
        evaluate(observing: observedFlags, to: service, by: server ?? .primary, at: time)
        let decision = token?.decision
        return (decision?.passed == true ? .fetch(.success) : .rejected, decision)
    }

    /// The value that the header of this device's requests has (R19.1).
    func headerValue(in service: SimulatedService, at time: Instant) -> String {
        let own = service.deviceID(of: attestation.device).description
        return changingBinding?.value(from: own, at: time) ?? own
    }

    /// Binds tokens to what changes by itself, where that is another value than before (R19.1a).
    mutating func bindChanged(in service: SimulatedService, at time: Instant) {
        guard changingBinding != nil else { return }
        let value = headerValue(in: service, at: time)
        if value != boundData { bind(value) }
    }
}

// Measurements beside tokens, and their proofs (R22).
extension Install {
    /// Measures for the token that was just fetched. The failover knows nothing of measurements; and what did not pass is
    /// handed on to nobody, so that no remote hardware knows it.
    mutating func measure(for service: SimulatedService, by server: TokenService) {
        guard server == .primary, let decision = token?.decision else { return }
        let salt = "\(service.deviceID(of: decision.device))|\(decision.time.secondsSinceEpoch)"
        let measured = measured(by: service, salt: salt)
        token?.attested.measurement = measured
        measurement = decision.passed ? measured : nil
    }

    /// The result of a proof of a measurement; without network (R22.2).
    mutating func prove(_ kind: Measurement.Kind, with service: SimulatedService, at time: Instant) -> ProofResult {
        guard let measurement else { return .none }
        switch kind {
        case .integrity: statistics.integrityProofs &+= 1
        case .device: statistics.deviceProofs &+= 1
        }
        let now = measured(by: service, salt: measurement.salt)
        let number = UInt64(bitPattern: Int64(time.secondsSinceEpoch))
        let nonce = (0..<Measurement.nonceBytes).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) }
        let proof = now.proof(kind, nonce: nonce, key: measurement.proofKey)
        return proof == measurement.proof(kind, nonce: nonce) ? .match : .mismatch
    }

    private func measured(by service: SimulatedService, salt: String) -> Measurement {
        let symbols = service.symbols
        func text(_ name: String) -> String {
            guard let key = symbols.attributes.existingKey(named: name) else { return "" }
            let value = attestation.value(of: key)
            return value == .absent ? "" : symbols.attributes.text(of: value, for: key)
        }
        let model = DeviceModel(text("device"))
        let runtime = symbols.catalogue.names(of: observedFlags.intersection(Self.runtimeFlags(symbols.catalogue)))
        return Measurement(
            app: [text("app-version"), text("app-sig"), model.system, text("sdk-version")] + runtime,
            hardware: ["\(evidence.physical.number)", text("archid")] + model.hardware, salt: salt,
            account: service.engine.history.latest.name, sdk: text("sdk-version"))
    }

    // R22.2: flags of framework, debugging, rooting, tampering.
    private static func runtimeFlags(_ catalogue: FlagCatalogue) -> FlagSet {
        let kinds: Set<PropertyFlag.Kind> = [.framework, .debugging, .rooting, .jailbreaking, .tampering]
        return FlagSet(catalogue.flags.compactMap { kinds.contains($0.kind) ? catalogue.flag(named: $0.name) : nil })
    }
}

/// The result of a proof of a measurement.
enum ProofResult: String, Hashable, Sendable, CaseIterable {
    case match, mismatch
    /// No measurement is stored.
    case none
}

/// The system and the hardware that the attribute `device` names, in either form of the manual's samples:
/// `Android 8.1.0, Nexus 5X, google, bullhead, en` and `iOS, 12.1.2, iPhone7,2, en_GB`.
private struct DeviceModel {
    let system: String
    let hardware: [String]

    init(_ text: String) {
        let parts = text.split(separator: ", ").map(String.init)
        if parts.first == "iOS" {
            (system, hardware) = (parts.prefix(2).joined(separator: " "), Array(parts.dropFirst(2).prefix(1)))
        } else {
            (system, hardware) = (parts.first ?? "", Array(parts.dropFirst().prefix(3)))
        }
    }
}
