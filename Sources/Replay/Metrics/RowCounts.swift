/// Counts attestations by the rows of a lane's tables that their decisions follow from.
struct RowCounts: Sendable {
    // By row of flags, policy and verdict: the account's own policy comes first, and each has four verdicts, failed or not, risky
    // or not.
    private var byFlags: [Int] = []
    // By row of matches and policy.
    private var byMatches: [Int] = []

    private static let policies = 2
    private static let verdicts = 4
    private static let counted: Effect = [.fails, .isRisky]

    /// Makes room for the rows that a lane has.
    mutating func reserve(_ lane: borrowing Lane) {
        let (flagRows, matchRows) = (lane.own.flagEffects.count, lane.own.matchEffects.count)
        Self.extend(&byFlags, to: flagRows * Self.policies * Self.verdicts)
        Self.extend(&byMatches, to: matchRows * Self.policies)
    }

    private static func extend(_ counts: inout [Int], to count: Int) {
        if count > counts.count { counts.append(contentsOf: repeatElement(0, count: count - counts.count)) }
    }

    /// Counts the attestations of a batch that a lane decided about by its tables.
    ///
    /// - Parameter count: The number of records of the batch.
    mutating func add(_ lane: borrowing Lane, count: Int) {
        let (allVerdicts, allFlagRows, allMatchRows) = (lane.verdicts, lane.flagRows, lane.matchRows)
        let (verdicts, flagRows, matchRows) = (allVerdicts.span, allFlagRows.span, allMatchRows.span)
        var flagCounts = byFlags.mutableSpan
        for row in 0..<count where !verdicts[row].contains(.isByEngine) {
            let policy = verdicts[row].contains(.isFiltered) ? 1 : 0
            let verdict = Int(verdicts[row].intersection(Self.counted).rawValue)
            flagCounts[(Int(flagRows[row]) &* Self.policies &+ policy) &* Self.verdicts &+ verdict] &+= 1
        }
        var matchCounts = byMatches.mutableSpan
        for row in 0..<count where !verdicts[row].contains(.isByEngine) {
            matchCounts[Int(matchRows[row]) &* Self.policies &+ (verdicts[row].contains(.isFiltered) ? 1 : 0)] &+= 1
        }
    }

    /// Hands over how often each verdict of a policy came with a row of flags.
    func forEachFlagRow(ofPolicy policy: Int, _ body: (_ row: Int, _ verdict: Effect, _ count: Int) -> Void) {
        for (index, count) in byFlags.enumerated() where count > 0 && index / Self.verdicts % Self.policies == policy {
            body(index / Self.verdicts / Self.policies, Effect(rawValue: UInt8(index % Self.verdicts)), count)
        }
    }

    /// Hands over how often each row of matches came under a policy.
    func forEachMatchRow(ofPolicy policy: Int, _ body: (_ row: Int, _ count: Int) -> Void) {
        for (index, count) in byMatches.enumerated() where count > 0 && index % Self.policies == policy {
            body(index / Self.policies, count)
        }
    }
}
