package import Documents
internal import PolicyEngine

/// An API domain in an account file (R14.2a).
enum DomainFields {
    private typealias Key = APIDomain.Field

    static let all: [Field<APIDomain>] = [
        .required(
            Key.domain.rawValue, \.name,
            .text.described(
                by: .textOrNumber(matching: "[A-Za-z0-9.-]+|\\*").naming(.domain, isDeclaration: true)),
            "The name of the host that the app calls, or * for the managed trust roots."),
        .value(
            Key.type.rawValue, \.type, .word,
            "The kind of key that makes the domain's tokens, or pinOnly for no tokens."),
        .optional(
            Key.algorithm.rawValue, \.algorithm, .text.described(by: .words(of: TokenAlgorithm.self)),
            "The algorithm of the domain's tokens."),
        .optional(Key.keyID.rawValue, \.keyID, .text, "The key of the key set that makes the domain's tokens."),
        .list(Key.pins.rawValue, \.pins, .pins, "The pins of which the backend's certificates need one."),
        .optional(
            Key.monitorPort.rawValue, \.monitorPort, .integer(in: AccountLimits.ports),
            "The port at which the backend's certificates are watched."),
    ]

    /// Reads a list of them.
    static func load(_ node: Node, into account: inout Account, _ reader: inout DocumentReader) {
        guard let entries = reader.sequence(node, "`apis`") else { return }
        // R14.2a: an empty list is a list.
        account.listAPIDomains()
        for entry in entries {
            let name = entry[Key.domain.rawValue]
            let usual = APIDomain(name: "", type: APIDomain.usualType(of: name?.text ?? ""))
            guard let domain = all.read(entry, "an API domain", from: usual, &reader), let name else { continue }
            reader.attempt(at: name.position) { () throws(ServiceError) in try account.append(domain) }
        }
    }
}

extension ValueForm<[String]> {
    fileprivate static var pins: ValueForm {
        let limit = AccountLimits.pinsPerDomain
        return ValueForm(.list(of: RuleForms.pin, atMost: limit)) { node, what, reader in
            let pins = reader.texts(node, what) ?? []
            guard pins.count <= limit else {
                reader.error("\(pins.count) pins of one domain; there can be at most \(limit)", at: node.position)
                return nil
            }
            return pins.compactMap { text, position in PinLoader.pin(text, at: position, &reader) }
        } write: {
            .texts($0)
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
