extension Double {
    /// The number with a fixed number of decimals, rounded to the nearest: `4.31`, `-0.20`.
    ///
    /// - Parameter decimals: 0 to 15; the number times that power of ten must be below 2⁶³.
    package func text(decimals: Int) -> String {
        let unit = Self.power(decimals)
        let scaled = Int((magnitude * Double(unit)).rounded())
        let digits = String(String(unit + scaled % unit).dropFirst())
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + (scaled / unit).grouped + (decimals > 0 ? "." + digits : "")
    }

    /// The number with as many decimals as a number of significant digits takes: `0.150`, `12.0`.
    ///
    /// - Parameters:
    ///   - digits: The significant digits.
    ///   - decimals: The least number of decimals.
    package func text(significantDigits digits: Int, leastDecimals decimals: Int) -> String {
        text(decimals: max(decimals, self.decimals(significantDigits: digits)))
    }

    /// A JSON number of six significant digits, without zeros at its end: `0.0430997`.
    package var sixDigits: String {
        var text = text(decimals: max(0, decimals(significantDigits: 6))).filter { $0 != "," }
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    // The decimals that the significant digits reach to; of a number far below one there are at most fifteen.
    private func decimals(significantDigits digits: Int) -> Int {
        guard magnitude > 0 else { return 0 }
        var (decimals, value) = (digits, magnitude)
        while value >= 1 { (decimals, value) = (decimals - 1, value / 10) }
        while value < 0.1, decimals < 15 { (decimals, value) = (decimals + 1, value * 10) }
        return max(0, decimals)
    }

    private static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
