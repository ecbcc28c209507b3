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

    /// The matches of the filters on an attribute for a value.
    ///
    /// - Parameters:
    ///   - value: The value, which is UTF-8.
    ///   - index: The attribute, by its index in ``keys``.
    ///   - matcher: Runs the patterns.
    /// - Complexity: That of the filters' patterns; allocates nothing where their searches are done quickly.
    package mutating func match(_ value: Span<UInt8>, at index: Int, matcher: PatternMatcher) -> AttributeMatches {
        let match = tests.run(
            on: value, of: index, isUTF8: true, matcher: matcher, beginnings: &beginnings[index])
        return AttributeMatches(match: match, isRemoved: false)
    }
}
