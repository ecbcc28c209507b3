/// The ordinary filters of an account that look at attributes, for values that are looked at one by one (R7.2).
package struct AttributeFilters: Sendable {
    /// The attributes that they look at, in the order in which filters name them.
    package let keys: [String]
    private let tests: FilterTests

    /// - Parameter account: The account.
    package init(_ account: Account) {
        let groups = FilterTest.ofAttributes(among: account.filters)
        keys = groups.map(\.key)
        tests = FilterTests(groups.map(\.tests))
    }

    /// Whether the filters on an attribute only compare values, which costs next to nothing.
    ///
    /// - Parameter index: The attribute, by its index in ``keys``.
    package func areExact(at index: Int) -> Bool { tests.areExact(at: index) }

    /// What the filters on an attribute say of a value.
    ///
    /// - Parameters:
    ///   - value: The value, which is UTF-8.
    ///   - index: The attribute, by its index in ``keys``.
    ///   - matcher: Runs the patterns.
    /// - Complexity: That of the filters' patterns; allocates nothing.
    package func match(_ value: Span<UInt8>, at index: Int, matcher: PatternMatcher) -> AttributeMatches {
        AttributeMatches(match: tests.run(on: value, of: index, isUTF8: true, matcher: matcher), isRemoved: false)
    }
}
