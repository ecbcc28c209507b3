extension [UInt8] {
    /// Bytes from pairs of hexadecimal digits; anything else is a mistake in the test.
    init(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        precondition(digits.count == text.count && text.count.isMultiple(of: 2), "pairs of hexadecimal digits")
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// The bytes as lower-case hexadecimal digits.
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
