/// The ordinary filters that look at one attribute, laid out flat, so that running them counts no references.
struct FilterTests: Sendable {
    private var exacts: [(place: Int, range: Range<Int>)] = []
    // The values of the exact tests, one behind the other.
    private var exactBytes: [UInt8] = []
    private var patterns: [(place: Int, pattern: Pattern)] = []

    /// Whether there is none.
    var isEmpty: Bool { exacts.isEmpty && patterns.isEmpty }

    init(_ tests: [FilterTest]) {
        for test in tests {
            switch test.condition {
            case .equals(let value):
                exacts.append((test.place, exactBytes.count..<exactBytes.count + value.count))
                exactBytes += value
            case .contains(let pattern): patterns.append((test.place, pattern))
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
        guard !patterns.isEmpty else { return match }
        let isASCII = value.isASCII
        for place in patterns.indices {
            switch matcher.search(patterns[place].pattern, in: value, isASCII: isASCII) {
            case .found: match.matched.insert(patterns[place].place)
            case .limitHit: match.limitHits.insert(patterns[place].place)
            case .notFound: break
            }
        }
        return match
    }
}
