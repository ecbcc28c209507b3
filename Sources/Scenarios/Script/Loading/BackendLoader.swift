internal import Accounts
internal import Documents
internal import PolicyEngine

/// Reads what backends present and ask for (R18.6, R19.4).
enum BackendLoader {
    private static let fields: [Field<Backends.Change>] = [
        .optional("chain", \.chain, .chain), .optional("token", \.requiresToken, .words("required", "ignored")),
    ]

    /// Backends by domain, as they are at the start.
    static var schema: JSONSchema { .map(of: fields.schema(atLeast: 1), keys: RuleForms.domain) }

    /// The changes of backends that a step makes.
    static var changesSchema: JSONSchema {
        .map(
            of: .any(of: [ValueForm<[String]>.chain.schema, fields.schema(atLeast: 1)]), keys: RuleForms.domain,
            atLeast: 1)
    }

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
            return ValueForm<[String]>.chain.read(entry.value, "`chain`", &reader).map {
                Backends.Change(domain: domain, chain: $0)
            }
        }
        let what = "backend \(entry.key.quoted)"
        if case .mapping(let given) = entry.value.content, given.isEmpty {
            reader.error("there are no settings for \(what)", at: entry.keyPosition)
        }
        return fields.read(entry.value, what, from: Backends.Change(domain: domain), &reader)
    }
}

extension ValueForm<[String]> {
    fileprivate static var chain: ValueForm {
        ValueForm(.list(of: .text, atLeast: 1)) { node, what, reader in
            guard let texts = reader.texts(node, what) else { return nil }
            guard !texts.isEmpty else {
                reader.error("a chain has at least one key", at: node.position)
                return nil
            }
            return texts.map(\.text)
        }
    }
}
