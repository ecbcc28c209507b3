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

    /// This as a share of a total, rounded half up: `12.5 %`.
    package func share(of total: Int) -> String {
        guard total > 0 else { return "–" }
        let tenths = (self * 2000 + total) / (2 * total)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}
