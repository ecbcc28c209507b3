internal import PolicyEngine

/// The account and edits of it without what depends on new devices, for the edits that depend on it.
struct DoubtfulEdits {
    /// The account, then the edited ones.
    let accounts: [Account]
    /// The edits that they stand for, by their numbers.
    let edits: [Int]

    /// - Parameter accounts: The account, then the edited ones.
    /// - Returns: `nil` where nothing depends on new devices.
    init?(_ accounts: [Account]) {
        let doubtful = accounts.map(\.withoutNewDevices)
        edits = accounts.indices.dropFirst().filter { doubtful[0] != nil || doubtful[$0] != nil }.map { $0 - 1 }
        guard !edits.isEmpty else { return nil }
        self.accounts = ([0] + edits.map { $0 + 1 }).map { doubtful[$0] ?? accounts[$0] }
    }
}

/// The positions of the bits of edits in the words of a row.
///
/// An outcome holds rows of the edits that newly reject, newly accept, or of which that is not known, and that give the
/// lifetime of a risky device, or the short one. The same rows of the doubtful edits follow. Then come the account's own
/// lifetimes, and its flags in two words, both also without what depends on new devices. A state holds the number of a
/// memory, then the first three of those rows: the edits that ever did so.
struct EditLayout {
    let edits: Int
    /// The numbers of the doubtful edits.
    let doubtful: [Int]
    /// The number of words of a row of edits, and of one of doubtful edits.
    let words: Int
    let doubtfulWords: Int

    init(edits: Int, doubtful: [Int]) {
        (self.edits, self.doubtful) = (edits, doubtful)
        (words, doubtfulWords) = (BitRow.wordCount(edits), BitRow.wordCount(doubtful.count))
    }

    /// The index of the first word of the rows of doubtful edits.
    var doubtfulRows: Int { 5 * words }
    /// The index of the word that holds lifetimes, before the flags.
    var lifetimes: Int { doubtfulRows + 5 * doubtfulWords }
    var outcomeWidth: Int { lifetimes + 5 }
    var stateWidth: Int { 1 + 3 * words + 3 * doubtfulWords }

    /// The words of a state, each with the word of an outcome that adds to it.
    var accumulated: Zip2Sequence<Range<Int>, [Int]> {
        zip(1..<stateWidth, Array(0..<3 * words) + Array(doubtfulRows..<doubtfulRows + 3 * doubtfulWords))
    }
}

/// All accounts that an attestation is evaluated by, and what they can remember of a device.
struct EditLanes {
    let layout: EditLayout
    private var plain: AccountLanes
    private var doubtful: AccountLanes?
    // By number: what all of them remember.
    private var memories: [(plain: DeviceMemory, doubtful: DeviceMemory)]
    private var memoryNumbers: RowTable
    // Of the current attestation.
    private var verdicts: (plain: LaneVerdicts, doubtful: LaneVerdicts)

    init(_ accounts: [Account], doubtful: DoubtfulEdits?, catalogue: FlagCatalogue) {
        let (edits, doubts) = (accounts.count - 1, doubtful?.edits ?? [])
        layout = EditLayout(edits: edits, doubtful: doubts)
        plain = AccountLanes(accounts, catalogue: catalogue)
        self.doubtful = doubtful.map { AccountLanes($0.accounts, catalogue: catalogue) }
        verdicts = (LaneVerdicts(edits: edits), LaneVerdicts(edits: doubts.count))
        memories = [(DeviceMemory(edits: edits), DeviceMemory(edits: doubts.count))]
        memoryNumbers = RowTable(width: DeviceMemory.width(edits: edits) + DeviceMemory.width(edits: doubts.count))
        _ = memoryNumbers.intern(memories[0].plain.words + memories[0].doubtful.words)
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) {
        plain.adopt(catalogue)
        doubtful?.adopt(catalogue)
    }

    /// The device that stands for another one under every account.
    func representative(of device: DeviceIndex) -> DeviceIndex { plain.representative(of: device) }

    /// Evaluates an attestation under every account.
    ///
    /// - Parameters:
    ///   - kind: The attestation.
    ///   - time: When it was made.
    ///   - memory: The number of what accounts remember of the device.
    ///   - outcome: Becomes what the edits do.
    /// - Returns: The number of what they remember afterwards.
    mutating func evaluate(
        _ kind: AttestationKind, at time: Instant, memory: Int, outcome: inout [UInt64]
    ) -> Int {
        var next = memories[memory]
        plain.evaluate(kind, at: time, &next.plain, &verdicts.plain)
        doubtful?.evaluate(kind, at: time, &next.doubtful, &verdicts.doubtful)
        write(to: &outcome)
        let number = memoryNumbers.intern(next.plain.words + next.doubtful.words)
        if number == memories.count { memories.append(next) }
        return number
    }

    private func write(to outcome: inout [UInt64]) {
        let flips = (verdicts.plain.rejected, verdicts.plain.accepted)
        write(verdicts.plain, unknown: verdicts.plain.unsearched, at: 0, to: &outcome)
        if doubtful != nil {
            // The effect of a doubtful edit is known where it is the same without what depends on new devices.
            var unknown = verdicts.doubtful.unsearched
            for (index, edit) in layout.doubtful.enumerated()
            where verdicts.doubtful.rejected[index] != flips.0[edit]
                || verdicts.doubtful.accepted[index] != flips.1[edit]
            {
                unknown[index] = true
            }
            write(verdicts.doubtful, unknown: unknown, at: layout.doubtfulRows, to: &outcome)
        }
        let accounts = (verdicts.plain.account, verdicts.doubtful.account)
        outcome[layout.lifetimes] = Self.code(accounts.0.lifetime) | Self.code(accounts.1.lifetime) << 2
        for (index, flags) in [accounts.0.flags.bits, accounts.1.flags.bits].enumerated() {
            outcome[layout.lifetimes + 1 + 2 * index] = UInt64(truncatingIfNeeded: flags)
            outcome[layout.lifetimes + 2 + 2 * index] = UInt64(truncatingIfNeeded: flags >> 64)
        }
    }

    private func write(_ verdicts: LaneVerdicts, unknown: BitRow, at start: Int, to outcome: inout [UInt64]) {
        let count = unknown.words.count
        for word in 0..<count {
            let known = ~unknown.words[word]
            outcome[start + word] = verdicts.rejected.words[word] & known
            outcome[start + count + word] = verdicts.accepted.words[word] & known
            outcome[start + 2 * count + word] = unknown.words[word]
            outcome[start + 3 * count + word] = verdicts.risky.words[word]
            outcome[start + 4 * count + word] = verdicts.short.words[word]
        }
    }

    private static func code(_ lifetime: TokenLifetime) -> UInt64 {
        switch lifetime {
        case .usual: 0
        case .risky: 1
        case .short: 2
        }
    }
}
