internal import Documents
internal import Figures
internal import PolicyEngine

/// Each app asks for a secure string once (R21.2).
struct SecureStringStep: CallStep, MappedAction {
    static let key = "secure-string"
    static let rule = "R21.2"
    static let checks = ["result", "value"] + checksOfAttestation
    static let results = CallResult.secureStrings
    static let fields = RecordFields<SecureStringStep>([
        .required("key", \.call.key, .anyText), .optional("define", \.call.definition, .anyText),
    ])
    var groups: [Int] = []
    var call = SecureStrings.Call(key: "", definition: nil)
    var subject: String { call.key }
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.features, .secureStrings]) }

    func call(
        by install: inout Install, to service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What) {
        install.bindChanged(in: service, at: time)
        let made = install.secureString(call, from: service, answeredBy: server, at: time)
        let end = FetchEnd(result: made.result.name, value: made.text, decision: made.decision)
        return (end, .secureString(made.result, text: made.text))
    }
}
