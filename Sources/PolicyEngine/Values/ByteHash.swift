/// A fast 64-bit hash of bytes for tables in memory.
///
/// Seeded anew in each process, so that nobody can write a capture whose values all fall into one slot. Only where
/// values lie depends on it, never their numbers or their order.
package struct ByteHash: Sendable {
    /// The value that states start with.
    @usableFromInline package let seed: UInt64
    // The numbers that words are mixed with; a word that is the same would cancel all others, so nobody may know them.
    @usableFromInline package let first: UInt64
    @usableFromInline let second: UInt64
    @usableFromInline let third: UInt64

    /// The one of this process. A table that hashes much keeps it as its own, since a global costs a check each time.
    package static let process = ByteHash()

    private init() {
        (seed, first) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        (second, third) = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    }

    /// The hash of a part of some bytes.
    @inlinable @inline(__always)
    package func hash(_ bytes: Span<UInt8>, range: Range<Int>) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count, "the range lies inside the bytes")
            // SAFETY: every load below stays inside `range`, which lies inside the buffer.
            return unsafe hash(UnsafeRawBufferPointer(buffer), range: range)
        }
    }

    @inlinable @inline(__always)
    func hash(_ buffer: UnsafeRawBufferPointer, range: Range<Int>) -> UInt64 {
        var (state, offset) = (seed ^ UInt64(truncatingIfNeeded: range.count), range.lowerBound)
        if range.count > 32 {
            // Two states side by side, since the steps of one wait for one another.
            var other = state
            repeat {
                state = unsafe Self.mix(
                    Self.word(of: buffer, at: offset) ^ second, Self.word(of: buffer, at: offset &+ 8) ^ state)
                other = unsafe Self.mix(
                    Self.word(of: buffer, at: offset &+ 16) ^ third, Self.word(of: buffer, at: offset &+ 24) ^ other)
                offset &+= 32
            } while offset &+ 32 < range.upperBound
            state ^= other
        }
        if offset &+ 16 < range.upperBound {
            state = unsafe Self.mix(
                Self.word(of: buffer, at: offset) ^ second, Self.word(of: buffer, at: offset &+ 8) ^ state)
            offset &+= 16
        }
        let (start, end) = unsafe Self.tail(of: buffer, range: range, from: offset)
        return Self.mix(first ^ start, Self.mix(second ^ end, state))
    }

    // The last bytes, at most sixteen; loads may overlap each other.
    @inlinable @inline(__always)
    static func tail(
        of buffer: UnsafeRawBufferPointer, range: Range<Int>, from offset: Int
    ) -> (start: UInt64, end: UInt64) {
        let rest = range.upperBound &- offset
        if rest >= 8 { return unsafe (word(of: buffer, at: offset), word(of: buffer, at: range.upperBound &- 8)) }
        if rest >= 4 {
            let start = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let end = unsafe buffer.loadUnaligned(fromByteOffset: range.upperBound - 4, as: UInt32.self)
            return (UInt64(start), UInt64(end))
        }
        if rest == 0 { return (0, 0) }
        let (start, middle, end) = unsafe (
            buffer[offset], buffer[offset + rest / 2], buffer[range.upperBound - 1]
        )
        return (UInt64(start) << 8 | UInt64(middle), UInt64(end))
    }

    @inlinable @inline(__always)
    static func word(of buffer: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        unsafe buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    @inlinable @inline(__always)
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
