/// The alphabet of base32 (RFC 4648): `A` through `Z` are 0 through 25, `2` through `7` are 26 through 31.
///
/// One character a numeral, without padding.
enum Base32 {
    /// The number of different numerals.
    static let radix = 32
    /// The bits of a numeral.
    static let width = 5
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Writes numerals as text.
    ///
    /// - Parameter numerals: Each 0 through 31.
    /// - Returns: Upper-case letters and digits, as many as there are numerals.
    static func text(of numerals: [UInt16]) -> String {
        String(decoding: numerals.map { alphabet[Int($0)] }, as: UTF8.self)
    }

    /// Reads text as numerals.
    ///
    /// - Parameter text: Letters of either case and digits; nothing is guessed, so `0` is not an `O` (R12.3).
    /// - Returns: `nil` when any character is outside the alphabet.
    static func numerals(of text: String) -> [UInt16]? {
        var numerals: [UInt16] = []
        for byte in text.utf8 {
            guard let numeral = numeral(of: byte) else { return nil }
            numerals.append(numeral)
        }
        return numerals
    }

    private static func numeral(of byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt16(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt16(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt16(byte - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
