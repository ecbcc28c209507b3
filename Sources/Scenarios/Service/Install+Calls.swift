internal import Figures
internal import PolicyEngine

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
        let general = service.engine.account(inForceAt: time).secureStrings
        let text = strings.answer(call, general: general, until: time + decision.lifetime)
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
}

extension Install {
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
