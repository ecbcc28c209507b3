/// A set of property flags by their place in a catalogue: 128 bits by value (R2.2).
///
/// Every operation is O(1) and allocates nothing; iteration goes in catalogue order (R2.3).
public struct FlagSet: Hashable, Sendable {
    /// Bit *i* is set when the flag at place *i* of the catalogue is.
    public var bits: UInt128

    /// The set without flags.
    public static let empty = FlagSet(bits: 0)

    /// Makes a set from its bits.
    public init(bits: UInt128) {
        self.bits = bits
    }

    /// Makes a set of the given flags.
    public init(_ flags: some Sequence<Flag>) {
        bits = flags.reduce(0) { $0 | $1.bit }
    }

    /// Makes the set of the flags that come first in the catalogue.
    ///
    /// - Parameter count: How many, 0 through 128.
    init(first count: Int) {
        bits = .max >> UInt128(Flag.limit - count)
    }

    /// Whether no flag is set.
    public var isEmpty: Bool { bits == 0 }

    /// How many flags are set, 0 through 128.
    public var count: Int { bits.nonzeroBitCount }

    /// Whether a flag is set.
    public func contains(_ flag: Flag) -> Bool { bits & flag.bit != 0 }

    /// Whether every flag of `other` is set here too.
    public func isSuperset(of other: FlagSet) -> Bool { other.bits & ~bits == 0 }

    /// Sets a flag.
    public mutating func insert(_ flag: Flag) { bits |= flag.bit }

    /// Clears a flag.
    public mutating func remove(_ flag: Flag) { bits &= ~flag.bit }

    /// The flags in either set.
    public func union(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits | other.bits) }

    /// The flags in both sets.
    public func intersection(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits & other.bits) }

    /// The flags here that are not in `other`.
    public func subtracting(_ other: FlagSet) -> FlagSet { FlagSet(bits: bits & ~other.bits) }
}

extension FlagSet: ExpressibleByArrayLiteral {
    /// Makes a set of the flags listed.
    public init(arrayLiteral elements: Flag...) {
        self.init(elements)
    }
}

extension FlagSet: Sequence {
    /// Walks over the flags that are set, in catalogue order.
    public struct Iterator: IteratorProtocol {
        private var remaining: UInt128

        fileprivate init(remaining: UInt128) {
            self.remaining = remaining
        }

        /// The next flag, or `nil` at the end.
        public mutating func next() -> Flag? {
            guard remaining != 0 else { return nil }
            let flag = Flag(place: UInt8(truncatingIfNeeded: remaining.trailingZeroBitCount))
            remaining &= remaining - 1
            return flag
        }
    }

    /// Starts a walk.
    public func makeIterator() -> Iterator { Iterator(remaining: bits) }

    /// The number of flags, exactly.
    public var underestimatedCount: Int { count }
}
