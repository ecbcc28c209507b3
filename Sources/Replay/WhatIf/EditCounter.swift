internal import Figures
internal import PolicyEngine

/// Adds up what edits do, by edit.
struct EditCounter {
    private let layout: EditLayout
    private let isDoubtful: Bool
    // The edits that are counted here, by their numbers.
    private let edits: [Int]
    private var tallies: [Tally]
    // By lifetime: attestations under the account.
    private var lifetimes = [0, 0, 0]

    private struct Tally {
        var figures = EditFigures()
        var acceptedFlags = FlagSet.empty
        // By lifetime before, and then after: attestations that get another one.
        var moved = Array(repeating: 0, count: 9)
        // By lifetime before: attestations of which nothing is known.
        var unknown = [0, 0, 0]
    }

    /// - Parameters:
    ///   - layout: The layout of the bits of edits.
    ///   - isDoubtful: True if only doubtful edits are counted, without what depends on new devices.
    init(_ layout: EditLayout, isDoubtful: Bool) {
        (self.layout, self.isDoubtful) = (layout, isDoubtful)
        edits = isDoubtful ? layout.doubtful : Array(0..<layout.edits)
        tallies = edits.map { _ in Tally() }
    }

    /// Adds attestations of an outcome.
    ///
    /// - Parameters:
    ///   - count: Their number.
    ///   - number: The outcome.
    ///   - state: The state of their devices, which says of which edits nothing is known.
    mutating func addAttestations(
        _ count: Int, of number: Int, in outcomes: RowTable, state: Int, of states: RowTable
    ) {
        guard count > 0 else { return }
        let (first, words) = isDoubtful ? (layout.doubtfulRows, layout.doubtfulWords) : (0, layout.words)
        let code = outcomes[number, layout.lifetimes]
        let before = Int(isDoubtful ? code >> 2 : code & 3)
        let flagWord = layout.lifetimes + (isDoubtful ? 3 : 1)
        let flags = FlagSet(
            bits: UInt128(outcomes[number, flagWord]) | UInt128(outcomes[number, flagWord + 1]) << 64)
        lifetimes[before] += count
        let lifetimeRow = first + 3 * words
        let unknownRow = self.unknownRow
        for word in 0..<words {
            let unknown = states[state, unknownRow + word]
            forEachEdit(outcomes[number, first + word] & ~unknown, word) { $0.figures.rejected.attestations += count }
            forEachEdit(outcomes[number, first + words + word] & ~unknown, word) { tally in
                tally.figures.accepted.attestations += count
                tally.acceptedFlags = tally.acceptedFlags.union(flags)
            }
            forEachEdit(unknown, word) { $0.unknown[before] += count }
            let (risky, short) = (outcomes[number, lifetimeRow + word], outcomes[number, lifetimeRow + words + word])
            let masks: [UInt64] = [~(risky | short), risky, short]
            for after in 0..<3 where after != before {
                forEachEdit(masks[after] & ~unknown, word) { $0.moved[before * 3 + after] += count }
            }
        }
    }

    /// Adds devices of a state.
    mutating func addDevices(_ count: Int, of number: Int, in states: RowTable) {
        guard count > 0 else { return }
        let words = isDoubtful ? layout.doubtfulWords : layout.words
        let first = unknownRow - 2 * words
        for word in 0..<words {
            let unknown = states[number, unknownRow + word]
            forEachEdit(states[number, first + word] & ~unknown, word) { $0.figures.rejected.devices += count }
            forEachEdit(states[number, first + words + word] & ~unknown, word) { $0.figures.accepted.devices += count }
            forEachEdit(unknown, word) { $0.figures.unevaluatedDevices += count }
        }
    }

    // The index of the first word of a state's row of edits of which it is not known what they do.
    private var unknownRow: Int {
        isDoubtful ? 1 + 3 * layout.words + 2 * layout.doubtfulWords : 1 + 2 * layout.words
    }

    private mutating func forEachEdit(_ bits: UInt64, _ word: Int, _ body: (inout Tally) -> Void) {
        var rest = bits
        while rest != 0 {
            let edit = word << 6 | rest.trailingZeroBitCount
            if edit >= tallies.count { return }
            body(&tallies[edit])
            rest &= rest - 1
        }
    }

    /// The figures of the edits that are counted here, in their order.
    func figures(_ catalogue: FlagCatalogue) -> [EditFigures] {
        let seconds = [TokenLifetime.usual, .risky, .short].map(\.seconds)
        return tallies.map { tally in
            var figures = tally.figures
            figures.setAcceptedFlags(catalogue.names(of: tally.acceptedFlags))
            for before in 0..<3 {
                var rest = lifetimes[before] - tally.unknown[before]
                for after in 0..<3 where after != before {
                    let count = tally.moved[before * 3 + after]
                    rest -= count
                    figures.countLifetimes(seconds[before], seconds[after], count)
                }
                figures.countLifetimes(seconds[before], seconds[before], rest)
            }
            return figures
        }
    }
}
