internal import PolicyEngine

/// The exponent of Zipf's law, exact to three decimals, as it was written.
struct ZipfExponent: Hashable, Sendable {
    /// Thousandths: 0 through 10 000.
    let thousandths: UInt64

    /// All devices alike.
    static let zero = ZipfExponent(thousandths: 0)

    /// The greatest exponent; the second device is then a thousand times rarer than the first.
    private static let limit: UInt64 = 10_000

    private init(thousandths: UInt64) {
        self.thousandths = thousandths
    }

    /// Reads a plain decimal number such as `1.1`.
    ///
    /// - Parameter text: Digits, optionally a point and up to three more digits.
    /// - Returns: `nil` when it has another form or lies above 10.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first.flatMap({ Self.number($0, digits: 1...2) }) else { return nil }
        var fraction: UInt64 = 0
        if parts.count == 2 {
            guard let digits = Self.number(parts[1], digits: 1...3) else { return nil }
            fraction = digits * [100, 10, 1][parts[1].count - 1]
        }
        guard whole * 1000 + fraction <= Self.limit else { return nil }
        thousandths = whole * 1000 + fraction
    }

    private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> UInt64? {
        guard digits.contains(text.count), text.allSatisfy(\.isDigit) else { return nil }
        return text.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    }
}
