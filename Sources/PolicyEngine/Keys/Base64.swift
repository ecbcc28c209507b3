/// Base64 in both of its alphabets (RFC 4648), read strictly: one text for one list of bytes.
package enum Base64 {
    /// The alphabets.
    package enum Alphabet: Hashable, Sendable {
        /// `+` and `/`, with `=` up to a multiple of four characters.
        case standard
        /// `-` and `_`, without `=` (RFC 7515, 2).
        case url
    }

    private static let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let standard = Array((common + "+/").utf8)
    private static let url = Array((common + "-_").utf8)

    /// The text of some bytes.
    package static func text(of bytes: [UInt8], _ alphabet: Alphabet = .standard) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text, alphabet)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of some bytes.
    ///
    /// - Complexity: O(number of bytes); about a nanosecond for each.
    static func append(_ bytes: [UInt8], to text: inout [UInt8], _ alphabet: Alphabet = .url) {
        let digits = alphabet == .url ? url : standard
        let (start, whole) = (text.count, bytes.count / 3)
        text.append(contentsOf: repeatElement(0, count: whole * 4))
        // Spans, since an array asks for each byte whether it is the only one.
        var output = text.mutableSpan
        let (input, alphabetBytes) = (bytes.span, digits.span)
        for group in 0..<whole {
            let (source, target) = (3 * group, start + 4 * group)
            let word = Int(input[source]) << 16 | Int(input[source + 1]) << 8 | Int(input[source + 2])
            output[target] = alphabetBytes[word >> 18]
            output[target + 1] = alphabetBytes[word >> 12 & 63]
            output[target + 2] = alphabetBytes[word >> 6 & 63]
            output[target + 3] = alphabetBytes[word & 63]
        }
        appendRest(bytes[(3 * whole)...], to: &text, digits)
        if alphabet == .standard { text += repeatElement(UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3) }
    }

    private static func appendRest(_ rest: ArraySlice<UInt8>, to text: inout [UInt8], _ digits: [UInt8]) {
        guard let first = rest.first else { return }
        let second = rest.dropFirst().first
        let word = Int(first) << 16 | Int(second ?? 0) << 8
        text.append(digits[word >> 18])
        text.append(digits[word >> 12 & 63])
        if second != nil { text.append(digits[word >> 6 & 63]) }
    }

    /// The bytes of a text.
    ///
    /// - Returns: `nil` for any other character, for a missing or needless `=`, and for a last digit with bits that no
    ///   byte has.
    /// - Complexity: O(length).
    package static func bytes(of text: String, _ alphabet: Alphabet = .standard) -> [UInt8]? {
        bytes(of: Array(text.utf8)[...], alphabet)
    }

    /// The bytes of a text that is part of another.
    static func bytes(of text: ArraySlice<UInt8>, _ alphabet: Alphabet = .url) -> [UInt8]? {
        var digits = text
        if alphabet == .standard {
            guard text.count.isMultiple(of: 4) else { return nil }
            for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
        }
        guard digits.count % 4 != 1 else { return nil }
        var (bytes, word, bits): ([UInt8], Int, Int) = ([], 0, 0)
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        for digit in digits {
            guard let value = value(of: digit, alphabet) else { return nil }
            word = (word << 6 | value) & 0xFFFF
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        }
        return word & (1 << bits - 1) == 0 ? bytes : nil
    }

    private static func value(of digit: UInt8, _ alphabet: Alphabet) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+") where alphabet == .standard, UInt8(ascii: "-") where alphabet == .url: 62
        case UInt8(ascii: "/") where alphabet == .standard, UInt8(ascii: "_") where alphabet == .url: 63
        default: nil
        }
    }
}
