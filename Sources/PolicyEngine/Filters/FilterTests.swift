/// The ordinary filters that look at one attribute, laid out flat, so that running them counts no references.
struct FilterTests: Sendable {
    private var exacts: [(index: Int, range: Range<Int>)] = []
    // The values of the exact tests, one behind the other.
    private var exactBytes: [UInt8] = []
    // INVARIANT: one reference for each pattern, which is kept here.
    private var patterns: [Pattern] = []
    private var searches: [(index: Int, pattern: PatternReference)] = []

    /// Whether each compares whole values.
    var areExact: Bool { searches.isEmpty }

    /// Whether there is none.
    var isEmpty: Bool { exacts.isEmpty && searches.isEmpty }

    init(_ tests: [FilterTest]) {
        for test in tests {
            switch test.condition {
            case .equals(let value):
                exacts.append((test.index, exactBytes.count..<exactBytes.count + value.count))
                exactBytes += value
            case .contains(let pattern):
                patterns.append(pattern)
                searches.append((test.index, PatternReference(pattern)))
            }
        }
    }

    /// What the filters say of a value.
    func run(on value: Span<UInt8>, matcher: PatternMatcher) -> FilterMatch {
        var match = FilterMatch.none
        let whole = 0..<value.count
        for index in exacts.indices where exacts[index].range.count == value.count {
            if exactBytes.span.hasSameBytes(in: exacts[index].range, as: value, in: whole) {
                match.matched.insert(exacts[index].index)
            }
        }
        guard !searches.isEmpty else { return match }
        let isASCII = value.isASCII
        for index in searches.indices {
            switch matcher.search(searches[index].pattern, in: value, isASCII: isASCII) {
            case .found: match.matched.insert(searches[index].index)
            case .limitHit: match.limitHits.insert(searches[index].index)
            case .notFound: break
            }
        }
        return match
    }
}

/// One ordinary filter as a test of a value.
struct FilterTest: Sendable {
    /// The filter's index in the account.
    let index: Int
    let condition: Condition

    enum Condition: Sendable {
        case equals([UInt8])
        case contains(Pattern)
    }

    /// The value that an exact test wants.
    var exactValue: [UInt8]? {
        if case .equals(let value) = condition { value } else { nil }
    }
}

extension FilterTest {
    /// The tests of the ordinary filters that look at the flags.
    static func ofFlags(among filters: [Filter]) -> [FilterTest] {
        tests(of: filters).filter { FlagFilterColumn.keys.contains($0.key) }.map(\.test)
    }

    /// The tests of the ordinary filters that look at attributes, by attribute, in the order in which filters name them.
    static func ofAttributes(among filters: [Filter]) -> [(key: String, tests: [FilterTest])] {
        var groups: [(key: ExactText, tests: [FilterTest])] = []
        for (key, test) in tests(of: filters) where !FlagFilterColumn.keys.contains(key) {
            if let known = groups.firstIndex(where: { $0.key == ExactText(key) }) {
                groups[known].tests.append(test)
            } else {
                groups.append((ExactText(key), [test]))
            }
        }
        return groups.map { ($0.key.text, $0.tests) }
    }

    private static func tests(of filters: [Filter]) -> [(key: String, test: FilterTest)] {
        filters.enumerated().compactMap { index, filter in
            guard let key = filter.key, let condition = filter.test.condition else { return nil }
            return (key, FilterTest(index: index, condition: condition))
        }
    }
}

extension Filter.Test {
    /// The condition of an ordinary filter on its attribute's value.
    fileprivate var condition: FilterTest.Condition? {
        switch self {
        case .exact(_, let value): .equals(Array(value.utf8))
        case .regex(_, let pattern): .contains(pattern)
        case .conjunction: nil
        }
    }
}
