/// The ordinary filters that look at one attribute, with their results kept by distinct value.
struct FilterColumn: Sendable {
    /// The attribute.
    let key: AttributeKey
    private let tests: FilterTests
    // By value number; INVARIANT: `nil` until the value was tested once.
    private var results: [FilterMatch?] = []

    init(key: AttributeKey, tests: [FilterTest]) {
        self.key = key
        self.tests = FilterTests([tests])
    }

    /// The matches of this column's filters for a value.
    ///
    /// - Complexity: O(1) after the first time for a kept value; the tests themselves for a transient one.
    mutating func match(
        _ value: ValueNumber, in table: borrowing AttributeTable, matcher: PatternMatcher
    ) -> FilterMatch {
        if value == .absent || value == .other { return .none }
        if value == .transient { return run(on: value, in: table, matcher: matcher) }
        if value.offset < results.count, let known = results[value.offset] { return known }
        let match = run(on: value, in: table, matcher: matcher)
        keep(match, for: value)
        return match
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

/// The ordinary filters that look at `flags-all` (R7.2), with their results kept by distinct set of flags.
struct FlagFilterColumn: Sendable {
    /// The names under which filters know the list of flags.
    static let keys = ["flags-all", "public-flags"]
    /// The flags that the list leaves out, as the manual's samples do (R7.2).
    private static let leftOut: FlagSet = [.newDevice, .riskyDevice]
    /// The number of results that are kept; past it they are forgotten, so that a strange capture cannot fill the memory.
    private static let capacity = 65_536

    private let tests: FilterTests
    private var results: [FlagSet: FilterMatch] = [:]
    private var latest: (flags: FlagSet, match: FilterMatch)?

    init(tests: [FilterTest]) {
        self.tests = FilterTests([tests])
    }

    /// True if no filter looks at the flags.
    @inline(__always) var isEmpty: Bool { tests.isEmpty }

    /// The matches of this column's filters for a set of flags.
    mutating func match(_ flags: FlagSet, catalogue: FlagCatalogue, matcher: PatternMatcher) -> FilterMatch {
        if isEmpty { return .none }
        let listed = flags.subtracting(Self.leftOut)
        if let latest, latest.flags == listed { return latest.match }
        let match = results[listed] ?? run(on: listed, catalogue: catalogue, matcher: matcher)
        if results.count >= Self.capacity { results.removeAll(keepingCapacity: true) }
        results[listed] = match
        latest = (listed, match)
        return match
    }

    private func run(on flags: FlagSet, catalogue: FlagCatalogue, matcher: PatternMatcher) -> FilterMatch {
        let text = Array(catalogue.names(of: flags).joined(separator: ",").utf8)
        return tests.run(on: text.span, matcher: matcher)
    }
}
