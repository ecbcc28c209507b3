internal import HTTP
internal import PolicyEngine

/// The chains that API domains present (R18.6, R23.4a), as `GET` and `PUT /backends` have them.
struct PresentedChains: Sendable {
    /// Names of keys, or pins, the leaf first, by the names of the domains in lower case.
    let chains: [(domain: String, chain: [String])]

    init(chains: [(domain: String, chain: [String])]) { self.chains = chains }

    /// Reads a body.
    ///
    /// - Throws: ``Refusal`` with the domain that is wrong.
    init(_ members: [JSONMember]) throws(Refusal) {
        var chains: [(domain: String, chain: [String])] = []
        for member in members {
            let field = member.name.text
            let domain = try DomainName.inURL(field, field: field).lowercased()
            guard !chains.contains(where: { $0.domain == domain }) else {
                throw .badField(field, "the domain is given twice")
            }
            chains.append((domain, try Self.chain(member.value, field: field)))
        }
        guard !chains.isEmpty else { throw .badField("body", "the body names no domain") }
        self.chains = chains
    }

    private static func chain(_ value: JSONContent, field: String) throws(Refusal) -> [String] {
        guard case .array(let items) = value, !items.isEmpty else {
            throw .badField(
                field, "a chain is an array of one key or more, the leaf first", hint: #"such as ["LEAF","CA"]"#)
        }
        let names = items.compactMap(\.text)
        guard names.count == items.count, !names.contains("") else {
            throw .badField(field, "a key of a chain is its name, or its pin")
        }
        return names
    }

    /// As it is answered and kept.
    var json: JSONValue {
        .ordered(chains.map { domain, chain in (domain, .array(chain.map { .string($0) })) })
    }
}

/// Names of domains in requests.
enum DomainName {
    /// The domain that a text names, which may be a whole URL, as the app gives it (R23.4a; manual, Token Fetch Errors).
    ///
    /// - Parameter field: The field that is wrong if the text names none.
    static func inURL(_ text: String, field: String) throws(Refusal) -> String {
        if let name = APIDomain.name(in: text) { return name }
        throw .badField(
            field, "that is neither a domain nor a URL with https: BAD_URL",
            hint: "such as api.example.com or https://api.example.com/v1")
    }
}
