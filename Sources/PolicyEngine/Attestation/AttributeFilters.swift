/// The ordinary filters of an account that look at attributes, for values that are looked at one by one (R7.2).
package struct AttributeFilters: Sendable {
    /// The attributes that they look at, in the order in which filters name them.
    package let keys: [String]
    private let tests: FilterTests
    // By attribute.
    private var beginnings: [PatternBeginnings?]

    package init(_ account: Account) {
        let groups = FilterTest.ofAttributes(among: account.filters)
        keys = groups.map(\.key)
        let tests = FilterTests(groups.map(\.tests))
        self.tests = tests
        beginnings = keys.indices.map { tests.beginnings(at: $0) }
    }

    /// True if the filters on an attribute only compare values, which costs next to nothing.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package func areExact(at index: Int) -> Bool { tests.areExact(at: index) }

    /// The values that exact filters on an attribute look for.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package func exactValues(at index: Int) -> [[UInt8]] { tests.exactValues(at: index) }

    /// The number of filters on an attribute that search its values.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package func searchCount(at index: Int) -> Int { tests.searching(index).underestimatedCount }

    /// The matches of the filters on an attribute for a value; searches that are not done quickly are deferred.
    ///
    /// - Parameters:
    ///   - value: The value, which is UTF-8.
    ///   - index: The attribute, by its index in ``keys``.
    ///   - matcher: Runs the patterns.
    /// - Complexity: That of the filters' patterns; allocates nothing.
    package mutating func match(_ value: Span<UInt8>, at index: Int, matcher: PatternMatcher) -> AttributeMatches {
        let match = tests.run(
            on: value, of: index, isUTF8: true, matcher: matcher, .deferred, beginnings: &beginnings[index])
        return AttributeMatches(match: match, isRemoved: false)
    }

    /// The filters whose search in an attribute was deferred.
    ///
    /// - Parameters:
    ///   - matches: The matches found in a record.
    ///   - index: The attribute, by its index in ``keys``.
    package func deferred(_ matches: AttributeMatches, at index: Int) -> FilterSet {
        matches.match.limitHits.intersection(tests.searching(index))
    }

    /// Makes searches that were deferred, as far as the budgets of their filters allow (R7.2).
    ///
    /// - Parameters:
    ///   - value: The value, which is UTF-8.
    ///   - index: The attribute, by its index in ``keys``.
    ///   - filters: The filters whose search was deferred.
    ///   - matcher: Runs the patterns, and keeps the budgets.
    package func search(
        _ value: Span<UInt8>, at index: Int, for filters: FilterSet, matcher: PatternMatcher
    ) -> SearchResult {
        SearchResult(searched: filters, match: tests.search(value, of: index, for: filters, matcher: matcher))
    }
}

/// The result of searches that had been deferred.
package struct SearchResult: Sendable {
    fileprivate let searched: FilterSet
    fileprivate let match: FilterMatch
}

extension AttributeMatches {
    /// Takes the result of searches that had been deferred.
    package mutating func add(_ result: SearchResult) {
        var match = match
        match.limitHits = match.limitHits.subtracting(result.searched)
        self = AttributeMatches(match: match.union(result.match), isRemoved: isRemoved)
    }
}
