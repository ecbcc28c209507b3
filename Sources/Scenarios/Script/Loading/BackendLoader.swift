internal import Accounts
internal import Documents
internal import PolicyEngine

/// Reads what backends present and ask for (R18.6, R19.4).
enum BackendLoader {
    /// The backends of a scenario, as they are at its start.
    static func load(_ node: Node, _ reader: inout DocumentReader) -> Backends {
        var backends = Backends()
        for entry in reader.mapping(node, "`backends`")?.entries ?? [] {
            if let change = change(entry, allowsList: false, &reader) { backends.apply(change) }
        }
        return backends
    }

    /// Reads the changes that a step makes.
    static func changes(_ node: Node, _ reader: inout DocumentReader) -> [Backends.Change] {
        let entries = reader.mapping(node, "`serve`")?.entries ?? []
        if entries.isEmpty, case .mapping = node.content {
            reader.error("`serve` names no domain", at: node.position)
        }
        return entries.compactMap { change($0, allowsList: true, &reader) }
    }

    /// Names of domains in lower case.
    static func domains(_ node: Node, _ what: String, _ reader: inout DocumentReader) -> [String]? {
        guard let texts = reader.texts(node, what) else { return nil }
        if texts.isEmpty { reader.error("\(what) names no domain", at: node.position) }
        return texts.compactMap { domain($0.text, at: $0.position, &reader) }
    }

    /// The name of a domain in lower case.
    static func domain(_ text: String, at position: SourcePosition, _ reader: inout DocumentReader) -> String? {
        if APIDomain.isName(text) { return text.lowercased() }
        reader.error(ServiceError.invalidDomain(text), at: position)
        return nil
    }

    // A list is a chain.
    private static func change(
        _ entry: Node.Entry, allowsList: Bool, _ reader: inout DocumentReader
    ) -> Backends.Change? {
        guard let domain = domain(entry.key, at: entry.keyPosition, &reader) else { return nil }
        if allowsList, case .sequence = entry.value.content {
            return chain(entry.value, &reader).map { Backends.Change(domain: domain, chain: $0) }
        }
        guard var fields = reader.mapping(entry.value, "backend \(entry.key.quoted)") else { return nil }
        var change = Backends.Change(domain: domain)
        if let node = fields.take("chain") { change.chain = chain(node, &reader) }
        if let node = fields.take("token") {
            change.requiresToken = reader.choice(node, "`token`", from: ["required", "ignored"]).map {
                $0 == "required"
            }
        }
        if fields.entries.isEmpty {
            reader.error("there are no settings for backend \(entry.key.quoted)", at: entry.keyPosition)
        }
        fields.finish(&reader)
        return change
    }

    private static func chain(_ node: Node, _ reader: inout DocumentReader) -> [String]? {
        guard let texts = reader.texts(node, "`chain`") else { return nil }
        guard !texts.isEmpty else {
            reader.error("a chain has at least one key", at: node.position)
            return nil
        }
        return texts.map(\.text)
    }
}
