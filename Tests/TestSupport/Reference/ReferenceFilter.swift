internal import PolicyEngine

/// A filter in words (R7.1).
struct ReferenceFilter: Hashable, Sendable {
    let name: String
    let test: Test
    var options: Set<Option> = []

    enum Test: Hashable, Sendable {
        case exact(key: String, value: String)
        case regex(key: String, pattern: SimplePattern)
        case conjunction([String])
    }

    enum Option: Hashable, Sendable, CaseIterable {
        case newDevicesOnly, capture, reject, ban, risky, executesFilteredPolicy
    }
}

extension Filter {
    /// The engine's filter that a reference filter describes.
    init(_ reference: ReferenceFilter) throws {
        let options = reference.options.reduce(into: Options()) { $0.insert(Self.option($1)) }
        switch reference.test {
        case .exact(let key, let value): self = try .exact(reference.name, key, value, options)
        case .regex(let key, let pattern): self = try .regex(reference.name, key, pattern.source, options)
        case .conjunction(let inputs): self = try .conjunction(reference.name, inputs, options)
        }
    }

    private static func option(_ option: ReferenceFilter.Option) -> Options {
        switch option {
        case .newDevicesOnly: .newDevicesOnly
        case .capture: .captureDeviceInformation
        case .reject: .reject
        case .ban: .ban
        case .risky: .risky
        case .executesFilteredPolicy: .executeFilteredPolicy
        }
    }
}

/// A pattern so plain that simple comparison of bytes decides it.
struct SimplePattern: Hashable, Sendable {
    var fromStart = false
    let alternatives: [String]
    var toEnd = false

    /// The pattern in the language of regular expressions.
    var source: String {
        let escaped = alternatives.map { $0.replacing(".", with: "\\.") }
        return "\(fromStart ? "^" : "")(?:\(escaped.joined(separator: "|")))\(toEnd ? "$" : "")"
    }

    /// True if it is found in a value without line breaks.
    func isFound(in value: String) -> Bool {
        alternatives.contains { isFound(Array($0.utf8), in: Array(value.utf8)) }
    }

    private func isFound(_ text: [UInt8], in value: [UInt8]) -> Bool {
        guard text.count <= value.count else { return false }
        let last = value.count - text.count
        let first = toEnd ? last : 0
        let end = fromStart ? 0 : last
        guard first <= end else { return false }
        return (first...end).contains { start in Array(value[start..<start + text.count]) == text }
    }
}
