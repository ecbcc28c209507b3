/// A set of the filters of one account, by their place in its list: at most 25 of 32 bits.
public struct FilterSet: Hashable, Sendable {
    /// Bit *i* stands for the filter at place *i*.
    public var bits: UInt32

    /// No filter.
    public static let empty = FilterSet(bits: 0)

    /// Makes a set from its bits.
    @inlinable public init(bits: UInt32) {
        self.bits = bits
    }

    /// Whether no filter is in the set.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// Whether the filter at a place is in the set.
    @inlinable public func contains(_ place: Int) -> Bool { bits & Self.bit(place) != 0 }

    /// Puts the filter at a place into the set.
    @inlinable public mutating func insert(_ place: Int) { bits |= Self.bit(place) }

    /// The filters in either set.
    @inlinable public func union(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits | other.bits) }

    /// The filters in both sets.
    @inlinable public func intersection(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits & other.bits) }

    /// The filters here that are not in `other`.
    @inlinable public func subtracting(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits & ~other.bits) }

    /// Whether every filter of `other` is here too.
    @inlinable public func isSuperset(of other: FilterSet) -> Bool { other.bits & ~bits == 0 }

    @inlinable static func bit(_ place: Int) -> UInt32 { 1 << UInt32(place) }
}

extension FilterSet: Sequence {
    /// Walks over the places in rising order, which is filter order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var remaining: UInt32

        @inlinable init(remaining: UInt32) {
            self.remaining = remaining
        }

        /// The next place, or `nil` at the end.
        @inlinable public mutating func next() -> Int? {
            guard remaining != 0 else { return nil }
            let place = remaining.trailingZeroBitCount
            remaining &= remaining - 1
            return place
        }
    }

    /// Starts a walk.
    @inlinable public func makeIterator() -> Iterator { Iterator(remaining: bits) }

    /// The number of places, exactly.
    @inlinable public var underestimatedCount: Int { bits.nonzeroBitCount }
}
