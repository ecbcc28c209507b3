/// Counts how often each of some bits was set, by whole sets of bits at a time and without a branch for each bit.
///
/// The counts of the latest sets are kept as binary numbers across words: `digits.0` holds the lowest digit of every bit's
/// count, `digits.1` the next one. Example: after `0b011` and `0b001`, the lower bit was set twice and the higher one once, so
/// `digits.0` is `0b010`, and `digits.1` is `0b001`.
struct BitTally<Bits: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
    private var digits: (Bits, Bits, Bits, Bits, Bits, Bits) = (0, 0, 0, 0, 0, 0)
    // The number of sets that the digits still have room for.
    private var room = Self.capacity
    // By bit: the counts of all sets before those.
    private var counts = Array(repeating: 0, count: Bits.bitWidth)

    /// The highest number of six digits.
    private static var capacity: Int { 63 }

    /// Counts the bits of a set.
    @inline(__always)
    mutating func add(_ bits: Bits) {
        if room == 0 { spread() }
        room &-= 1
        var carry = bits
        Self.add(&carry, to: &digits.0)
        Self.add(&carry, to: &digits.1)
        Self.add(&carry, to: &digits.2)
        Self.add(&carry, to: &digits.3)
        Self.add(&carry, to: &digits.4)
        digits.5 ^= carry
    }

    @inline(__always)
    private static func add(_ carry: inout Bits, to digit: inout Bits) {
        let next = digit & carry
        digit ^= carry
        carry = next
    }

    /// The number of times that each bit was set, from the lowest on.
    var all: [Int] {
        var spread = self
        spread.spread()
        return spread.counts
    }

    @inline(never)
    private mutating func spread() {
        let all = [digits.0, digits.1, digits.2, digits.3, digits.4, digits.5]
        for (exponent, digit) in all.enumerated() {
            var rest = digit
            while rest != 0 {
                counts[rest.trailingZeroBitCount] += 1 << exponent
                rest &= rest - 1
            }
        }
        digits = (0, 0, 0, 0, 0, 0)
        room = Self.capacity
    }
}
