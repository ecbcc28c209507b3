/// The ordinary filters that look at some attributes, laid out flat, so that running them counts no references.
struct FilterTests: Sendable {
    private var exacts: [(index: Int, range: Range<Int>)] = []
    // The values of the exact tests, one behind the other.
    private var exactBytes: [UInt8] = []
    // INVARIANT: one reference for each pattern, which is kept here.
    private var patterns: [Pattern] = []
    private var searches: [(index: Int, pattern: PatternReference)] = []
    // By attribute.
    private var sections: [Section] = []

    // Which of the exact tests and of the searches look at an attribute.
    private struct Section {
        let exacts: Range<Int>
        let searches: Range<Int>
        /// A bit for each length that an exact test wants; the highest stands for all that are as long or longer.
        let lengths: UInt64

        static func bit(_ length: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: min(length, 63)) }
    }

    /// - Parameter tests: By attribute, the filters that look at it.
    init(_ tests: [[FilterTest]]) {
        for section in tests {
            precondition(section.count <= FilterSet.limit, "an account has no more filters")
            let starts = (exacts.count, searches.count)
            for test in section { add(test) }
            let lengths = exacts[starts.0...].reduce(0) { $0 | Section.bit($1.range.count) }
            sections.append(
                Section(exacts: starts.0..<exacts.count, searches: starts.1..<searches.count, lengths: lengths))
        }
    }

    private mutating func add(_ test: FilterTest) {
        switch test.condition {
        case .equals(let value):
            exacts.append((test.index, exactBytes.count..<exactBytes.count + value.count))
            exactBytes += value
        case .contains(let pattern):
            patterns.append(pattern)
            // SAFETY: whatever searches extends the lifetime of `patterns`.
            unsafe searches.append((test.index, PatternReference(pattern)))
        }
    }

    /// True if there are no filters.
    var isEmpty: Bool { exacts.isEmpty && searches.isEmpty }

    /// The filters that search an attribute.
    func searching(_ attribute: Int) -> FilterSet {
        sections[attribute].searches.reduce(into: .empty) { $0.insert(searches[$1].index) }
    }

    /// True if each filter that looks at an attribute compares whole values.
    func areExact(at attribute: Int) -> Bool { sections[attribute].searches.isEmpty }

    /// The values that those look for that compare whole values of an attribute.
    func exactValues(at attribute: Int) -> [[UInt8]] {
        sections[attribute].exacts.map { Array(exactBytes[exacts[$0].range]) }
    }

    /// The known beginnings of values for the patterns that search an attribute; `nil` if no beginning excludes any.
    func beginnings(at attribute: Int) -> PatternBeginnings? {
        PatternBeginnings(sections[attribute].searches.map { searches[$0].pattern })
    }

    /// The matches of the filters for a value.
    ///
    /// - Parameters:
    ///   - attribute: The attribute that it is a value of, by its index.
    ///   - isUTF8: True if it is known to be UTF-8; else that is found out.
    @inline(__always)
    func run(
        on value: Span<UInt8>, of attribute: Int = 0, isUTF8: Bool = false, matcher: PatternMatcher
    ) -> FilterMatch {
        var none: PatternBeginnings?
        return run(on: value, of: attribute, isUTF8: isUTF8, matcher: matcher, beginnings: &none)
    }

    /// The matches of the filters for a value; skips patterns that its beginning excludes.
    ///
    /// - Parameter beginnings: The known beginnings of the attribute's patterns; learns more.
    @inline(__always)
    func run(
        on value: Span<UInt8>, of attribute: Int, isUTF8: Bool, matcher: PatternMatcher,
        beginnings: inout PatternBeginnings?
    ) -> FilterMatch {
        defer { withExtendedLifetime(patterns) {} }
        var match = FilterMatch.none
        let section = sections[attribute]
        if section.lengths & Section.bit(value.count) != 0 {
            for exact in section.exacts where exacts[exact].range.count == value.count {
                if exactBytes.span.hasSameBytes(in: exacts[exact].range, as: value, in: 0..<value.count) {
                    match.matched.insert(exacts[exact].index)
                }
            }
        }
        guard !section.searches.isEmpty else { return match }
        let isUTF8 = isUTF8 || value.isASCII
        // Beginnings exclude what searches of short values fail at.
        let isShort = isUTF8 && value.count <= PatternMatcher.plainBytes
        let possible = isShort ? beginnings?.possible(in: value, matcher: matcher) ?? .max : .max
        if possible == 0 { return match }
        for (position, search) in section.searches.enumerated() where possible & 1 << position != 0 {
            let (index, pattern) = searches[search]
            match.note(matcher.search(pattern, in: value, isUTF8: isUTF8), of: index)
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
