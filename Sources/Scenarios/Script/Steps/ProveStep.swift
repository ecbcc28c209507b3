internal import Documents
internal import PolicyEngine

/// Each app proves a measurement once (R22.2).
struct ProveStep: CallStep, MappedAction {
    static let key = "prove"
    static let rule = "R22.2"
    static let checks = ["proof"]
    static let results = ProofResult.allCases.map(\.rawValue)
    static let fields = RecordFields<ProveStep>([.required("kind", \.kind, .word)])
    var groups: [Int] = []
    var kind = Measurement.Kind.integrity
    var subject: String { kind.rawValue }
    var reach: Set<AccountPart> { [.features] }

    func call(
        by install: inout Install, to service: SimulatedService, answeredBy _: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What) {
        let result = install.prove(kind, with: service, at: time)
        return (FetchEnd(result: result.rawValue), .proof(result))
    }
}
