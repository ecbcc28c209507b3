internal import PolicyEngine

/// Which accounts have a device as banned, by number: a row of bits with one for each account.
///
/// Few sets of accounts come up. So it is worked out once for each which one follows after a decision.
struct DeviceBans {
    /// The number of words of a row.
    private let width: Int
    private var rows: RowTable
    // By decision: the number of its effect on bans; 0 where it has none.
    private var effects: [UInt32] = []
    // By number: the accounts that ban a device, and those that continue to have one as banned.
    private var effectRows: RowTable
    // By effect and number of accounts: the number of those afterwards.
    private var transitions = NumberTable()
    private var nextNumbers: [UInt32] = []
    private var scratch: [UInt64]

    /// - Parameter width: The number of words of a row.
    init(width: Int) {
        self.width = width
        rows = RowTable(width: width)
        _ = rows.intern(Array(repeating: 0, count: width))
        effectRows = RowTable(width: 2 * width)
        scratch = Array(repeating: 0, count: width) + Array(repeating: .max, count: width)
        _ = effectRows.intern(scratch)
    }

    /// A word of the accounts with a number; number 0 is that of none.
    @inline(__always)
    subscript(number: Int, word: Int) -> UInt64 { rows[number, word] }

    /// Takes over what a new decision does.
    mutating func learn(_ decision: Int, from table: borrowing LaneTable) {
        guard decision == effects.count else { return }
        table.readBans(decision, into: &scratch)
        effects.append(UInt32(effectRows.intern(scratch)))
    }

    /// The number of the accounts that have a device as banned after a decision.
    ///
    /// - Parameter number: That of the accounts that had it as banned before.
    @inline(__always)
    mutating func next(_ number: Int, after decision: Int) -> Int {
        let effect = effects[decision]
        guard effect > 0 else { return number }
        let transition = transitions.intern(UInt64(effect) << 32 | UInt64(number))
        if transition == nextNumbers.count { addTransition(Int(effect), from: number) }
        return Int(nextNumbers[transition])
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
