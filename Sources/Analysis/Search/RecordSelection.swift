internal import Documents
internal import PolicyEngine
internal import Replay

/// Which of some records must fail, which must pass, and which are to be let in, by the question of a search.
struct RecordSelection {
    /// By record: whether it must fail, and whether it must pass.
    private(set) var rejecting: [Bool] = []
    private(set) var keeping: [Bool] = []
    /// By record: whether it is to pass, if some edit does it.
    private(set) var exempting: [Bool] = []

    /// - Parameters:
    ///   - question: The request.
    ///   - records: The records with the attributes that the question looks at.
    ///   - matcher: Runs the patterns.
    ///   - deadline: When it takes too long.
    /// - Throws: ``SearchFailure/late`` or ``SearchFailure/unsearched``.
    init(
        _ question: SearchQuestion, _ records: [KeptRecord], by matcher: PatternMatcher,
        deadline: ContinuousClock.Instant
    ) throws(SearchFailure) {
        var isGivenUp = false
        for (index, record) in records.enumerated() {
            // A search that takes long looks at the clock itself.
            if isGivenUp || index % Self.looks == 0, Cancellation.isDue(by: deadline) { throw .late }
            if isGivenUp { throw .unsearched }
            rejecting.append(question.reject?.selects(record, by: matcher, isGivenUp: &isGivenUp) ?? false)
            keeping.append(question.keep?.selects(record, by: matcher, isGivenUp: &isGivenUp) ?? false)
            exempting.append(question.exempt?.selects(record, by: matcher, isGivenUp: &isGivenUp) ?? false)
        }
        if isGivenUp { throw Cancellation.isDue(by: deadline) ? .late : .unsearched }
    }

    // The number of records between two looks at the clock.
    private static let looks = 64

    /// No longer asks of records that pass to fail.
    mutating func excusePassing(_ records: [KeptRecord]) {
        for index in records.indices where records[index].passed { rejecting[index] = false }
    }

    /// The records that are to be let in.
    var asked: [Int] { exempting.indices.filter { exempting[$0] && !rejecting[$0] } }

    /// The numbers of records that must fail, must pass, and must do both.
    var counts: (rejecting: Int, keeping: Int, both: Int) {
        (rejecting.count { $0 }, keeping.count { $0 }, zip(rejecting, keeping).count { $0 && $1 })
    }

    /// The index of the first record that must fail and pass; `nil` if there is none.
    var contradiction: Int? { rejecting.indices.first { rejecting[$0] && keeping[$0] } }

    /// True if it is known that all records that must fail do, and all that must pass.
    func isMet(by records: [KeptRecord]) -> Bool {
        records.indices.allSatisfy { index in
            guard records[index].isEvaluated else { return !rejecting[index] && !keeping[index] }
            return records[index].passed ? !rejecting[index] : !keeping[index]
        }
    }
}
