internal import Accounts
internal import Documents
internal import PolicyEngine

/// An expectation about a claim of a token.
enum ClaimExpectation: Hashable, Sendable, CustomStringConvertible {
    /// The claim is missing.
    case absent
    /// The claim is there, whatever it is.
    case present
    case text(String)
    case instant(Instant)
    /// The claim has just these texts, in any order.
    case texts(Set<String>)
    /// The claim has this value of whatever type, its members in any order (R21.3).
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
    fileprivate var claims: [(name: String, value: ClaimExpectation)] = []

    var isEmpty: Bool { claims.isEmpty }
    var texts: [String] { claims.map { "\($0.name): \($0.value)" } }

    /// The first claim that differs, with its actual value.
    func mismatch(_ value: (String) -> JSONContent?) -> String? {
        for claim in claims {
            if let actual = claim.value.mismatch(value(claim.name)) { return "\(claim.name): \(actual)" }
        }
        return nil
    }
}

extension ValueForm<ClaimExpectations> {
    /// Claims of a token.
    ///
    /// - Parameters:
    ///   - names: The names that there are; `nil` if any claim will do, of any JSON type (R21.3).
    ///   - known: The names that their values may have.
    static func claims(_ names: [String]?, _ known: ExpectedNames) -> ValueForm {
        let own: ValueForm<ClaimExpectation> = names == nil ? .json : .text
        let formed = ClaimExpectation.forms(known)
        let forms = (names ?? ClaimExpectation.names).map { (name: $0, form: formed[$0] ?? own) }
        let schema = JSONSchema.object(
            forms.map { name, form in
                (name, ClaimExpectation.help(on: name).map(form.schema.described) ?? form.schema)
            }, atLeast: 1, others: names == nil ? own.schema : nil)
        return ValueForm(schema) { node, what, reader in
            guard var mapping = reader.mapping(node, what) else { return nil }
            if mapping.entries.isEmpty { reader.error("\(what) has nothing to check", at: node.position) }
            var all = ClaimExpectations()
            for entry in mapping.entries where names?.contains(entry.key) ?? true {
                let form = forms.first { $0.name == entry.key }?.form ?? own
                let value = form.read(entry.value, entry.key.quoted, &reader)
                if let value { all.claims.append((entry.key, value)) }
            }
            mapping.allow(names ?? mapping.entries.map(\.key))
            mapping.finish(&reader)
            return all
        }
    }
}

extension ValueForm<ClaimExpectation> {
    /// `none`, `any`, or a text.
    static var text: ValueForm { ValueForm<String>.text.map { ClaimExpectation($0) } }

    // `none`, `any`, or any JSON.
    fileprivate static var json: ValueForm {
        ValueForm(.anything) { node, _, _ in presence(node) ?? .json(JSONContent(node)) }
    }

    // `none`, `any`, or a value of another form.
    fileprivate static func presence(or form: ValueForm) -> ValueForm {
        ValueForm(.any(of: [.words(["none", "any"]), form.schema])) { node, what, reader in
            presence(node) ?? form.read(node, what, &reader)
        }
    }

    private static func presence(_ node: Node) -> ClaimExpectation? {
        node.text.flatMap { ["none", "any"].contains($0) ? ClaimExpectation($0) : nil }
    }
}

// MARK: Forms

extension ClaimExpectation {
    /// The claims of tokens.
    static let names = ofTokens.map(\.name)

    // The claims that backends see, each with a sentence for people.
    private static let ofTokens = [
        (name: "exp", help: "The time at which the token expires."),
        (name: "did", help: "The ID of the device."),
        (name: "arc", help: "The attestation response code."),
        (name: "ip", help: "The address of the client."),
        (name: "iss", help: "The issuer."),
        (name: "aud", help: "The audience: the API domain."),
        (name: "anno", help: "The flags that the token names."),
        (name: "pay", help: "The hash of the data that the token is bound to, or the data."),
        (name: "mskid", help: "The name of the key that signs messages."),
        (name: "imh", help: "The measurement of the app's integrity."),
        (name: "dmh", help: "The measurement of the device."),
        (name: "mpk", help: "The key of the measurement's proof."),
    ]

    /// The sentence on a claim of a token, or of what apps may log of one; `nil` for one of the app's own.
    fileprivate static func help(on name: String) -> String? {
        (ofTokens + [("sip", "The first characters of the signature.")]).first { $0.name == name }?.help
    }

    /// `none`, `any`, or a text.
    init(_ text: String) { self = text == "none" ? .absent : text == "any" ? .present : .text(text) }

    // The claims that are written in a form of their own. Of data that tokens are bound to, the claim has the hash.
    fileprivate static func forms(_ known: ExpectedNames) -> [String: ValueForm<ClaimExpectation>] {
        let flag = ValueForm<String>.text.described(by: RuleForms.flag).flatMap { name, node, _, reader in
            known.checkFlag(name, at: node.position, &reader)
            return name
        }
        let data = ValueForm<String>.mapping("", [.required("data", \.self, .text, "The data whose hash is compared.")])
        let instant = ValueForm<ClaimExpectation>(.instant) { $2.instant($0, $1).map { .instant($0) } }
        return [
            "exp": .presence(or: instant),
            "anno": .presence(or: ValueForm.texts(of: flag).map { .texts(Set($0)) }),
            "pay": .text.or(mapping: data.map { .text(TokenClaims.hash(of: $0)) }),
        ]
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
