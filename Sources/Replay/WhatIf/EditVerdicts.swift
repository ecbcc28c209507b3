internal import PolicyEngine

/// The verdicts on attestations, and the lifetimes of their tokens, under an account and all edits of it.
///
/// There are groups of accounts: those as they are, then perhaps those of them that depend on new devices, without what depends on
/// that. The first one of a group is the account itself.
struct EditVerdicts {
    private let groups: [LaneGroup]
    private let width: Int
    // By attestation: the rows of `LaneEffect` that say what becomes of it.
    private var words: [UInt64] = []
    /// The number of attestations.
    private(set) var count = 0

    /// - Parameter table: The decisions of accounts.
    init(_ table: borrowing LaneTable) {
        (groups, width) = (table.groups, table.width)
    }

    /// Forgets all attestations.
    mutating func removeAll() { count = 0 }

    /// Adds an attestation.
    ///
    /// - Parameters:
    ///   - decision: The number of what accounts decide.
    ///   - number: The number of the accounts that have the device as banned before.
    mutating func append(
        _ decision: Int, banned number: Int, of bans: borrowing DeviceBans, from table: borrowing LaneTable
    ) {
        let size = LaneEffect.ofVerdict * width
        if words.count < (count + 1) * size { words.append(contentsOf: repeatElement(0, count: size)) }
        table.read(decision, banned: number, of: bans, into: &words, at: count * size)
        let unknown = count * size + LaneEffect.unsearched.rawValue * width
        for group in groups where words[unknown + group.words.lowerBound] & 1 != 0 {
            // A verdict that is not known under the account itself is not known under any edit.
            for word in group.words { words[unknown + word] = .max }
        }
        count += 1
        if groups.count > 1 { noteDoubt(unknown) }
    }

    // The effect of an edit is known where it is the same without what depends on new devices.
    private mutating func noteDoubt(_ unknown: Int) {
        let index = count - 1
        let (first, second) = (fails(index, in: groups[0]), fails(index, in: groups[1]))
        for (own, word) in zip(groups[0].words, groups[1].words) {
            let (plain, doubtful) = (failing(index, own), failing(index, word))
            let (turned, other) = (first ? ~plain : plain, second ? ~doubtful : doubtful)
            words[unknown + word] |= first == second ? turned ^ other : turned | other
        }
    }

    @inline(__always)
    private func word(_ effect: LaneEffect, _ index: Int, _ word: Int) -> UInt64 {
        words[(index * LaneEffect.ofVerdict + effect.rawValue) * width + word]
    }

    /// True if an attestation fails under the first account of a group.
    @inline(__always)
    func fails(_ index: Int, in group: LaneGroup) -> Bool { failing(index, group.words.lowerBound) & 1 != 0 }

    /// A word of the accounts under which an attestation fails.
    @inline(__always)
    func failing(_ index: Int, _ word: Int) -> UInt64 { self.word(.fails, index, word) }

    /// A word of the accounts of which it is not known what they decide.
    @inline(__always)
    func unknown(_ index: Int, _ word: Int) -> UInt64 { self.word(.unsearched, index, word) }

    /// A word of the accounts under which the token of an attestation has the short lifetime (R11.1).
    @inline(__always)
    func short(_ index: Int, _ word: Int) -> UInt64 { self.word(.short, index, word) }

    /// A word of the accounts under which it has that of a risky device.
    @inline(__always)
    func risky(_ index: Int, _ word: Int) -> UInt64 { self.word(.risky, index, word) & ~short(index, word) }

    /// True if the first attestation fails under an account of a group; where that is not known, what holds for the group's first
    /// account.
    func fails(_ lane: Int, in group: Int) -> Bool {
        bit(.fails, isUnknown(lane, in: group) ? 0 : lane, in: group)
    }

    /// True if it is not known what an account of a group decides on the first attestation.
    func isUnknown(_ lane: Int, in group: Int) -> Bool { bit(.unsearched, lane, in: group) }

    private func bit(_ effect: LaneEffect, _ lane: Int, in group: Int) -> Bool {
        word(effect, 0, groups[group].words.lowerBound + lane >> 6) & 1 << UInt64(lane & 63) != 0
    }
}
