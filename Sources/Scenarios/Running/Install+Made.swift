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
    /// - Returns: How it ended, with the decision where the client attested.
    mutating func make(
        _ call: SDKCall, with service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> ExpectationTally.Taken {
        var taken: ExpectationTally.Taken
        switch call {
        case .secureString(let call):
            bindChanged(in: service, at: time)
            let made = secureString(call, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.value, taken.decision) = (made.text, made.decision)
        case .customToken(let payload):
            bindChanged(in: service, at: time)
            let made = customToken(payload, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.token, taken.decision) = (made.token, made.decision)
        case .prove(let kind):
            taken = ExpectationTally.Taken(result: prove(kind, with: service, at: time).rawValue)
        }
        taken.isCall = true
        report(to: service, reaching: taken.result == FetchResult.mitmDetected.rawValue ? nil : server, at: time)
        return taken
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
