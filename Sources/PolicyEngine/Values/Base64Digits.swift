/// Tells the digits of base64, `A–Z a–z 0–9 + /`, eight bytes at a time.
enum Base64Digits {
    /// Whether each byte of a word is a digit.
    static func areAll(_ word: UInt64) -> Bool {
        let letters = bytes(of: word | each(0x20), from: "a", through: "z")
        // `/` stands before `0`.
        let others = bytes(of: word, from: "/", through: "9") | bytes(of: word, from: "+", through: "+")
        return (letters | others) & ~word & each(0x80) == each(0x80)
    }

    // The highest bit of each byte tells whether it lies in a range; only of bytes below 0x80.
    private static func bytes(of word: UInt64, from first: Unicode.Scalar, through last: Unicode.Scalar) -> UInt64 {
        let low = word & each(0x7F)
        let isAtLeastFirst = low + each(0x80 - UInt8(ascii: first))
        let isBeyondLast = low + each(0x7F - UInt8(ascii: last))
        return isAtLeastFirst & ~isBeyondLast
    }

    private static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
