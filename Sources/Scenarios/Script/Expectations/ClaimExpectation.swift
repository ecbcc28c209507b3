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

    /// The form of them.
    ///
    /// - Parameters:
    ///   - names: The names that there are; `nil` if any claim will do.
    ///   - known: The names that their values may have.
    static func form(_ names: [String]?, _ known: ExpectedNames?) -> ValueForm<ClaimExpectations> {
        ValueForm(ClaimExpectation.schema(names)) { node, what, reader in
            guard var mapping = reader.mapping(node, what) else { return nil }
            if mapping.entries.isEmpty { reader.error("\(what) has nothing to check", at: node.position) }
            var all = ClaimExpectations()
            for entry in mapping.entries where names?.contains(entry.key) ?? true {
                let value = ClaimExpectation.load(entry, isOfApp: names == nil, known, &reader)
                if let value { all.claims.append((entry.key, value)) }
            }
            mapping.allow(names ?? mapping.entries.map(\.key))
            mapping.finish(&reader)
            return all
        }
    }
}

extension CheckLoader {
    /// The domain for which the fetches of the step get tokens; `nil` for none.
    var domain: String? { step.domain.flatMap(RequestedDomain.domain) }

    /// True if tokens are asked for with a measurement (R22.1).
    var asksForMeasurement: Bool { step.domain.map(RequestedDomain.asksForMeasurement) ?? false }

    /// Reads a check of a token; `nil` after noting an error.
    ///
    /// - Parameters:
    ///   - entry: The key and its value.
    ///   - check: The check of which nothing is read.
    ///   - isOneToken: True if a fetch brings one token; one without a domain does not.
    ///   - fields: What is expected.
    mutating func tokenCheck<Check: FetchCheck>(
        _ entry: Node.Entry, _ check: Check, isOneToken: Bool, _ fields: [Field<Check>]
    ) -> Check? {
        let what = entry.key.quoted
        guard let mapping = reader.mapping(entry.value, what) else { return nil }
        guard isOneToken else {
            reader.error("\(what) needs a domain", at: mapping.position, hint: "add `domain` to the `fetch`")
            return nil
        }
        if mapping.entries.isEmpty { reader.error("\(what) has nothing to check", at: mapping.position) }
        return fields.read(entry.value, what, from: check, &reader)
    }
}

extension ValueForm<ClaimExpectation> {
    /// `none`, `any`, or a text.
    static var text: ValueForm {
        ValueForm(.text) { node, what, reader in reader.text(node, what).map { ClaimExpectation($0) } }
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

    // The form of claims of these names, or of any.
    fileprivate static func schema(_ names: [String]?) -> JSONSchema {
        let others: JSONSchema? = names == nil ? .anything : nil
        let presence = JSONSchema.words(["none", "any"])
        let claims = (names ?? Self.names).map { name -> (name: String, schema: JSONSchema) in
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
        _ entry: Node.Entry, isOfApp: Bool, _ known: ExpectedNames?, _ reader: inout DocumentReader
    ) -> ClaimExpectation? {
        let (node, what) = (entry.value, entry.key.quoted)
        if case .scalar(let text, _) = node.content, text == "none" || text == "any" { return ClaimExpectation(text) }
        // R21.3: a claim of the app's is of any JSON type.
        if isOfApp, !formedNames.contains(entry.key) { return .json(JSONContent(node)) }
        switch entry.key {
        case "exp": return reader.instant(node, what).map { .instant($0) }
        case "anno":
            guard let texts = reader.texts(node, what) else { return nil }
            for (flag, position) in texts { known?.checkFlag(flag, at: position, &reader) }
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
