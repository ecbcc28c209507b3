/// The ordinary filters that look at one attribute, laid out flat, so that running them counts no references.
struct FilterTests: Sendable {
    private var exacts: [(place: Int, range: Range<Int>)] = []
    // The values of the exact tests, one behind the other.
    private var exactBytes: [UInt8] = []
    // INVARIANT: one reference for each pattern, which is kept here.
    private var patterns: [Pattern] = []
    private var searches: [(place: Int, pattern: PatternReference)] = []

    /// Whether there is none.
    var isEmpty: Bool { exacts.isEmpty && searches.isEmpty }

    init(_ tests: [FilterTest]) {
        for test in tests {
            switch test.condition {
            case .equals(let value):
                exacts.append((test.place, exactBytes.count..<exactBytes.count + value.count))
                exactBytes += value
            case .contains(let pattern):
                patterns.append(pattern)
                searches.append((test.place, PatternReference(pattern)))
            }
        }
    }

    /// What the filters say of a value.
    func run(on value: Span<UInt8>, matcher: PatternMatcher) -> FilterMatch {
        var match = FilterMatch.none
        let whole = 0..<value.count
        for place in exacts.indices where exacts[place].range.count == value.count {
            if exactBytes.span.hasSameBytes(in: exacts[place].range, as: value, in: whole) {
                match.matched.insert(exacts[place].place)
            }
        }
        guard !searches.isEmpty else { return match }
        let isASCII = value.isASCII
        for place in searches.indices {
            switch matcher.search(searches[place].pattern, in: value, isASCII: isASCII) {
            case .found: match.matched.insert(searches[place].place)
            case .limitHit: match.limitHits.insert(searches[place].place)
            case .notFound: break
            }
        }
        return match
    }
}
