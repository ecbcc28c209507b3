package import PolicyEngine

/// Which of some records must fail, and which must pass, by the question of a search.
package struct RecordSelection: Sendable {
    /// By record: whether it must fail, and whether it must pass.
    package private(set) var rejecting: [Bool] = []
    package private(set) var keeping: [Bool] = []

    /// Why nobody knows.
    package enum Failure: Error, Hashable, Sendable {
        /// It takes too long.
        case late
        /// A pattern was not searched to the end in some value (R7.2).
        case givenUp
    }

    /// - Parameters:
    ///   - question: The request.
    ///   - records: The records with the attributes that the question looks at.
    ///   - matcher: Runs the patterns.
    ///   - deadline: When it takes too long.
    package init(
        _ question: EditSearch.Question, _ records: [KeptRecord], by matcher: PatternMatcher,
        deadline: ContinuousClock.Instant
    ) throws(Failure) {
        var isGivenUp = false
        for (index, record) in records.enumerated() {
            // A search that takes long looks at the clock itself.
            if isGivenUp || index % Self.looks == 0, ContinuousClock.now >= deadline { throw .late }
            if isGivenUp { throw .givenUp }
            rejecting.append(question.reject?.selects(record, by: matcher, isGivenUp: &isGivenUp) ?? false)
            keeping.append(question.keep?.selects(record, by: matcher, isGivenUp: &isGivenUp) ?? false)
        }
        if isGivenUp { throw ContinuousClock.now >= deadline ? .late : .givenUp }
    }

    // The number of records between two looks at the clock.
    private static let looks = 64

    /// The numbers of records that must fail, must pass, and must do both.
    package var counts: (rejecting: Int, keeping: Int, both: Int) {
        (rejecting.count { $0 }, keeping.count { $0 }, zip(rejecting, keeping).count { $0 && $1 })
    }
}
