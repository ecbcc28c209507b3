/// One ordinary filter as a test of a value.
struct FilterTest: Sendable {
    /// The filter's place in the account.
    let place: Int
    let condition: Condition

    enum Condition: Sendable {
        case equals([UInt8])
        case contains(Pattern)
    }

    /// Whether the test costs less than looking up its earlier result.
    var isCheap: Bool {
        if case .equals = condition { true } else { false }
    }

    /// Adds what this test says of a value to `match`.
    func run(on value: Span<UInt8>, matcher: PatternMatcher, into match: inout FilterMatch) {
        switch condition {
        case .equals(let expected):
            if expected.span.hasSameBytes(as: value) { match.matched.insert(place) }
        case .contains(let pattern):
            switch matcher.search(pattern, in: value) {
            case .found: match.matched.insert(place)
            case .limitHit: match.limitHits.insert(place)
            case .notFound: break
            }
        }
    }
}
