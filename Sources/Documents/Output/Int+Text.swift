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

    /// The number and what it counts: `1 device`, `2,000 devices`.
    ///
    /// - Parameter nouns: The plural, which ends with an s.
    package func counted(_ nouns: String) -> String { "\(grouped) \(self == 1 ? String(nouns.dropLast()) : nouns)" }

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
