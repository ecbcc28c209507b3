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
}
