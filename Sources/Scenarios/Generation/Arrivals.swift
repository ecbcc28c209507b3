internal import PolicyEngine

/// How many attestations come when: a number of them, spread over a span of time by a rhythm.
struct Arrivals {
    /// How many come in the whole span.
    let count: Int
    private let rhythm: Rhythm
    private let before: Int
    private let total: Int

    /// - Parameters:
    ///   - count: At least 0.
    ///   - rhythm: One with activity in the span, unless the count is 0.
    ///   - span: From its first second up to its end.
    init(count: Int, by rhythm: Rhythm, in span: Range<Instant>) {
        self.count = count
        self.rhythm = rhythm
        before = rhythm.activity(before: span.lowerBound)
        total = max(1, rhythm.activity(in: span))
    }

    /// How many come before an instant of the span; rounded, so that no part of the span is off by more than one.
    func count(before instant: Instant) -> Int {
        let (part, whole) = (UInt128(rhythm.activity(before: instant) - before), UInt128(total))
        return Int((2 * UInt128(count) * part + whole) / (2 * whole))
    }
}
