package import Documents
package import PolicyEngine

/// Values of the rules, as documents write them.
extension DocumentReader {
    /// Reads an RFC 3339 timestamp.
    package mutating func instant(_ node: Node, _ what: String) -> Instant? {
        guard let text = text(node, what) else { return nil }
        if let instant = Instant(rfc3339: text) { return instant }
        let isDate = Instant(rfc3339: text + "T00:00:00Z") != nil
        let isWithoutOffset = Instant(rfc3339: text + "Z") != nil
        let completed = isDate ? text + "T00:00:00Z" : isWithoutOffset ? text + "Z" : nil
        refuse(
            text, node, "\(what) must be an instant such as `2020-07-23T00:00:00Z`",
            hint: completed.map { "write \($0.quoted)" })
        return nil
    }

    /// Reads a percentage with its sign, such as `0.1%`.
    package mutating func percentage(_ node: Node, _ what: String) -> Percentage? {
        guard let text = text(node, what) else { return nil }
        if text.hasSuffix("%"), let share = Percentage(text.dropLast()) { return share }
        let hint = Percentage(text) == nil ? nil : "write \("\(text)%".quoted)"
        refuse(text, node, "\(what) must be a percentage from `0%` to `100%`", hint: hint)
        return nil
    }

    /// Reads a percentage without its sign, such as `0.1`.
    package mutating func barePercentage(_ node: Node, _ what: String) -> Percentage? {
        guard let text = text(node, what) else { return nil }
        if let share = Percentage(text) { return share }
        let isSigned = text.hasSuffix("%") && Percentage(text.dropLast()) != nil
        refuse(
            text, node, "\(what) must be a number of percent from `0` to `100`",
            hint: isSigned ? "write \(String(text.dropLast()).quoted)" : nil)
        return nil
    }
}

// The forms of values of the rules.
extension ValueForm<Instant> {
    /// An RFC 3339 timestamp.
    static var instant: ValueForm {
        ValueForm(.instant, read: { $2.instant($0, $1) })
    }
}

extension ValueForm<Percentage> {
    /// A percentage without its sign.
    static var barePercentage: ValueForm {
        ValueForm(.barePercentage, read: { $2.barePercentage($0, $1) }, write: { .text($0.decimal) })
    }
}

extension ValueForm<Int> {
    /// A duration of a day at most, in seconds.
    static var durationOfADay: ValueForm {
        ValueForm(.durationOfADay) { node, what, reader in
            guard let seconds = reader.duration(node, what) else { return nil }
            if AccountLimits.seconds.contains(seconds) { return seconds }
            reader.error("\(what) must be at most a day", at: node.position)
            return nil
        }
    }
}

extension Percentage {
    /// The number as it is written in an account: without a sign and without zeros that say nothing.
    fileprivate var decimal: String {
        let (whole, rest) = billionths.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return "\(whole)" }
        let digits = String("\(1_000_000_000 + rest)".dropFirst())
        return "\(whole).\(digits.prefix(through: digits.lastIndex { $0 != "0" } ?? digits.startIndex))"
    }
}
