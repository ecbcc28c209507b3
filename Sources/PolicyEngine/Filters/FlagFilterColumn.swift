/// The ordinary filters that look at `flags-all` (R7.2), with their results kept by distinct set of flags.
struct FlagFilterColumn: Sendable {
    /// The names under which filters know the list of flags.
    static let keys = ["flags-all", "public-flags"]
    /// What the list leaves out, as the manual's samples do (R7.2).
    private static let leftOut: FlagSet = [.newDevice, .riskyDevice]
    /// How many results are kept; past that they are forgotten, so that a strange capture cannot fill the memory.
    private static let capacity = 65_536

    private let tests: FilterTests
    private var results: [FlagSet: FilterMatch] = [:]
    private var latest: (flags: FlagSet, match: FilterMatch)?

    init(tests: [FilterTest]) {
        self.tests = FilterTests(tests)
    }

    /// What the filters of this column say of a set of flags.
    mutating func match(_ flags: FlagSet, catalogue: FlagCatalogue, matcher: PatternMatcher) -> FilterMatch {
        if tests.isEmpty { return .none }
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
