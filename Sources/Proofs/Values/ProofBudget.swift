/// The time that a proof may take.
struct ProofBudget: Sendable {
    private let end: ContinuousClock.Instant

    /// The most states that a search for values keeps, so that memory is bounded, too.
    static let states = 100_000

    /// - Parameter limit: From now on.
    init(_ limit: Duration) {
        end = ContinuousClock.now + limit
    }

    /// True if it is spent.
    var isSpent: Bool { ContinuousClock.now >= end }

    /// The time that is left, in milliseconds: at least 1.
    var milliseconds: UInt32 {
        let left = (end - ContinuousClock.now).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        return UInt32(clamping: max(1, milliseconds))
    }

    /// - Parameter step: The current step.
    /// - Throws: ``Undecided`` if it is spent.
    func check(_ step: Undecided.Step) throws(Undecided) {
        if isSpent { throw .time(step) }
    }
}

/// The reason why a question has no answer.
package enum Undecided: Error, Hashable, Sendable {
    /// It would take longer than it may; the time ended in this step.
    case time(Step)
    /// Values or lists of flags would have to be distinguished in more ways than fit in memory.
    case size(Step)
    /// Z3 gave up though there was time left; its reason.
    case solver(String)
    /// No device and day are found that the accounts sample as they would have to.
    case sampling
    /// The engine decides otherwise than the answer would have it.
    case disagreement

    /// A step on the way to an answer.
    package enum Step: Hashable, Sendable {
        /// The search for values of attributes that filters tell apart.
        case values
        /// The search for lists of flags that filters tell apart.
        case lists
        /// The search for a device by Z3.
        case devices
        /// The search for a device and a day that are sampled as they have to be.
        case samples
    }
}
