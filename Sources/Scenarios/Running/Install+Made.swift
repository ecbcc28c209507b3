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
    /// - Returns: The result, with the decision where the client attested, and what the client got.
    mutating func make(
        _ call: SDKCall, with service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (taken: ExpectationTally.Taken, what: Received.What) {
        var (taken, what): (ExpectationTally.Taken, Received.What)
        switch call {
        case .secureString(let call):
            bindChanged(in: service, at: time)
            let made = secureString(call, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.value, taken.decision) = (made.text, made.decision)
            what = .secureString(made.result, text: made.text)
        case .customToken(let payload):
            bindChanged(in: service, at: time)
            let made = customToken(payload, from: service, answeredBy: server, at: time)
            taken = ExpectationTally.Taken(result: made.result.name)
            (taken.token, taken.decision) = (made.token, made.decision)
            what = .customToken(made.result, made.token.map { Received.CustomToken(text: $0.text, key: $0.key) })
        case .prove(let kind):
            let result = prove(kind, with: service, at: time)
            taken = ExpectationTally.Taken(result: result.rawValue)
            what = .proof(result)
        }
        taken.isCall = true
        report(to: service, reaching: taken.result == FetchResult.mitmDetected.rawValue ? nil : server, at: time)
        return (taken, what)
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
