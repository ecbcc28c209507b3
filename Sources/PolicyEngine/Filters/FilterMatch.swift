/// What matching an attestation against filters came to.
struct FilterMatch: Hashable, Sendable {
    /// The filters that match.
    var matched: FilterSet
    /// The filters whose search hit a limit and so counts as no match (R7.2).
    var limitHits: FilterSet

    static let none = FilterMatch(matched: .empty, limitHits: .empty)

    func union(_ other: FilterMatch) -> FilterMatch {
        FilterMatch(matched: matched.union(other.matched), limitHits: limitHits.union(other.limitHits))
    }

    func leavingOut(_ filters: FilterSet) -> FilterMatch {
        FilterMatch(matched: matched.subtracting(filters), limitHits: limitHits.subtracting(filters))
    }
}
