/// Counts attestations by the rows of a lane's tables that their decisions follow from.
struct RowCounts: Sendable {
    // By policy, the account's own one first; the filtered one counts nothing where it has no effect.
    private var policies = [PolicyCounts(), PolicyCounts()]

    /// Makes room for the rows that a lane has.
    mutating func reserve(_ lane: borrowing Lane) {
        let (flagRows, matchRows) = (lane.own.flagEffects.count, lane.own.matchEffects.count)
        policies[0].reserve(flagRows: flagRows, matchRows: matchRows)
        if lane.filtered != nil { policies[1].reserve(flagRows: flagRows, matchRows: matchRows) }
    }

    /// Counts the attestations of a batch that a lane decided about by its tables.
    ///
    /// - Parameter count: The number of records of the batch.
    mutating func add(_ lane: borrowing Lane, count: Int) {
        policies[0].add(lane, count: count, decidedBy: [])
        if lane.filtered != nil { policies[1].add(lane, count: count, decidedBy: .isFiltered) }
    }

    /// Hands over how often each verdict of a policy came with a row of flags.
    func forEachFlagRow(ofPolicy policy: Int, _ body: (_ row: Int, _ verdict: Effect, _ count: Int) -> Void) {
        for (index, count) in policies[policy].byFlags.enumerated() where count > 0 {
            body(index / PolicyCounts.verdicts, Effect(rawValue: UInt8(index % PolicyCounts.verdicts)), count)
        }
    }

    /// Hands over how often each row of matches came under a policy.
    func forEachMatchRow(ofPolicy policy: Int, _ body: (_ row: Int, _ count: Int) -> Void) {
        for (row, count) in policies[policy].byMatches.enumerated() where count > 0 { body(row, count) }
    }
}

/// The counts of one policy.
private struct PolicyCounts {
    // By row of flags and verdict: failed or not, risky or not.
    private(set) var byFlags: [Int] = []
    // By row of matches.
    private(set) var byMatches: [Int] = []

    static let verdicts = 4
    private static let counted: Effect = [.fails, .isRisky]
    private static let deciding: Effect = [.isByEngine, .isFiltered]

    mutating func reserve(flagRows: Int, matchRows: Int) {
        Self.extend(&byFlags, to: flagRows * Self.verdicts)
        Self.extend(&byMatches, to: matchRows)
    }

    private static func extend(_ counts: inout [Int], to count: Int) {
        if count > counts.count { counts.append(contentsOf: repeatElement(0, count: count - counts.count)) }
    }

    // Counts the records of a batch with one of two effects: that the filtered policy decides, or nothing.
    mutating func add(_ lane: borrowing Lane, count: Int, decidedBy policy: Effect) {
        let (allVerdicts, allFlagRows, allMatchRows) = (lane.verdicts, lane.flagRows, lane.matchRows)
        let (verdicts, flagRows, matchRows) = (allVerdicts.span, allFlagRows.span, allMatchRows.span)
        var flagCounts = byFlags.mutableSpan
        for row in 0..<count where verdicts[row].intersection(Self.deciding) == policy {
            let verdict = Int(verdicts[row].intersection(Self.counted).rawValue)
            flagCounts[Int(flagRows[row]) &* Self.verdicts &+ verdict] &+= 1
        }
        var matchCounts = byMatches.mutableSpan
        for row in 0..<count where verdicts[row].intersection(Self.deciding) == policy {
            matchCounts[Int(matchRows[row])] &+= 1
        }
    }
}
