internal import Documents
internal import PolicyEngine

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
