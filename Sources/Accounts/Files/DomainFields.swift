package import Documents
internal import PolicyEngine

/// An API domain in an account file (R14.2a).
enum DomainFields {
    /// The keys of a domain, in their usual order.
    typealias Key = APIDomain.Field

    /// Reads a list of them.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`apis`") else { return }
        // R14.2a: an empty list is a list.
        account.listAPIDomains()
        for entry in entries {
            guard let (domain, position) = domain(entry, &reader) else { continue }
            reader.attempt(at: position) { () throws(ServiceError) in try account.append(domain) }
        }
    }

    private static func domain(_ node: Node, _ reader: inout DocumentReader) -> (APIDomain, SourcePosition)? {
        guard var mapping = reader.mapping(node, "an API domain") else { return nil }
        let nameNode = mapping.require(Key.domain, &reader)
        let type: APIDomain.Kind? = mapping.word(Key.type, &reader)
        let algorithm = mapping.text(Key.algorithm, &reader)
        let keyID = mapping.text(Key.keyID, &reader)
        let pins = mapping.take(Key.pins).map { self.pins($0, &reader) }
        let port = mapping.take(Key.monitorPort).flatMap {
            reader.integer($0, "`monitor-port`", in: AccountLimits.ports)
        }
        mapping.finish(&reader)
        guard let nameNode, let name = reader.text(nameNode, "`domain`") else { return nil }
        let domain = APIDomain(
            name: name, type: type ?? APIDomain.usualType(of: name), algorithm: algorithm, keyID: keyID,
            pins: pins ?? [], monitorPort: port)
        return (domain, nameNode.position)
    }

    private static func pins(_ node: Node, _ reader: inout DocumentReader) -> [String] {
        let (pins, limit) = (reader.texts(node, "`pins`") ?? [], AccountLimits.pinsPerDomain)
        guard pins.count <= limit else {
            reader.error("\(pins.count) pins of one domain; there can be at most \(limit)", at: node.position)
            return []
        }
        return pins.compactMap { text, position in PinLoader.pin(text, at: position, &reader) }
    }

    /// The fields of a domain in a file.
    static func fields(of domain: APIDomain) -> [DocumentField] {
        Key.allCases.map { key in
            switch key {
            case .domain: DocumentField(key.rawValue, domain.name)
            case .type: DocumentField(key.rawValue, domain.type.rawValue)
            case .algorithm: DocumentField(key.rawValue, domain.algorithm)
            case .keyID: DocumentField(key.rawValue, domain.keyID)
            case .pins: DocumentField(key.rawValue, domain.pins.isEmpty ? nil : DocumentValue.texts(domain.pins))
            case .monitorPort: DocumentField(key.rawValue, domain.monitorPort.map { "\($0)" })
            }
        }
    }
}

/// Reads pins.
package enum PinLoader {
    /// Reads a pin (R18.1); `key:NAME` is the pin of a key of which only the name is known (R18.6).
    package static func pin(
        _ text: String, at position: SourcePosition, _ reader: inout DocumentReader
    ) -> String? {
        if let pin = PublicKeyPin.pin(in: text) { return pin }
        reader.error(
            "\(text.quoted) is not a pin; a pin is the base64 of \(PublicKeyPin.byteCount) bytes", at: position,
            hint: "`key:NAME` stands for the pin of a key of that name")
        return nil
    }
}
