/// How long a proof may take.
struct ProofBudget: Sendable {
    private let end: ContinuousClock.Instant

    /// The most states that a search for values keeps, so that memory is bounded, too.
    static let states = 100_000

    /// - Parameter limit: From now on.
    init(_ limit: Duration) {
        end = ContinuousClock.now + limit
    }

    /// Whether it is spent.
    var isSpent: Bool { ContinuousClock.now >= end }

    /// What is left, in milliseconds: at least 1.
    var milliseconds: UInt32 {
        let left = (end - ContinuousClock.now).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        return UInt32(clamping: max(1, milliseconds))
    }

    /// - Throws: Where it is spent.
    func check() throws(Undecided) {
        if isSpent { throw Undecided.time }
    }
}

/// Why a question has no answer.
package enum Undecided: Error, Hashable, Sendable {
    /// It would take longer than it may.
    case time
    /// Values would have to be told apart in more ways than fit in memory.
    case size
    /// No device and day are found that the accounts sample as they would have to.
    case sampling
    /// The engine decides otherwise than the answer would have it.
    case disagreement
}
