internal import Documents
internal import PolicyEngine

/// API domains as a JSON file (manual, Getting All API Configuration).
enum DomainJSON {
    /// The text of the file: the domains by name, each with its attributes in the manual's order.
    static func text(of domains: [APIDomain]) -> String {
        let sorted = domains.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return JSONValue.ordered(sorted.map { ($0.name, .ordered(attributes(of: $0))) }).indented()
    }

    private static func attributes(of domain: APIDomain) -> [(key: String, value: JSONValue)] {
        var attributes: [(key: String, value: JSONValue)] = [
            ("secretType", .string(domain.type.rawValue)), ("algorithm", .string(domain.tokenAlgorithm ?? "")),
        ]
        if let id = domain.keyID { attributes.append(("kid", .string(id))) }
        attributes.append(("pins", .array(domain.pins.map { .string($0) })))
        if let port = domain.monitorPort { attributes.append(("monitorPort", .integer(port))) }
        return attributes
    }

    /// The domains of a file, in its order.
    ///
    /// - Throws: ``CommandError``: the first thing that is wrong.
    static func domains(of text: String, file: String) throws(CommandError) -> [APIDomain] {
        let content: JSONContent
        do throws(JSONFailure) {
            content = try JSONParser.parse(Array(text.utf8))
        } catch {
            let position = SourceFile(path: file, text: text).position(ofByte: error.offset)
            throw CommandError("\(file):\(position.line):\(position.column): it is not JSON: \(error.message)")
        }
        guard case .object(let members) = content else { throw CommandError("\(file.quoted) holds no JSON object") }
        try checkPins(of: members, SourceFile(path: file, text: text))
        var domains: [APIDomain] = []
        for member in members { domains.append(try domain(member, file)) }
        return domains
    }

    // R18.1. JSON is YAML, too, and read as such it has positions.
    private static func checkPins(of members: [JSONMember], _ source: SourceFile) throws(CommandError) {
        for member in members {
            guard let pins = member.value["pins"], let mistake = mistake(in: pins, ofDomain: member.name.text) else {
                continue
            }
            let position = position(ofPin: mistake.index, ofDomain: member.name.text, in: source)
            let prefix = position.map { "\($0.line):\($0.column):" } ?? ""
            throw CommandError("\(source.path):\(prefix) \(mistake.message)")
        }
    }

    // The number of the pin that is wrong; `nil` where the list is.
    private static func mistake(in pins: JSONContent, ofDomain name: String) -> (index: Int?, message: String)? {
        let noTexts = "domain \(name.quoted): `pins` must be a list of texts"
        guard case .array(let items) = pins else { return (nil, noTexts) }
        for (index, item) in items.enumerated() {
            guard let pin = item.text else { return (index, noTexts) }
            guard PublicKeyPin.isPin(pin) else { return (index, "\(ServiceError.invalidPin(pin, domain: name))") }
        }
        guard items.count > AccountLimits.pinsPerDomain else { return nil }
        return (nil, "\(ServiceError.pinLimitReached(items.count, domain: name))")
    }

    private static func position(ofPin index: Int?, ofDomain name: String, in source: SourceFile) -> SourcePosition? {
        guard let pins = YAMLParser.parse(source).root?[name]?["pins"] else { return nil }
        guard let index, case .sequence(let items) = pins.content, items.indices.contains(index) else {
            return pins.position
        }
        return items[index].position
    }

    private static let attributes: [ExactText] = ["secretType", "algorithm", "kid", "pins", "monitorPort"]

    private static func domain(_ member: JSONMember, _ file: String) throws(CommandError) -> APIDomain {
        let (name, value) = (member.name.text, member.value)
        let wrong = { (what: String) in CommandError("\(file.quoted), domain \(name.quoted): \(what)") }
        guard case .object(let members) = value else { throw wrong("it is not a JSON object") }
        for member in members where !attributes.contains(member.name) {
            throw CommandError(
                wrong("unknown attribute \(member.name.text.quoted)").description,
                hint: Suggestion.hint(for: member.name.text, among: attributes.map(\.text)))
        }
        guard let type = value["secretType"]?.text.flatMap(APIDomain.Kind.init) else {
            throw wrong("`secretType` must be `account`, `keyset`, `restricted` or `pinOnly`")
        }
        guard value["algorithm"] == nil || value["algorithm"]?.text != nil else {
            throw wrong("`algorithm` must be text")
        }
        guard value["kid"] == nil || value["kid"]?.text != nil else { throw wrong("`kid` must be text") }
        // Manual: `kid` is always present for the keyset type.
        guard type != .keyset || value["kid"] != nil else { throw wrong("`kid` is missing, which names the key") }
        let algorithm = value["algorithm"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        return APIDomain(
            name: name, type: type, algorithm: algorithm, keyID: value["kid"]?.text,
            pins: pins(value["pins"]), monitorPort: try port(value["monitorPort"], wrong))
    }

    // The pins of a domain, which were checked.
    private static func pins(_ value: JSONContent?) -> [String] {
        guard case .array(let items)? = value else { return [] }
        return items.compactMap(\.text)
    }

    private static func port(
        _ value: JSONContent?, _ wrong: (String) -> CommandError
    ) throws(CommandError) -> Int? {
        guard let value else { return nil }
        let limits = AccountLimits.ports
        guard let port = value.integer, limits.contains(port) else {
            throw wrong("`monitorPort` must be a number from \(limits.lowerBound) to \(limits.upperBound)")
        }
        return port
    }
}
