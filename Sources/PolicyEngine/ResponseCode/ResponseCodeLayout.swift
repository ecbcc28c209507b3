/// The layout of a response code before it is enciphered, the most significant bit first: one bit for passed, a bit for each
/// flag in catalogue order, and check bits, which are zero (R12.2).
struct ResponseCodeLayout: Sendable {
    /// Without a flag from the 40th on: 10 characters, 39 flags, 10 check bits.
    static let short = ResponseCodeLayout(length: 10, flagCount: 39)
    /// With one: 16 characters, 63 flags, 16 check bits.
    static let long = ResponseCodeLayout(length: 16, flagCount: 63)

    /// The characters of a code.
    let length: Int
    /// The number of flags that have a bit.
    let flagCount: Int

    /// The number of zeros that follow the flags.
    var checkBitCount: Int { bitCount - 1 - flagCount }

    /// The flags that have a bit.
    var flags: FlagSet { FlagSet(first: flagCount) }

    private var bitCount: Int { length * Base32.width }

    /// The layout of a code for these flags (R12.1).
    ///
    /// - Parameter flags: Flags that have a bit in ``long``.
    static func layout(for flags: FlagSet) -> ResponseCodeLayout {
        short.flags.isSuperset(of: flags) ? short : long
    }

    /// The layout of the codes of a length, if there are any.
    static func layout(ofLength length: Int) -> ResponseCodeLayout? {
        [short, long].first { $0.length == length }
    }

    /// Puts a meaning into numerals.
    ///
    /// - Parameter meaning: Verdict and flags, each of which has a bit.
    /// - Returns: ``length`` numerals.
    func numerals(of meaning: ResponseMeaning) -> [UInt16] {
        // Flags count from the least significant bit, codes from the most significant one.
        let encoded = meaning.flags.bits.bitReversed &>> UInt128(Flag.limit - flagCount)
        var bits = (meaning.passed ? passedBit : 0) | encoded &<< UInt128(checkBitCount)
        var numerals = [UInt16](repeating: 0, count: length)
        for index in numerals.indices.reversed() {
            numerals[index] = UInt16(truncatingIfNeeded: bits) & UInt16(Base32.radix - 1)
            bits &>>= UInt128(Base32.width)
        }
        return numerals
    }

    /// Reads a meaning from numerals.
    ///
    /// - Parameter numerals: ``length`` numerals.
    /// - Returns: `nil` when a check bit is set.
    func meaning(of numerals: [UInt16]) -> ResponseMeaning? {
        var bits: UInt128 = 0
        for numeral in numerals { bits = bits &<< UInt128(Base32.width) | UInt128(numeral) }
        guard bits.trailingZeroBitCount >= checkBitCount else { return nil }
        let encoded = (bits & ~passedBit) &>> UInt128(checkBitCount)
        let flags = encoded.bitReversed &>> UInt128(Flag.limit - flagCount)
        return ResponseMeaning(passed: bits & passedBit != 0, flags: FlagSet(bits: flags))
    }

    private var passedBit: UInt128 { 1 &<< UInt128(bitCount - 1) }
}

extension UInt128 {
    /// The bits in the opposite order.
    fileprivate var bitReversed: UInt128 {
        var bits = byteSwapped
        for (distance, mask) in Self.swaps { bits = (bits &>> distance) & mask | (bits & mask) &<< distance }
        return bits
    }

    // Within a byte: its halves, their halves, single bits.
    private static let swaps: [(distance: UInt128, mask: UInt128)] = [
        (4, .max / 0xFF * 0x0F), (2, .max / 0xFF * 0x33), (1, .max / 0xFF * 0x55),
    ]
}
