internal import Figures
internal import PolicyEngine
internal import Replay

/// The service of an install's account, as the install may reach it at a time.
struct ServiceAccess {
    let service: SimulatedService
    /// Which of its servers answers; `nil` for none.
    var server: TokenService?
    let time: Instant
    /// The API domain that a token is for.
    let domain: RequestedDomain

    /// The same where nobody answers if a proxy was detected on the way.
    func unless(isIntercepted: Bool) -> ServiceAccess {
        var access = self
        if isIntercepted { access.server = nil }
        return access
    }
}

extension Install {
    /// Asks for a token, as the app does (R14.1–R14.3), and leaves what the client counted for later.
    ///
    /// - Returns: The result, and true if the token was in the cache; ``token`` is then the token.
    mutating func fetch(_ access: ServiceAccess) -> (result: FetchResult, isCached: Bool) {
        let answer = answer(access)
        statistics.count(answer.result)
        return answer
    }

    /// Lets the client report what it counted, where it has a network and the primary service answers (R13.3).
    mutating func report(to access: ServiceAccess) {
        guard network == .ok, server(access) == .primary else { return }
        access.service.add(&statistics, ofKind: kind, at: access.time)
        for index in held.indices {
            access.service.add(&held[index].statistics, ofKind: held[index].kind, at: access.time)
        }
        held = []
    }

    private mutating func answer(_ access: ServiceAccess) -> (result: FetchResult, isCached: Bool) {
        if !hasTestedPinning { testPinning(access) }
        let (observed, domain) = (observedFlags, access.domain)
        if !domain.isMeasured, let token, token.serves(at: access.time + clock, observing: observed),
            domain.isServed(byTokenOf: token.moment)
        {
            return (.success, true)
        }
        if let refusal = domain.refusal { return (refusal, false) }
        if let failure = failure(access) { return (failure, false) }
        evaluate(observing: observed, access)
        if domain.isMeasured { measure(access) }
        return (.success, false)
    }

    /// Why the service cannot be reached, or does not answer; `nil` where it does (R14.2).
    private mutating func failure(_ access: ServiceAccess) -> FetchResult? {
        if let failure = network.failure { return failure }
        if access.service.pinMode(of: attestation.device, at: access.time) == .blockAll {
            // The service itself lets the client find a proxy, and so brings the pins that go with it (R18.3).
            if server(access) == .primary { deliverConfiguration(access) }
            return .mitmDetected
        }
        return server(access) == nil ? .noApproovService : nil
    }

    /// The server that answers this install; `nil` for none, as for an SDK that the service no longer knows (R20.1).
    func server(_ access: ServiceAccess) -> TokenService? {
        access.service.isRetired(attestation) ? nil : access.server
    }

    /// Attests to a server that answers; the token is then a new one.
    private mutating func evaluate(observing flags: FlagSet, _ access: ServiceAccess) {
        let (service, server, time) = (access.service, access.server ?? .primary, access.time)
        var (sent, evidence) = sent(observing: flags, to: service, at: time)
        service.probe(for: &sent, through: path, at: time)
        let showsProbe = probeResult.map { service.show($0, in: &sent) } ?? false
        if showsProbe, service.engine.possibleRules.contains(.filteredProbe) { decidedRules.insert(.filteredProbe) }
        let decision = service.attest(sent, evidence: evidence, by: server)
        if server == .primary {
            probeResult = service.probe(after: decision, on: sent, showing: showsProbe, through: path)
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
        decidedRules.formUnion(service.engine.latestRules)
        if server == .failover || !decision.passed, service.hasNewer(configuration, for: decision.device, at: time) {
            decidedRules.insert(.configurationAfterFailure)
        }
        if server == .primary { deliverConfiguration(access) }
    }

    // The attestation as the client sends it, and the evidence of the device.
    private mutating func sent(
        observing flags: FlagSet, to service: SimulatedService, at time: Instant
    ) -> (Attestation, DeviceEvidence) {
        var (sent, evidence) = (attestation, evidence)
        service.limit(&sent, &evidence)
        sent.time = time
        sent.flags = flags
        if service.isOutdated(configuration, of: attestation.device, at: time) {
            sent.flags.insert(.initialConfigurationOutdated)
        }
        let reason = reason(toAttestAt: time)
        if service.write(reason, into: &sent), reason == .change, service.engine.possibleRules.contains(.reasonOfChange)
        {
            decidedRules.insert(.reasonOfChange)
        }
        return (sent, evidence)
    }

    // R17.3.
    private mutating func deliverConfiguration(_ access: ServiceAccess) {
        access.service.deliver(to: &configuration, of: attestation.device, at: access.time)
        epoch &+= 1
    }

    // R18.7: at the first fetch of an install for which there is a network.
    private mutating func testPinning(_ access: ServiceAccess) {
        guard network != .none, network != .poor else { return }
        hasTestedPinning = true
        guard hasCompromisedPinning, access.service.testsPinning(of: attestation, at: access.time) else { return }
        hasTamperedPinning = true
    }

    // R14.2b.
    private func reason(toAttestAt time: Instant) -> AttestReason {
        guard let token else { return .launch }
        return token.hasExpired(at: time + clock) ? .expiry : .change
    }
}

// Calls of the SDK beside those for tokens (R21). Each attests, where it needs the service at all.
extension Install {
    /// Asks for a secure string (R21.2).
    ///
    /// - Returns: The result, the string where it is known, and the decision where the client attested.
    mutating func secureString(
        _ call: SecureStrings.Call, _ access: ServiceAccess
    ) -> (result: CallResult, text: String?, decision: Decision?) {
        guard SecureStringKey.isKey(call.key) else { return (.badKey, nil, nil) }
        if call.definition == nil, strings.isKept(call.key) { decidedRules.insert(.lifetimeOfStrings) }
        if call.definition == nil, let text = strings.available(call.key, at: access.time) {
            return (.fetch(.success), text, nil)
        }
        let attested = attest(.secureStrings, access)
        guard attested.result == .fetch(.success), let decision = attested.decision else {
            return (attested.result, nil, attested.decision)
        }
        let text = strings.answer(call, until: access.time + decision.lifetime)
        return (text == nil ? .unknownKey : .fetch(.success), text, decision)
    }

