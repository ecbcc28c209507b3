extension Instant {
    /// Reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970, as logs have them.
    ///
    /// The magnitude says the unit: below 10¹¹ it is seconds (until the year 5138), below 10¹⁴ milliseconds (from 1973 on), below
    /// 10¹⁷ microseconds, and below 10²⁰ nanoseconds. A fraction is cut off.
    ///
    /// - Parameter digits: A number as JSON has it, such as `1595502643.250`; `nil` for one with a sign or an exponent.
    package init?(epoch digits: some StringProtocol) {
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard (1...20).contains(parts[0].utf8.count), parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let number = UInt64(parts[0])
        else { return nil }
        let unit = Self.units.first { number < $0.below }
        self.init(secondsSinceEpoch: Int(number / (unit?.perSecond ?? 1_000_000_000)))
    }

    private static let units: [(below: UInt64, perSecond: UInt64)] = [
        (100_000_000_000, 1), (100_000_000_000_000, 1000), (100_000_000_000_000_000, 1_000_000),
    ]
}
