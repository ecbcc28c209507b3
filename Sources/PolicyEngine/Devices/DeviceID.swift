/// A device ID: base64 text of 16 bytes (R1.1). Its identity is the text, so that codes which are not canonical
/// base64, such as the manual's `ExampleApproovTokenDID==`, survive a round trip.
public struct DeviceID: Hashable, BitwiseCopyable, Sendable {
    // The 22 digits; the two `=` behind them are always the same. 8 + 8 + 6 bytes, the first in the highest bits.
    let high: UInt64
    let middle: UInt64
    let low: UInt64

    /// The length of the text in bytes.
    package static let length = 24
    private static let digitCount = 22

    /// Reads a device ID.
    ///
    /// - Parameter text: 22 characters of `A–Z a–z 0–9 + /`, then `==`.
    /// - Returns: `nil` when it has another form.
    public init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, range: 0..<bytes.count)
    }

    /// Reads a device ID from bytes; allocates nothing.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that hold it.
    ///   - range: The whole ID and nothing else.
    package init?(_ bytes: Span<UInt8>, range: Range<Int>) {
        guard range.count == Self.length,
            bytes[range.lowerBound + Self.digitCount] == UInt8(ascii: "="),
            bytes[range.lowerBound + Self.digitCount + 1] == UInt8(ascii: "=")
        else { return nil }
        // The last word overlaps the one before it.
        let words = (
            bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound + 8),
            bytes.word(at: range.lowerBound + 14)
        )
        guard Base64Digits.areAll(words.0), Base64Digits.areAll(words.1), Base64Digits.areAll(words.2) else {
            return nil
        }
        (high, middle, low) = (words.0.byteSwapped, words.1.byteSwapped, words.2.byteSwapped & 0xFFFF_FFFF_FFFF)
    }

    /// Makes the canonical ID of 16 bytes.
    ///
    /// - Parameters:
    ///   - first: The first eight bytes, big-endian.
    ///   - second: The last eight bytes.
    public init(first: UInt64, second: UInt64) {
        // 22 digits of 6 bits hold 132 bits: the last digit carries four bits of padding.
        high = Base64Digits.text(of: first >> 16)
        middle = Base64Digits.text(of: (first & 0xFFFF) << 32 | second >> 32)
        low = Base64Digits.text(of: (second & 0xFFFF_FFFF) << 4) & 0xFFFF_FFFF_FFFF
    }

    /// The pseudo device that carries the filtered security policy (R1.2).
    public static let filteredPolicyText = "++FilteredSecPolicy++w=="

    /// True if this is the pseudo device of the filtered security policy, and so no device (R1.2).
    public var isFilteredPolicy: Bool {
        // The first eight bytes rule out nearly every device, without a look at the constant.
        high == 0x2B2B_4669_6C74_6572 && self == Self.filteredPolicy
    }

    private static let filteredPolicy = DeviceID(filteredPolicyText)

    /// Hands over the 24 bytes of the text, one after another; allocates nothing.
    package func forEachByte(_ body: (UInt8) -> Void) {
        // SAFETY: the bytes are read before the borrow ends.
        unsafe withText { text in
            for index in 0..<Self.length { unsafe body(text[index]) }
        }
    }

    /// One of `count` parts that devices are divided into; a device has the same one for as long as the process lives.
    package func bucket(of count: Int) -> Int {
        // A shift binds closer than a product.
        let product = (hash(seed: ByteHash.process.seed) >> 32) * UInt64(truncatingIfNeeded: count)
        return Int(truncatingIfNeeded: product >> 32)
    }

    /// Copies the 24 bytes of the text behind those of an array.
    package func append(to bytes: inout [UInt8]) {
        // SAFETY: the bytes are copied before the borrow ends.
        unsafe withText { text in unsafe bytes.append(contentsOf: text) }
    }

    // Lends the 24 bytes of the text.
    @inline(__always)
    private func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
        let padding = UInt64(UInt8(ascii: "=")) << 8 | UInt64(UInt8(ascii: "="))
        let words = (high.bigEndian, middle.bigEndian, (low << 16 | padding).bigEndian)
        // SAFETY: the words lie one behind the other.
        unsafe withUnsafeBytes(of: words, body)
    }

    /// A hash for tables in memory.
    ///
    /// - Parameter seed: That of ``ByteHash/process``.
    @inline(__always)
    package func hash(seed: UInt64) -> UInt64 {
        var mixed = (high ^ seed) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 29) ^ middle) &* 0x94D0_49BB_1331_11EB
        mixed = (mixed ^ (mixed >> 32) ^ low) &* 0xD6E8_FEB8_6659_FD93
        return mixed ^ (mixed >> 32)
    }

    /// The 16 bytes that the text stands for; `nil` if it is not the canonical text of any (R1.1).
    package var bytes: [UInt8]? {
        var (bits, index) = (UInt128(0), 0)
        var spare: UInt8 = 0
        forEachByte { byte in
            guard index < 22 else { return }
            let digit = Self.digit(byte)
            // 22 digits of 6 bits have 132 bits, of which the last four are spare.
            if index < 21 {
                bits = bits << 6 | UInt128(digit)
            } else {
                (bits, spare) = (bits << 2 | UInt128(digit >> 4), digit & 15)
            }
            index += 1
        }
        guard spare == 0 else { return nil }
        return stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt128($0)) }
    }

    private static func digit(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }
}

extension DeviceID: CustomStringConvertible {
    /// The text itself.
    public var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Recognises the digits of base64, `A–Z a–z 0–9 + /`, eight bytes at a time.
enum Base64Digits {
    /// True if each byte of a word is a digit.
    static func areAll(_ word: UInt64) -> Bool {
        let letters = bytes(of: word | each(0x20), from: "a", through: "z")
        // `/` is the character before `0`.
        let others = bytes(of: word, from: "/", through: "9") | bytes(of: word, from: "+", through: "+")
        return (letters | others) & ~word & each(0x80) == each(0x80)
    }

    /// The eight digits of 48 bits, the first in the highest byte.
    static func text(of bits: UInt64) -> UInt64 {
        // First 24 bits for each half of the word, then 12 for each quarter, then 6 for each byte.
        let halves = bits & 0xFF_FFFF | (bits >> 24) << 32
        let quarters = halves & 0x0000_0FFF_0000_0FFF | (halves & 0x00FF_F000_00FF_F000) << 4
        let values = quarters & 0x003F_003F_003F_003F | (quarters & 0x0FC0_0FC0_0FC0_0FC0) << 2
        // For each byte 1 if its value is at least that large.
        func from(_ value: UInt8) -> UInt64 { ((values + each(0x80 - value)) & each(0x80)) >> 7 }
        // `A`, and then the steps to `a`, `0`, `+` and `/`. No byte of the sum is below 0 or beyond 255.
        return values + each(65) + from(26) * 6 - from(52) * 75 - from(62) * 15 + from(63) * 3
    }

    // The highest bit of each byte says whether it lies in a range; only of bytes below 0x80.
    private static func bytes(of word: UInt64, from first: Unicode.Scalar, through last: Unicode.Scalar) -> UInt64 {
        let low = word & each(0x7F)
        let isAtLeastFirst = low + each(0x80 - UInt8(ascii: first))
        let isBeyondLast = low + each(0x7F - UInt8(ascii: last))
        return isAtLeastFirst & ~isBeyondLast
    }

    private static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
