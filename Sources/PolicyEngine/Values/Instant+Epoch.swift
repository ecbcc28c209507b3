extension Instant {
    /// Reads a number of seconds, milliseconds, microseconds or nanoseconds since 1970, as logs have them.
    ///
    /// The magnitude says the unit. Each unit counts for the times from 1973-03-03 to 2286-11-20 (10⁸ to 10¹⁰ seconds), so that no
    /// number has two meanings, and one of another kind, such as the date `20200723`, is none. A fraction is cut off.
    ///
    /// - Parameter digits: A number as JSON has it, such as `1595502643.250`; `nil` for one with a sign or an exponent.
    package init?(epoch digits: some StringProtocol) {
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }), let number = UInt64(parts[0]),
            let unit = Self.unitsPerSecond.first(where: { Self.seconds.contains(number / $0) })
        else { return nil }
        self.init(secondsSinceEpoch: Int(number / unit))
    }

    private static let unitsPerSecond: [UInt64] = [1, 1000, 1_000_000, 1_000_000_000]
    private static let seconds: Range<UInt64> = 100_000_000..<10_000_000_000
}
