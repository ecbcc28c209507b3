internal import Documents
internal import Figures
internal import PolicyEngine

/// Each app asks for a token with claims of its own once (R21.3).
struct CustomTokenStep: CallStep, MappedAction {
    static let key = "custom-jwt"
    static let rule = "R21.3"
    static let checks = ["result", "token"] + checksOfAttestation
    static let results = CallResult.customTokens
    static let fields = RecordFields<CustomTokenStep>([.required("payload", \.payload, .payload)])
    var groups: [Int] = []
    /// The claims, by their JSON.
    var payload = ""
    var subject: String { "" }
    var reach: Set<AccountPart> { AccountPart.ofAttestation.union([.features, .tokens]) }

    func call(
        by install: inout Install, to service: SimulatedService, answeredBy server: TokenService?, at time: Instant
    ) -> (end: FetchEnd, what: Received.What) {
        install.bindChanged(in: service, at: time)
        let made = install.customToken(payload, from: service, answeredBy: server, at: time)
        let end = FetchEnd(result: made.result.name, token: made.token, decision: made.decision)
        return (end, .customToken(made.result, made.token.map { Received.CustomToken(text: $0.text, key: $0.key) }))
    }
}

extension ValueForm<String> {
    // Text, or a mapping that is JSON.
    fileprivate static var payload: ValueForm {
        ValueForm(.any(of: [.anyText, JSONSchema([("type", .text("object"))])])) { node, what, reader in
            guard node.isMapping else { return ValueForm.anyText.read(node, what, &reader) }
            return JSONContent(node).line
        }
    }
}

extension JSONContent {
    /// The document on one line.
    var line: String {
        var json = JSONBytes()
        writeSorted(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The JSON that YAML says in its form: a plain scalar is what JSON reads in it, if anything, and else text.
    init(_ node: Node) {
        switch node.content {
        case .mapping(let entries):
            self = .object(entries.map { JSONMember(ExactText($0.key), JSONContent($0.value)) })
        case .sequence(let nodes): self = .array(nodes.map(JSONContent.init))
        case .scalar(let text, let isPlain):
            let plain = isPlain ? try? JSONParser.parse(Array(text.utf8)) : nil
            self = plain ?? .string(ExactText(text))
        }
    }
}
