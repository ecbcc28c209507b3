internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

/// Each app proves a measurement once (R22.2).
struct ProveStep: CallStep {
    static let key = "prove"
    static let rule = "R22.2"
    static let checks = ["proof"]
    static let results = ProofResult.allCases.map(\.rawValue)
    let groups: [Int]
    let kind: Measurement.Kind
    var subject: String { kind.rawValue }
    var reach: Set<AccountPart> { [.features] }

    static var schema: JSONSchema { .groups(with: "kind", .words(of: Measurement.Kind.self)) }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> ProveStep? {
        let read = loader.groups(in: node, "`prove`") { fields, loader -> Measurement.Kind? in
            fields.require("kind", &loader.reader).flatMap { loader.reader.word($0, "`kind`") }
        }
        return read.map { ProveStep(groups: $0.groups, kind: $0.value) }
    }

    func call(
        by install: inout Install, to service: SimulatedService, answeredBy _: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What) {
        let result = install.prove(kind, with: service, at: time)
        return (FetchEnd(result: result.rawValue), .proof(result))
    }
}
