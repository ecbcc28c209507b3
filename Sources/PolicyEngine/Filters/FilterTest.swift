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
