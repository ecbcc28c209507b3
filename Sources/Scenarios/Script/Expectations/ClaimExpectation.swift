internal import Accounts
internal import Documents
internal import PolicyEngine

/// An expectation about a claim of a token.
enum ClaimExpectation: Hashable, Sendable, CustomStringConvertible {
    /// Not there.
    case absent
    /// There, whatever it is.
    case present
    case text(String)
    case instant(Instant)
    /// Just these texts, in any order.
    case texts(Set<String>)
    /// This value of whatever type, its members in any order (R21.3).
    case json(JSONContent)

    var description: String {
        switch self {
        case .absent: "none"
        case .present: "any"
        case .text(let text): text
        case .instant(let instant): "\(instant)"
        case .texts(let texts): "[\(texts.sorted().joined(separator: ", "))]"
        case .json(let value): value.text ?? value.line
        }
    }

    /// The actual value of a claim that differs, in words.
    ///
    /// - Parameter value: The claim; `nil` where it is not there.
    /// - Returns: `nil` where it holds.
    func mismatch(_ value: JSONContent?) -> String? {
        guard let value else { return self == .absent ? nil : "none" }
        switch (self, value) {
        case (.present, _): return nil
        case (.text(let text), .string(let actual)) where ExactText(text) == actual: return nil
        case (.instant(let instant), .number) where value.integer == instant.secondsSinceEpoch: return nil
        case (.instant, .number(let digits)):
            return value.integer.map { "\(Instant(secondsSinceEpoch: $0))" } ?? digits
        case (.texts(let texts), .array(let items))
        where items.compactMap(\.text).exactTexts == texts.exactTexts:
            return nil
        case (.json(let wanted), _): return wanted.isSame(as: value) ? nil : value.line
        default: return Self.text(of: value)
        }
    }

    private static func text(of value: JSONContent) -> String {
        switch value {
        case .string(let text): return text.text
        case .array(let items): return "[\(items.compactMap(\.text).joined(separator: ", "))]"
        default: return value.line
        }
    }
}

/// Expectations about the claims of a token by name, in the order of the file.
struct ClaimExpectations: Sendable {
    private var claims: [(name: String, value: ClaimExpectation)] = []

    var isEmpty: Bool { claims.isEmpty }
    var texts: [String] { claims.map { "\($0.name): \($0.value)" } }

    /// The first claim that differs, with its actual value.
    func mismatch(_ value: (String) -> JSONContent?) -> String? {
        for claim in claims {
            if let actual = claim.value.mismatch(value(claim.name)) { return "\(claim.name): \(actual)" }
        }
        return nil
    }

    /// Reads them, if there are some.
    ///
    /// - Parameters:
    ///   - fields: The token; its `claims` are taken.
    ///   - names: The names that there are; `nil` if any claim will do.
    ///   - loader: Gets what is wrong.
    init(_ fields: inout DocumentMapping, named names: [String]?, _ loader: inout CheckLoader) {
        guard let node = fields.take("claims"), var claims = loader.reader.mapping(node, "`claims`") else { return }
        if claims.entries.isEmpty { loader.reader.error("`claims` has nothing to check", at: node.position) }
        for entry in claims.entries where names?.contains(entry.key) ?? true {
            let value = ClaimExpectation.load(entry, isOfApp: names == nil, loader.names, &loader.reader)
            if let value { self.claims.append((entry.key, value)) }
        }
        claims.allow(names ?? claims.entries.map(\.key))
        claims.finish(&loader.reader)
    }
}

// MARK: Loading

extension ClaimExpectation {
    /// The claims of tokens.
    static let names = ["exp", "did", "arc", "ip", "iss", "aud", "anno", "pay", "mskid", "imh", "dmh", "mpk"]

    // The claims that are written in a form of their own.
    private static let formedNames = ["exp", "anno", "pay"]

    /// `none`, `any`, or a text.
    init(_ text: String) { self = text == "none" ? .absent : text == "any" ? .present : .text(text) }

    /// The form of claims.
    static func schema(names: [String] = names, others: JSONSchema? = nil) -> JSONSchema {
        let presence = JSONSchema.words(["none", "any"])
        let claims = names.map { name -> (name: String, schema: JSONSchema) in
            switch name {
            case "exp": (name, .any(of: [presence, .instant]))
            case "anno": (name, .any(of: [presence, .list(of: RuleForms.flag)]))
            case "pay": (name, .any(of: [.text, .object([("data", .text)], required: ["data"])]))
            default: (name, others ?? .text)
            }
        }
        return .object(claims, atLeast: 1, others: others)
    }

    fileprivate static func load(
        _ entry: Node.Entry, isOfApp: Bool, _ known: ExpectedNames, _ reader: inout DocumentReader
    ) -> ClaimExpectation? {
        let (node, what) = (entry.value, entry.key.quoted)
        if case .scalar(let text, _) = node.content, text == "none" || text == "any" { return ClaimExpectation(text) }
        // R21.3: a claim of the app's is of any JSON type.
        if isOfApp, !formedNames.contains(entry.key) { return .json(JSONContent(node)) }
        switch entry.key {
        case "exp": return reader.instant(node, what).map { .instant($0) }
        case "anno":
            guard let texts = reader.texts(node, what) else { return nil }
            for (flag, position) in texts { known.checkFlag(flag, at: position, &reader) }
            return .texts(Set(texts.map(\.text)))
        case "pay":
            guard case .mapping = node.content else { return reader.text(node, what).map { .text($0) } }
            guard var fields = reader.mapping(node, what) else { return nil }
            let data = fields.require("data", &reader).flatMap { reader.text($0, "`data`") }
            fields.finish(&reader)
            return data.map { .text(TokenClaims.hash(of: $0)) }
        default: return reader.text(node, what).map { .text($0) }
        }
    }
}

extension JSONContent {
    /// The document on one line.
    fileprivate var line: String {
        var json = JSONBytes()
        writeSorted(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// True if two documents are equal: numbers by their value, and members in any order.
    fileprivate func isSame(as other: JSONContent) -> Bool {
        switch (self, other) {
        case (.number(let own), .number(let others)): DecimalNumber(own) == DecimalNumber(others)
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let own), .object(let others)):
            own.count == others.count
                && own.allSatisfy { member in other[member.name].map { member.value.isSame(as: $0) } ?? false }
        default: self == other
        }
    }
}

/// A number of a JSON document by its value, so that `1.50` and `15e-1` are equal: digits, and where their point is.
private struct DecimalNumber: Equatable {
    private let isNegative: Bool
    private let digits: [UInt8]
    // The power of ten of the last digit.
    private let exponent: Int

    init(_ text: String) {
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        let number = parts[0].split(separator: UInt8(ascii: "."))
        let (whole, fraction) = (number[0].filter(\.isDigit), number.count > 1 ? Array(number[1]) : [])
        let significant = (whole + fraction).drop { $0 == UInt8(ascii: "0") }
        let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        guard let written = parts.count > 1 ? Int32(Substring(parts[1])) : 0 else {
            // A number whose exponent is out of range is compared as it is written.
            (isNegative, digits, exponent) = (false, Array(text.utf8), 0)
            return
        }
        digits = Array(significant.dropLast(zeros))
        isNegative = text.hasPrefix("-") && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : Int(written) + zeros - fraction.count
    }
}