    /// Asks for a token with claims of the app's, which are JSON (R21.3).
    ///
    /// - Returns: The result, the token and its key, and the decision where the client attested.
    mutating func customToken(
        _ payload: String, _ access: ServiceAccess
    ) -> (result: CallResult, token: (text: String, key: TokenKey)?, decision: Decision?) {
        guard case .object(let members)? = try? JSONParser.parse(Array(payload.utf8)) else {
            return (.badPayload, nil, nil)
        }
        let attested = attest(.customJWT, access)
        guard attested.result == .fetch(.success), let token else { return (attested.result, nil, attested.decision) }
        decidedRules.insert(.keysOfCustomTokens)
        return (.fetch(.success), access.service.customToken(token, payload: members), attested.decision)
    }

    // The common part of the calls: R14's network results, the feature, the verdict.
    private mutating func attest(
        _ feature: AccountFeature, _ access: ServiceAccess
    ) -> (result: CallResult, decision: Decision?) {
        if let failure = failure(access) { return (.fetch(failure), nil) }
        guard access.service.engine.account(inForceAt: access.time).has(feature) else { return (.disabled, nil) }
        evaluate(observing: observedFlags, access)
        let decision = token?.decision
        return (decision?.passed == true ? .fetch(.success) : .rejected, decision)
    }

    /// The value that the header of this device's requests has (R19.1).
    func headerValue(_ access: ServiceAccess) -> String {
        let own = access.service.deviceID(of: attestation.device).description
        return changingBinding?.value(from: own, at: access.time) ?? own
    }

    /// Binds tokens to what changes by itself, where that is another value than before (R19.1a).
    mutating func bindChanged(_ access: ServiceAccess) {
        guard changingBinding != nil else { return }
        let value = headerValue(access)
        if value != boundData { bind(value) }
    }
}

// Measurements beside tokens, and their proofs (R22).
extension Install {
    /// Measures for the token that was just fetched. The failover knows nothing of measurements; and what did not pass is
    /// handed on to nobody, so that no remote hardware knows it.
    private mutating func measure(_ access: ServiceAccess) {
        guard access.server == .primary, let decision = token?.decision else { return }
        let salt = "\(access.service.deviceID(of: decision.device))|\(decision.time.secondsSinceEpoch)"
        let measured = measured(by: access.service, salt: salt)
        token?.attested.measurement = measured
        measurement = decision.passed ? measured : nil
    }

    /// The result of a proof of a measurement; without network (R22.2).
    mutating func prove(_ kind: Measurement.Kind, _ access: ServiceAccess) -> ProofResult {
        guard let measurement else { return .none }
        switch kind {
        case .integrity: statistics.integrityProofs &+= 1
        case .device: statistics.deviceProofs &+= 1
        }
        let now = measured(by: access.service, salt: measurement.salt)
        let number = UInt64(bitPattern: Int64(access.time.secondsSinceEpoch))
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
