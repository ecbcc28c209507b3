internal import PolicyEngine

/// An expectation about a token that a fetch brought: the token itself, as a backend would get it.
struct TokenExpectation: Sendable {
    /// The domain that the fetch names; `nil` for a token that is for none (R21.3).
    let domain: String?
    /// True if the token was asked for with a measurement (R22.1).
    var isMeasured = false
    var algorithm: String?
    var keyID: ClaimExpectation?
    /// True if the domain's key is expected to verify it; `nil` if nothing is expected.
    var isValid: Bool?
    /// By name, in the order of the file.
    var claims: [(name: String, value: ClaimExpectation)] = []

    /// The expectation, in words.
    var text: String {
        let parts = [
            algorithm.map { "alg: \($0)" }, keyID.map { "kid: \($0)" },
            isValid.map { "signature: \($0 ? "valid" : "invalid")" },
        ]
        return (parts.compactMap { $0 } + claims.map { "\($0.name): \($0.value)" }).joined(separator: ", ")
    }

    /// The first part of a token that differs, with its actual value.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - key: The key of its domain.
    ///   - time: When it was issued.
    /// - Returns: `nil` where everything holds.
    func mismatch(_ token: String, key: TokenKey, at time: Instant) -> String? {
        do throws(TokenError) {
            let verifier = TokenVerifier(key: key)
            let isSound = Self.isVerified(token, by: verifier, at: time)
            if let isValid, isSound != isValid { return "signature: \(isSound ? "valid" : "invalid")" }
            if let algorithm, key.algorithm.rawValue != algorithm { return "alg: \(key.algorithm.rawValue)" }
            if let keyID, let actual = keyID.mismatch(key.id.map { .string(ExactText($0)) }) { return "kid: \(actual)" }
            let content = try ReceivedClaims.issued(token, with: key)
            for (name, value) in claims {
                if let actual = value.mismatch(content.value(of: name)) { return "\(name): \(actual)" }
            }
            return nil
        } catch {
            return "a token that cannot be read: \(error)"
        }
    }

    private static func isVerified(_ token: String, by verifier: TokenVerifier, at time: Instant) -> Bool {
        do throws(TokenError) {
            _ = try verifier.claims(of: token, at: time)
            return true
        } catch {
            return false
        }
    }
}

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
