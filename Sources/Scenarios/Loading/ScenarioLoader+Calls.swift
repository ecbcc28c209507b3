internal import Accounts
internal import Documents
internal import PolicyEngine

// Steps about secrets, measurements and cancelled accounts (R20–R22).
extension ScenarioLoader {
    /// Reads a call for a secure string (R21.2). Whatever the key is, the app may ask for it.
    mutating func secureString(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`secure-string`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let key = fields.require("key", &reader).flatMap { anyText($0, "`key`") }
        let definition = fields.take("define").flatMap { anyText($0, "`define`") }
        fields.finish(&reader)
        guard let groups, let key else { return nil }
        return .call(groups: groups, .secureString(SecureStrings.Call(key: key, definition: definition)))
    }

    /// Reads a call for a token with claims of the app's (R21.3).
    mutating func customToken(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`custom-jwt`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let payload = fields.require("payload", &reader).flatMap { json($0) }
        fields.finish(&reader)
        guard let groups, let payload else { return nil }
        return .call(groups: groups, .customToken(payload: payload))
    }

    /// Reads a proof of a measurement (R22.2).
    mutating func proof(_ node: Node) -> StepAction? {
        guard var fields = reader.mapping(node, "`prove`") else { return nil }
        let groups = fields.require("group", &reader).flatMap { self.groups($0, "`group`") }
        let kind: Measurement.Kind? = fields.require("kind", &reader).flatMap { reader.word($0, "`kind`") }
        fields.finish(&reader)
        guard let groups, let kind else { return nil }
        return .call(groups: groups, .prove(kind))
    }

    /// Reads the cancellation of an account: `cancelled`, or by its name `{NAME: cancelled}` (R20).
    mutating func cancellation(_ node: Node) -> StepAction? {
        guard case .mapping(let entries) = node.content, entries.count == 1, let entry = entries.first else {
            guard reader.choice(node, "`account`", from: ["cancelled"]) != nil else { return nil }
            return .cancel(account: account(nil, for: "`account: cancelled`", at: node.position))
        }
        let name = Node(position: entry.keyPosition, content: .scalar(entry.key, isPlain: true))
        let index = account(name, for: "`account`", at: node.position)
        return reader.choice(entry.value, entry.key.quoted, from: ["cancelled"]).map { _ in .cancel(account: index) }
    }

    // Text that may be empty.
    private mutating func anyText(_ node: Node, _ what: String) -> String? {
        if case .scalar("", isPlain: false) = node.content { return "" }
        return reader.text(node, what)
    }

    // Text, or a mapping that is JSON.
    private mutating func json(_ node: Node) -> String? {
        guard case .mapping = node.content else { return anyText(node, "`payload`") }
        var json = JSONBytes()
        JSONContent(node).writeSorted(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONContent {
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
