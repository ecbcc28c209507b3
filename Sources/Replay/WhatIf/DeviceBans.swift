internal import PolicyEngine

/// Which accounts have a device as banned, by number: a row of bits with one for each account.
///
/// Few sets of accounts come up. So it is worked out once for each which one follows after a decision.
struct DeviceBans {
    /// The number of words of a row.
    private let width: Int
    private var rows: RowTable
    // By decision: the number of the accounts afterwards, if none had the device as banned before.
    private var firstNumbers: [UInt32] = []
    // By decision: the number of its effect on bans; `.max` where it is not known.
    private var effects: [UInt32] = []
    // By number: the accounts that ban a device, and those that continue to have one as banned.
    private var effectRows: RowTable
    // By effect and number of accounts: the number of those afterwards.
    private var transitions = Numbering<UInt64>()
    private var nextNumbers: [UInt32] = []

    /// - Parameter width: The number of words of a row.
    init(width: Int) {
        self.width = width
        rows = RowTable(width: width)
        effectRows = RowTable(width: 2 * width)
        _ = rows.intern(Array(repeating: 0, count: width))
        // Effect 0 changes nothing.
        _ = effectRows.intern(Array(repeating: 0, count: width) + Array(repeating: .max, count: width))
    }

    /// A word of the accounts with a number; number 0 is that of none.
    @inline(__always)
    subscript(number: Int, word: Int) -> UInt64 { rows[number, word] }

    /// The number of the accounts that have a device as banned after a decision.
    ///
    /// - Parameters:
    ///   - number: That of the accounts that had it as banned before.
    ///   - table: What accounts decide; is prepared for devices that are banned, if this one is.
    @inline(__always)
    mutating func next(_ number: Int, after decision: Int, in table: inout LaneTable) -> Int {
        if decision >= effects.count { addDecision(decision, from: table) }
        guard number > 0 else { return Int(firstNumbers[decision]) }
        if effects[decision] == .max { learnEffect(decision, from: &table) }
        let effect = effects[decision]
        guard effect > 0 else { return number }
        let transition = transitions.number(of: UInt64(effect) << 32 | UInt64(number))
        if transition == nextNumbers.count { addTransition(Int(effect), from: number) }
        return Int(nextNumbers[transition])
    }

    @inline(never)
    private mutating func addDecision(_ decision: Int, from table: borrowing LaneTable) {
        precondition(decision == effects.count, "decisions come in the order of their numbers")
        var row: [UInt64] = []
        for word in 0..<width { row.append(table.bans(decision, word, isBanned: false)) }
        firstNumbers.append(UInt32(rows.intern(row)))
        effects.append(.max)
    }

    @inline(never)
    private mutating func learnEffect(_ decision: Int, from table: inout LaneTable) {
        table.prepareForBans(decision)
        var row: [UInt64] = []
        for isBanned in [false, true] {
            for word in 0..<width { row.append(table.bans(decision, word, isBanned: isBanned)) }
        }
        effects[decision] = UInt32(effectRows.intern(row))
    }

    @inline(never)
    private mutating func addTransition(_ effect: Int, from number: Int) {
        let row = (0..<width).map { word in
            let before = rows[number, word]
            return effectRows[effect, word] & ~before | effectRows[effect, width + word] & before
        }
        nextNumbers.append(UInt32(rows.intern(row)))
    }
}
