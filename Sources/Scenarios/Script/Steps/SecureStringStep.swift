internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay

/// Each app asks for a secure string once (R21.2).
struct SecureStringStep: CallStep {
    static let key = "secure-string"
    static let rule = "R21.2"
    static let checks = ["result", "value"] + checksOfAttestation
    static let results = CallResult.secureStrings
    let groups: [Int]
    let call: SecureStrings.Call
    var subject: String { call.key }
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.features, .secureStrings]) }

    static var schema: JSONSchema {
        .object([("group", .groups), ("key", .anyText), ("define", .anyText)], required: ["group", "key"])
    }

    static func load(_ node: Node, _: StepFields, _ loader: inout ScenarioLoader) -> SecureStringStep? {
        let read = loader.groups(in: node, "`secure-string`") { fields, loader in
            let key = fields.require("key", &loader.reader).flatMap { loader.anyText($0, "`key`") }
            let definition = fields.take("define").flatMap { loader.anyText($0, "`define`") }
            return key.map { SecureStrings.Call(key: $0, definition: definition) }
        }
        return read.map { SecureStringStep(groups: $0.groups, call: $0.value) }
    }

    func call(
        by install: inout Install, to service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What) {
        install.bindChanged(in: service, at: time)
        let made = install.secureString(call, from: service, answeredBy: server, at: time)
        let end = FetchEnd(result: made.result.name, value: made.text, decision: made.decision)
        return (end, .secureString(made.result, text: made.text))
    }
}
