/// One ordinary filter as a test of a value.
struct FilterTest: Sendable {
    /// The filter's place in the account.
    let place: Int
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
        filters.enumerated().compactMap { place, filter in
            guard let key = filter.key, let condition = filter.test.condition else { return nil }
            return (key, FilterTest(place: place, condition: condition))
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
