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
        keep(match, for: value)
        return match
    }

    /// Adds what the filters of this column say of a column of values.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the values.
    ///   - rows: The values.
    ///   - column: Which of them.
    ///   - matches: By row.
    mutating func match(
        _ numbers: [ValueNumber], of rows: borrowing ValueRows, column: Int, matcher: PatternMatcher,
        into matches: inout [FilterMatch]
    ) {
        for row in numbers.indices {
            let number = numbers[row]
            if number == .absent || number == .other { continue }
            let match: FilterMatch
            if number != .passing, number.offset < results.count, let known = results[number.offset] {
                match = known
            } else {
                match = rows.withBytes(of: rows[row, column]) { memory, range in
                    tests.run(on: memory.extracting(range), matcher: matcher)
                }
                if number != .passing { keep(match, for: number) }
            }
            if match != .none { matches[row] = matches[row].union(match) }
        }
    }

    private mutating func keep(_ match: FilterMatch, for value: ValueNumber) {
        if value.offset >= results.count {
            results.append(contentsOf: repeatElement(nil, count: value.offset + 1 - results.count))
        }
        results[value.offset] = match
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
