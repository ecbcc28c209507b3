internal import PolicyEngine

/// What a claim of a token must be.
enum ClaimExpectation: Hashable, Sendable, CustomStringConvertible {
    /// Not there.
    case absent
    /// There, whatever it is.
    case present
    case text(String)
    case instant(Instant)
    /// Just these texts, in any order.
    case texts(Set<String>)

    var description: String {
        switch self {
        case .absent: "none"
        case .present: "any"
        case .text(let text): text
        case .instant(let instant): "\(instant)"
        case .texts(let texts): "[\(texts.sorted().joined(separator: ", "))]"
        }
    }

    /// What a claim is instead, in words.
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
        case (.texts(let texts), .array(let items)) where Set(items.compactMap(\.text)) == texts: return nil
        default: return Self.text(of: value)
        }
    }

    private static func text(of value: JSONContent) -> String {
        switch value {
        case .string(let text): return text.text
        case .array(let items): return "[\(items.compactMap(\.text).joined(separator: ", "))]"
        default:
            var json = JSONBytes()
            value.writeSorted(to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }
}
