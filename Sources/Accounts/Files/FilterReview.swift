package import Documents
package import PolicyEngine

/// Warns about filters that can never match because of a typing error: a protection that is none.
package struct FilterReview: Sendable {
    // The positions of filters in files; a filter that was added by a command has none.
    private var origins: [Filter: (source: SourceFile, position: SourcePosition)] = [:]

    package init() {}

    /// Notes the positions of an account's filters.
    ///
    /// - Parameters:
    ///   - account: The account as it was read.
    ///   - node: Its mapping.
    ///   - source: The file that this is in.
    package mutating func note(_ account: Account, at node: Node, in source: SourceFile) {
        guard case .sequence(let entries)? = node["filters"]?.content else { return }
        for entry in entries {
            guard let name = entry["name"], let text = name.text,
                let filter = account.filters.first(where: { $0.name == text })
            else { continue }
            if origins[filter] == nil { origins[filter] = (source, name.position) }
        }
    }

    /// A warning for each mistake, at the filter's position in its file if it has one. What can be said of a filter alone, the
    /// command said that added it.
    ///
    /// - Parameters:
    ///   - filters: The filters of any account.
    ///   - attributes: The attributes of the devices or records; they are known by any name.
    package func warnings(on filters: [Filter], attributes: Set<ExactText>) -> [Diagnostic] {
        filters.flatMap { filter in
            let unknownKey = Self.unknownKey(of: filter, attributes: attributes)
            guard let (source, position) = origins[filter] else {
                return [unknownKey].compactMap(\.self).map { finding in
                    Diagnostic(
                        severity: .warning, file: "filter \(filter.name)", message: finding.message,
                        hint: finding.hint)
                }
            }
            return [unknownKey, Self.neverMatching(filter)].compactMap(\.self).map { finding in
                Diagnostic(severity: .warning, in: source, at: position, message: finding.message, hint: finding.hint)
            }
        }
    }

    /// A mistake in a filter, and a hint.
    package struct Finding {
        package let message: String
        package let hint: String?

        /// Both in one line.
        var sentence: String { ([message] + [hint].compactMap(\.self)).joined(separator: "; ") }
    }

    /// A key that neither the service nor any device here has.
    package static func unknownKey(of filter: Filter, attributes: Set<ExactText>) -> Finding? {
        guard let key = filter.key, !InformationKeys.filterable.contains(where: { ExactText($0) == ExactText(key) }),
            !attributes.contains(ExactText(key))
        else { return nil }
        return Finding(
            message: "filter \(filter.name.quoted) looks at \(key.quoted), which no device is known to have",
            hint: Suggestion.hint(for: key, among: InformationKeys.filterable))
    }

    /// A value that no device ever has.
    static func neverMatching(_ filter: Filter) -> Finding? {
        guard case .exact(let key, let value) = filter.test, let reason = reason(noValueOf: key, is: value) else {
            return nil
        }
        return Finding(message: neverMatches(filter, because: reason), hint: key == "ip" ? addressHint : valueHint)
    }

    private static let addressHint = "`match` compares one exact address; `regex` can match several"
    private static let valueHint = "`match` compares one exact value; `regex` can match several"

    /// The message that a filter can never match.
    package static func neverMatches(_ filter: Filter, because reason: String) -> String {
        "filter \(filter.name.quoted) can never match: \(reason)"
    }

    /// The reason why no value of a key is ever a text, if the text looks like one that was meant to match.
    package static func reason(noValueOf key: String, is value: String) -> String? {
        if key == "ip", let reason = reason(noAddressIs: value) { return reason }
        if key == "app-cert", Account.shortenedFingerprint(value) == nil {
            return "\(value.quoted) is not a fingerprint, whose bytes are joined by colons"
        }
        if InformationKeys.flags.contains(key) { return reason(noFlagsAre: value) }
        // A user property may be any text.
        guard key != "user-property", isPattern(value) else { return nil }
        return "\(value.quoted) looks like a pattern, but an exact match compares whole values"
    }

    private static func reason(noFlagsAre value: String) -> String? {
        let flags = FlagCatalogue().declaredNames
        let known = NameLikeness(flags)
        for name in value.split(separator: ",").map(String.init) where !flags.contains(name) {
            if let meant = known.name(like: name) { return "\(name.quoted) is written \(meant.quoted)" }
        }
        return nil
    }

    private static func isPattern(_ value: String) -> Bool {
        value.utf8.first == UInt8(ascii: "^") || value.utf8.last == UInt8(ascii: "$")
            || value.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "\\") }
    }

    private static func reason(noAddressIs value: String) -> String? {
        if value.utf8.first.map(isBlank) == true || value.utf8.last.map(isBlank) == true {
            return "\(value.quoted) has blanks around it, and no address has"
        }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        let isNetwork =
            parts.count == 2 && (parts[0].contains(".") || parts[0].contains(":")) && !parts[1].isEmpty
            && parts[1].allSatisfy { $0.isASCII && $0.isNumber || $0 == "." }
        if isNetwork { return "\(value.quoted) is a network, but an exact match compares single addresses" }
        let numbers = value.split(separator: ".", omittingEmptySubsequences: false)
        let isPart =
            numbers.count > 1 && numbers.count < 5 && value.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
        guard isPart, numbers.count < 4 || numbers.contains("") else { return nil }
        return "\(value.quoted) is a part of an address, but an exact match compares whole ones"
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") }
}
