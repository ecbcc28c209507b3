/// The ordinary filters that look at one attribute, with their results kept by distinct value.
struct FilterColumn: Sendable {
    /// The attribute.
    let key: AttributeKey
    private let tests: FilterTests
    // By value number; INVARIANT: `nil` until the value was tested once.
    private var results: [FilterMatch?] = []

    init(key: AttributeKey, tests: [FilterTest]) {
        self.key = key
        self.tests = FilterTests(tests)
    }

    /// What the filters of this column say of a value.
    ///
    /// - Complexity: O(1) after the first time for a kept value; the tests themselves for a passing one.
    mutating func match(
        _ value: ValueNumber, in table: borrowing AttributeTable, matcher: PatternMatcher
    ) -> FilterMatch {
        if value == .absent || value == .other { return .none }
        if value == .passing { return run(on: value, in: table, matcher: matcher) }
        if value.offset < results.count, let known = results[value.offset] { return known }
        let match = run(on: value, in: table, matcher: matcher)
        if value.offset >= results.count {
            results.append(contentsOf: repeatElement(nil, count: value.offset + 1 - results.count))
        }
        results[value.offset] = match
        return match
    }

    private func run(on value: ValueNumber, in table: borrowing AttributeTable, matcher: PatternMatcher) -> FilterMatch
    {
        var match = FilterMatch.none
        table.withBytes(of: value, for: key) { bytes in
            match = tests.run(on: bytes, matcher: matcher)
        }
        return match
    }
}
