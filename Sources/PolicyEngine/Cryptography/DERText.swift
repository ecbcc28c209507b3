/// Bytes in DER (X.690): what keys are handed over in.
enum DERText {
    /// A whole number that is not negative, given big-endian.
    static func integer(_ number: [UInt8]) -> [UInt8] {
        let digits = number.drop { $0 == 0 }
        // A first bit would make it negative, and none at all is no number.
        let needsZero = (digits.first ?? 0x80) >= 0x80
        return element(0x02, (needsZero ? [0] : []) + digits)
    }

    /// Several elements one after the other.
    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(0x30, Array(elements.joined())) }

    /// Bytes as they are.
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }

    /// Bytes as bits, all of them used.
    static func bits(_ bytes: [UInt8]) -> [UInt8] { element(0x03, [0] + bytes) }

    /// The null value, for a part that must not be left out.
    static let null: [UInt8] = element(0x05, [])

    /// An element with a number of its own within its sequence.
    static func tagged(_ number: UInt8, _ element: [UInt8]) -> [UInt8] { Self.element(0xA0 | number, element) }

    /// An element that is named by a registered number.
    ///
    /// - Parameter bytes: The encoded number.
    static func identifier(_ bytes: [UInt8]) -> [UInt8] { element(0x06, bytes) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) }.drop { $0 == 0 }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}
