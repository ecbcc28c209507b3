/// A set of property flags by their index in a catalogue: 128 bits by value (R2.2).
///
/// Every operation is O(1) and allocates nothing; iteration goes in catalogue order (R2.3).
public struct FlagSet: Hashable, Sendable {
    /// Bit *i* is set when the flag at index *i* of the catalogue is.
    @usableFromInline package var bits: UInt128

    /// The set without flags.
    @inlinable public static var empty: FlagSet { FlagSet(bits: 0) }

    /// Makes a set from its bits.
    @inlinable package init(bits: UInt128) {
        self.bits = bits
    }

    /// Makes a set of the given flags.
    @inlinable public init(_ flags: some Sequence<Flag>) {
        bits = flags.reduce(0) { $0 | $1.bit }
    }

    /// Makes the set of the flags that come first in the catalogue.
    ///
    /// - Parameter count: The number of them, 0 through 128.
    init(first count: Int) {
        bits = .max >> UInt128(Flag.limit - count)
    }

    /// True if no flag is set.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// The number of flags that are set, 0 through 128.
    @inlinable public var count: Int { bits.nonzeroBitCount }

    /// True if a flag is set.
    @inlinable public func contains(_ flag: Flag) -> Bool { bits & flag.bit != 0 }

    /// True if every flag of `other` is set here too.
    @inlinable public func isSuperset(of other: FlagSet) -> Bool { other.bits & ~bits == 0 }

    /// Sets a flag.
    @inlinable public mutating func insert(_ flag: Flag) { bits |= flag.bit }

    /// Clears a flag.
    @inlinable public mutating func remove(_ flag: Flag) { bits &= ~flag.bit }

    /// The flags in either set.
    @inlinable public func union(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits | other.bits) }

    /// The flags in both sets.
    @inlinable public func intersection(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits & other.bits) }

    /// The flags here that are not in `other`.
    @inlinable public func subtracting(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits & ~other.bits) }
}

extension FlagSet {
    /// Hands over the index of each flag that is set, in catalogue order.
    @inlinable @inline(__always)
    package func forEachIndex(_ body: (Int) -> Void) {
        // By words, which the processor walks over faster than over all bits at once.
        var low = UInt64(truncatingIfNeeded: bits)
        while low != 0 {
            body(low.trailingZeroBitCount)
            low &= low &- 1
        }
        var high = UInt64(truncatingIfNeeded: bits &>> 64)
        while high != 0 {
            body(64 &+ high.trailingZeroBitCount)
            high &= high &- 1
        }
    }
}

extension FlagSet: ExpressibleByArrayLiteral {
    /// Makes a set of the flags listed.
    @inlinable public init(arrayLiteral elements: Flag...) {
        self.init(elements)
    }
}

extension FlagSet: Sequence {
    /// Walks over the flags that are set, in catalogue order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var remaining: UInt128

        @inlinable init(remaining: UInt128) {
            self.remaining = remaining
        }

        /// The next flag, or `nil` at the end.
        @inlinable public mutating func next() -> Flag? {
            guard remaining != 0 else { return nil }
            let flag = Flag(index: UInt8(truncatingIfNeeded: remaining.trailingZeroBitCount))
            remaining &= remaining - 1
            return flag
        }
    }

    /// Starts a walk.
    @inlinable public func makeIterator() -> Iterator { Iterator(remaining: bits) }

    /// The number of flags, exactly.
    @inlinable public var underestimatedCount: Int { count }
}
