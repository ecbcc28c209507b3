/// A name that a ``PseudonymKey`` made, such as `zvfcnrj3cur4`; names are in the order of their texts.
package struct Pseudonym: Hashable, Sendable {
    // Five bits for each character.
    private let number: UInt64

    /// The length of a name, in characters: 60 bits, so that even ten million names mostly differ.
    private static let length = 12
    // In the order of ASCII.
    private static let digits = Array("234567abcdefghijklmnopqrstuvwxyz".utf8)

    /// The name at the beginning of an authentication code. Five bits of a byte make a character, of which the letters come first.
    init(_ code: [UInt8]) {
        number = code.prefix(Self.length).reduce(0) { $0 << 5 | UInt64(($1 & 31) &+ 6) % 32 }
    }

    /// The name as text.
    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the text of the name to some bytes.
    package func append(to bytes: inout [UInt8]) {
        for place in (0..<Self.length).reversed() { bytes.append(Self.digits[Int(number >> UInt64(5 * place) & 31)]) }
    }

    /// True if a text has the form of a name.
    static func isOne(_ text: String) -> Bool {
        text.utf8.count == length && text.utf8.allSatisfy(digits.contains)
    }
}

extension Pseudonym: Comparable {
    package static func < (left: Pseudonym, right: Pseudonym) -> Bool { left.number < right.number }
}
