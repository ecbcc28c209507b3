internal import PolicyEngine
internal import Replay

extension Install {
    /// Makes a call of the SDK beside those for tokens, and reports what the client counted.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - service: The account's service.
    ///   - server: Which of its servers answers; `nil` for none.
    ///   - time: Now.
    /// - Returns: How it ended, and the decision where the client attested.
    mutating func make(
        _ call: SDKCall, with service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (taken: ExpectationTally.Taken, decision: Decision?) {
        var (taken, decision): (ExpectationTally.Taken, Decision?)
        switch call {
        case .secureString(let call):
            let made = secureString(call, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.value, decision) = (made.text, made.decision)
        case .customToken(let payload):
            let made = customToken(payload, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.token, decision) = (made.token, made.decision)
        case .prove(let kind):
            taken = ExpectationTally.Taken(result: prove(kind, with: service, at: time).rawValue)
            decision = nil
        }
        report(to: service, reaching: taken.result == FetchResult.mitmDetected.rawValue ? nil : server)
        return (taken, decision)
    }
}

extension SDKCall {
    /// As steps name it.
    var name: String {
        switch self {
        case .secureString: "secure-string"
        case .customToken: "custom-jwt"
        case .prove: "prove"
        }
    }
}
