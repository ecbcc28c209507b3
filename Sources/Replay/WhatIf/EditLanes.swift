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

/// Where in the words of a row the bits of edits stand.
///
/// An outcome holds rows of the edits that newly reject, newly accept, give the lifetime of a risky device, or the short
/// one; then the account's own lifetime, and its flags in two words, both also without what depends on new devices. The same rows of the doubtful edits follow, and those
/// of which nothing is known. A course holds the number of a memory, then rows of the edits that ever did so.
struct EditLayout {
    let edits: Int
    /// The numbers of the doubtful edits.
    let doubtful: [Int]
    /// How many words a row of edits has, and one of doubtful edits.
    let words: Int
    let doubtfulWords: Int

    init(edits: Int, doubtful: [Int]) {
        (self.edits, self.doubtful) = (edits, doubtful)
        (words, doubtfulWords) = (BitRow.wordCount(edits), BitRow.wordCount(doubtful.count))
    }

    /// Where the word stands that holds lifetimes, before the flags.
    var lifetimes: Int { 4 * words }
    /// Where the rows of doubtful edits start.
    var doubtfulRows: Int { 4 * words + 5 }
    var outcomeWidth: Int { doubtfulRows + 5 * doubtfulWords }
    var courseWidth: Int { 1 + 2 * words + 3 * doubtfulWords }

    /// The words of a course, each with the word of an outcome that adds to it.
    var accumulated: Zip2Sequence<Range<Int>, [Int]> {
        zip(1..<courseWidth, Array(0..<2 * words) + Array(doubtfulRows..<doubtfulRows + 3 * doubtfulWords))
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
    // Of the attestation at hand.
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
    mutating func take(_ catalogue: FlagCatalogue) {
        plain.take(catalogue)
        doubtful?.take(catalogue)
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
        let (words, account) = (layout.words, verdicts.plain.account)
        for (row, bits) in [
            verdicts.plain.rejected, verdicts.plain.accepted, verdicts.plain.risky, verdicts.plain.short,
        ].enumerated() {
            for word in 0..<words { outcome[row * words + word] = bits.words[word] }
        }
        let lifetimes = (Self.code(account.lifetime), Self.code(verdicts.doubtful.account.lifetime))
        outcome[layout.lifetimes] = lifetimes.0 | lifetimes.1 << 2
        for (index, flags) in [account.flags.bits, verdicts.doubtful.account.flags.bits].enumerated() {
            outcome[layout.lifetimes + 1 + 2 * index] = UInt64(truncatingIfNeeded: flags)
            outcome[layout.lifetimes + 2 + 2 * index] = UInt64(truncatingIfNeeded: flags >> 64)
        }
        guard doubtful != nil else { return }
        let (known, unknown) = judged
        for (row, bits) in [
            known.rejected, known.accepted, unknown, verdicts.doubtful.risky, verdicts.doubtful.short,
        ].enumerated() {
            let start = layout.doubtfulRows + row * layout.doubtfulWords
            for word in 0..<layout.doubtfulWords { outcome[start + word] = bits.words[word] }
        }
    }

    // What a doubtful edit does is known where it does the same to what depends on new devices.
    private var judged: (known: (rejected: BitRow, accepted: BitRow), unknown: BitRow) {
        var unknown = BitRow(count: layout.doubtful.count)
        var (rejected, accepted) = (verdicts.doubtful.rejected, verdicts.doubtful.accepted)
        for (index, edit) in layout.doubtful.enumerated() {
            let isSame =
                rejected[index] == verdicts.plain.rejected[edit] && accepted[index] == verdicts.plain.accepted[edit]
            guard !isSame else { continue }
            unknown[index] = true
            rejected[index] = false
            accepted[index] = false
        }
        return ((rejected, accepted), unknown)
    }

    private static func code(_ lifetime: TokenLifetime) -> UInt64 {
        switch lifetime {
        case .usual: 0
        case .risky: 1
        case .short: 2
        }
    }
}
