extension Int {
    /// The digits with a separator between thousands: `1,234,567`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = ""
        for (offset, digit) in digits.enumerated() {
            if offset > 0, (digits.count - offset) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return self < 0 ? "-" + text : text
    }

    /// The number of things, with their noun: `1 device`, `1,234 devices`.
    package func counting(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

    /// The word that agrees with this number of things: `is` or `are`.
    package func agreeing(_ one: String, _ many: String) -> String { self == 1 ? one : many }

    /// This as a share of a total, rounded half up: `12.5 %`.
    package func share(of total: Int) -> String {
        guard total > 0 else { return "–" }
        let tenths = scaled(by: 1000, over: total)
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// This times a factor, divided by a whole, and rounded half up; no product overflows, and a result that is too large for
    /// an `Int` is the largest one.
    ///
    /// - Parameters:
    ///   - factor: Any number.
    ///   - whole: More than 0.
    package func scaled(by factor: Int, over whole: Int) -> Int {
        let doubled = Int128(self) * Int128(factor) * 2 + Int128(whole)
        return Int(clamping: doubled / (2 * Int128(whole)))
    }
}

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
