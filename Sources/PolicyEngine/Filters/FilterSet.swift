/// A set of the filters of one account, by their index in its list: at most 25 of 32 bits.
public struct FilterSet: Hashable, Sendable {
    /// Bit *i* stands for the filter at index *i*.
    @usableFromInline package var bits: UInt32

    /// The largest number of filters in a set.
    package static var limit: Int { UInt32.bitWidth }

    /// No filter.
    @inlinable package static var empty: FilterSet { FilterSet(bits: 0) }

    /// Makes a set from its bits.
    @inlinable package init(bits: UInt32) {
        self.bits = bits
    }

    /// True if no filter is in the set.
    @inlinable public var isEmpty: Bool { bits == 0 }

    /// True if the filter at an index is in the set.
    @inlinable package func contains(_ index: Int) -> Bool { bits & Self.bit(index) != 0 }

    /// Puts the filter at an index into the set.
    @inlinable package mutating func insert(_ index: Int) { bits |= Self.bit(index) }

    /// The filters in either set.
    @inlinable package func union(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits | other.bits) }

    /// The filters in both sets.
    @inlinable package func intersection(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits & other.bits) }

    /// The filters here that are not in `other`.
    @inlinable package func subtracting(_ other: FilterSet) -> FilterSet { FilterSet(bits: bits & ~other.bits) }

    /// True if every filter of `other` is here too.
    @inlinable package func isSuperset(of other: FilterSet) -> Bool { other.bits & ~bits == 0 }

    @inlinable static func bit(_ index: Int) -> UInt32 { 1 << UInt32(index) }
}

extension FilterSet: Sequence {
    /// Walks over the indices in rising order, which is filter order.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var remaining: UInt32

        @inlinable init(remaining: UInt32) {
            self.remaining = remaining
        }

        /// The next index, or `nil` at the end.
        @inlinable public mutating func next() -> Int? {
            guard remaining != 0 else { return nil }
            let index = remaining.trailingZeroBitCount
            remaining &= remaining - 1
            return index
        }
    }

    /// Starts a walk.
    @inlinable public func makeIterator() -> Iterator { Iterator(remaining: bits) }

    /// The number of filters, exactly.
    @inlinable public var underestimatedCount: Int { bits.nonzeroBitCount }
}

/// The result of matching an attestation against filters.
@usableFromInline
struct FilterMatch: Hashable, Sendable {
    /// The filters that match.
    @usableFromInline var matched: FilterSet
    /// The filters whose search hit a limit and so counts as no match (R7.2).
    @usableFromInline var limitHits: FilterSet

    @inlinable
    init(matched: FilterSet, limitHits: FilterSet) {
        (self.matched, self.limitHits) = (matched, limitHits)
    }

    @inlinable static var none: FilterMatch { FilterMatch(matched: .empty, limitHits: .empty) }

    /// Notes how the search of a filter ended.
    @inline(__always)
    mutating func note(_ answer: PatternMatcher.Answer, of filter: Int) {
        switch answer {
        case .found: matched.insert(filter)
        case .limitHit: limitHits.insert(filter)
        case .notFound: break
        }
    }

    @inlinable
    func union(_ other: FilterMatch) -> FilterMatch {
        FilterMatch(matched: matched.union(other.matched), limitHits: limitHits.union(other.limitHits))
    }

    func leavingOut(_ filters: FilterSet) -> FilterMatch {
        FilterMatch(matched: matched.subtracting(filters), limitHits: limitHits.subtracting(filters))
    }
}
