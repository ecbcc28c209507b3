internal import Figures
internal import PolicyEngine

/// Finds out what every edit of an account does to the attestations of a capture.
///
/// While records come, it is noted only what all accounts decide on each, by a number (``LaneTable``), and which accounts have its
/// device as banned. What edits did to a device is worked out at the end, when all of it is known.
///
/// If an edit depends on which devices are new, the same is found out for the account and the edited one without what
/// depends on that: these are the *doubtful* accounts, which count where no record has `new-did`.
struct EditTally {
    private var table: LaneTable
    // By account but the first: its edit. Edits with a doubtful account come first.
    private let order: [Int]
    /// The edits that depend on which devices are new, by their numbers.
    let doubtfulEdits: [Int]
    // `nil` where no account samples devices (R7.6).
    private var sampling: DeviceSampling?
    private var starts = Numbering<UInt64>()
    // By number of the start: what all accounts decide.
    private var decisions: [UInt32] = []
    private var generation = 0
    private var bans: DeviceBans
    // By device: the number of the accounts that have it as banned and 1; 0 for a device that was not seen.
    private var memories: [UInt32] = []
    private var histories = EditHistories()
    /// The decisions on each record of the latest batch.
    private(set) var latestOutcomes: [EditOutcome] = []

    /// - Parameters:
    ///   - accounts: The account, then the edited ones.
    ///   - symbols: The numbering of the attestations, without a device so far; takes those that accounts have entries for.
    init(_ accounts: [Account], symbols: inout SymbolTable) {
        let withoutNew = accounts.map(\.withoutNewDevices)
        let edits = accounts.indices.dropFirst()
        let doubtful = edits.filter { withoutNew[0] != nil || withoutNew[$0] != nil }
        let lanes = doubtful + edits.filter { !doubtful.contains($0) }
        (order, doubtfulEdits) = (lanes.map { $0 - 1 }, doubtful.map { $0 - 1 })
        let plain = ([0] + lanes).map { accounts[$0] }
        let others = ([0] + doubtful).map { withoutNew[$0] ?? accounts[$0] }
        table = LaneTable(doubtful.isEmpty ? [plain] : [plain, others], symbols: &symbols)
        bans = DeviceBans(width: table.width)
        let isSampling = accounts.contains { $0.effectiveFilteredPolicy != nil }
        sampling = isSampling ? DeviceSampling(accounts[0]) : nil
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { table.adopt(catalogue) }

    /// Counts the records of a batch.
    ///
    /// - Parameters:
    ///   - batch: The records, with the matches of the account's filters.
    ///   - symbols: The numbering of devices.
    mutating func count(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        if generation != batch.generation || decisions.count > Self.startLimit {
            generation = batch.generation
            starts.removeAll()
            decisions.removeAll(keepingCapacity: true)
        }
        let (times, devices, matches) = (batch.times, batch.devices, batch.matches)
        let flags = batch.flags(ofAccount: 0)
        prepare(devices, of: symbols.devices.count)
        latestOutcomes.removeAll(keepingCapacity: true)
        for row in devices.indices {
            let (device, memory) = (devices[row], memories[devices[row].offset])
            let isSampled = sampling?.isSampled(device, at: times[row], devices: symbols.devices)
            let start = EditStart(
                flags: Int(flags[row]), matches: Int(matches[row]), device: table.representative(of: device),
                isKnown: memory > 0, isSampled: isSampled ?? false)
            let number = starts.number(of: start.bits)
            if number == decisions.count { addDecision(start, batch) }
            let (decision, banned) = (Int(decisions[number]), max(Int(memory), 1) - 1)
            histories.count(decision, bans: banned, of: device.offset)
            latestOutcomes.append(EditOutcome(decision: decision, bans: banned))
            memories[device.offset] = UInt32(bans.next(banned, after: decision, in: &table) + 1)
        }
    }

    private mutating func prepare(_ next: [DeviceIndex], of count: Int) {
        if count > memories.count {
            memories.append(contentsOf: repeatElement(0, count: max(count, 2 * memories.count) - memories.count))
        }
        histories.reserve(count)
        for device in next {
            memories.prefetch(device.offset)
            histories.prefetch(device.offset)
        }
    }

    @inline(never)
    private mutating func addDecision(_ start: EditStart, _ batch: borrowing Batch) {
        let part = AttestationPart(
            flags: batch.flagSets[start.flags], matches: .none, device: start.device, isKnown: start.isKnown,
            isSampled: start.isSampled)
        decisions.append(UInt32(table.decision(on: part, batch.matchSets(ofAccount: 0)[start.matches])))
    }

    // The number of starts that are kept.
    private static let startLimit = 1 << 18
}

/// All that a decision on a record depends on, in the numbers of a batch, but for who has its device as banned.
private struct EditStart {
    let flags: Int
    let matches: Int
    /// The device, if accounts may have an entry for it, else one that stands for all others.
    let device: DeviceIndex
    /// True if the device attested before.
    let isKnown: Bool
    let isSampled: Bool

    /// A number that no other start has: a batch has no more than 2 to the power of 17 sets of flags or of matches.
    @inline(__always)
    var bits: UInt64 {
        precondition(flags | matches < 1 << 17 && device.offset < 1 << 28, "the numbers have room")
        let marks: UInt64 = (isKnown ? 1 : 0) | (isSampled ? 2 : 0)
        return UInt64(flags) << 47 | UInt64(matches) << 30 | UInt64(device.offset) << 2 | marks
    }
}

/// The decisions of all accounts on a record.
struct EditOutcome {
    /// The number of what they decide.
    let decision: Int
    /// The number of the accounts that had the device as banned before.
    let bans: Int

    init(decision: Int, bans: Int) {
        (self.decision, self.bans) = (decision, bans)
    }

    /// - Parameter bits: The number of the outcome.
    init(bits: UInt64) {
        (decision, bans) = (Int(bits >> 28), Int(bits & 0xFFF_FFFF))
    }

    /// A number below 2 to the power of 60.
    var bits: UInt64 { UInt64(decision) << 28 | UInt64(bans) }
}

// MARK: Figures

extension EditTally {
    /// The number of edits.
    var editCount: Int { order.count }

    /// The number of devices that attested.
    var deviceCount: Int { memories.count { $0 != 0 } }

    /// Writes the verdicts under every edit on attestations of an outcome, the edit with number 0 in lane 1.
    func write(_ outcome: EditOutcome, to row: inout LaneRow) {
        var verdicts = EditVerdicts(table)
        verdicts.append(outcome.decision, banned: outcome.bans, of: bans, from: table)
        for (lane, edit) in order.enumerated() {
            let fails = verdicts.fails(lane + 1, in: 0)
            let isDoubtful = lane < doubtfulEdits.count
            row.set(
                edit + 1, fails: fails, doubtful: isDoubtful ? verdicts.fails(lane + 1, in: 1) : fails,
                isUnknown: isDoubtful && verdicts.isUnknown(lane + 1, in: 1))
        }
    }

    /// The edits under which a decision on a device depends on a search that was given up (R7.2); `nil` for none.
    func unsearchedEdits(of device: Int) -> BitRow? {
        var (unknown, entries) = (BitRow(count: editCount), [EditHistories.Entry]())
        histories.read(device, into: &entries)
        for entry in entries {
            var verdicts = EditVerdicts(table)
            verdicts.append(Int(entry.decision), banned: Int(entry.bans), of: bans, from: table)
            for (lane, edit) in order.enumerated() where verdicts.isUnknown(lane + 1, in: 0) { unknown[edit] = true }
        }
        return unknown.words.contains { $0 != 0 } ? unknown : nil
    }

    /// The effects of the edits, in their order, and those of the doubtful ones without what depends on new devices.
    func figures(_ catalogue: FlagCatalogue) -> (edits: [EditFigures], doubtful: [EditFigures]) {
        var (counter, entries) = (EditFigureCounter(table, bans), [EditHistories.Entry]())
        for device in 0..<histories.deviceCount {
            histories.read(device, into: &entries)
            if !entries.isEmpty { counter.addDevice(entries) }
        }
        let plain = counter.figures(of: 0, catalogue)
        var edits = plain
        for (figures, edit) in zip(plain, order) { edits[edit] = figures }
        return (edits, doubtfulEdits.isEmpty ? [] : counter.figures(of: 1, catalogue))
    }
}
