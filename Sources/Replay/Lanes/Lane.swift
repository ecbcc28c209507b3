internal import PolicyEngine

/// One account that decides about batches of records, with its memory of devices.
///
/// Most devices attested before, or did not, and nothing else is remembered of them: what is decided about their records
/// follows from two tables (``EffectTables``). About the others ``Engine`` decides, record by record.
struct Lane {
    /// Decides about records that the tables do not decide about, and names what decisions consist of.
    private(set) var engine: Engine
    /// The tables of the account's own policy.
    private(set) var own: EffectTables
    /// Those of the filtered policy; `nil` where it has no effect (R7.3).
    private(set) var filtered: EffectTables?
    /// The verdict on each record of the batch.
    private(set) var verdicts: [Effect] = []
    /// The row of flags of each record; of one that the engine decided about, its index among these.
    private(set) var flagRows: [UInt32] = []
    /// The row of matches of each record.
    private(set) var matchRows: [UInt32] = []
    // Of the account among those whose filters were matched.
    private let index: Int
    private var numbering: AccountFlags?
    private let areSeparable: Bool
    private var sampling: DeviceSampling?
    private var generation = 0
    // By device number.
    private var memory: [Memory] = []
    private let entries: [DeviceIndex]
    private var engineRecords: [EngineRecord] = []
    private var engineDecisions: [Decision] = []
    private var known = RecentValues<TableRows, Decision>()

    /// The state that is remembered of a device.
    private enum Memory: UInt8, Sendable {
        /// Nothing.
        case nothing
        /// It attested.
        case attested
        /// The engine remembers more.
        case more
    }

    /// A record that the engine decides about.
    private struct EngineRecord {
        let row: Int
        /// True if its device attested, and the engine does not know that.
        let isToBeNoted: Bool
    }

    /// - Parameters:
    ///   - account: The account.
    ///   - index: Its index among those whose filters were matched.
    ///   - numbersFlags: True if the account numbers flags in its own way, whatever other records brought.
    ///   - symbols: The numbering of the records; takes the devices that the account names.
    init(_ account: Account, index: Int = 0, numbersFlags: Bool = false, symbols: inout SymbolTable) {
        engine = Engine(account: account, symbols: &symbols)
        own = EffectTables(account, symbols: &symbols)
        if let filtered = account.effectiveFilteredPolicy {
            var other = account
            other.policy = filtered
            self.filtered = EffectTables(other, symbols: &symbols)
            sampling = DeviceSampling(account)
        }
        self.index = index
        numbering = numbersFlags ? AccountFlags(account) : nil
        areSeparable = !engine.hasFiltersOnFlags
        let devices = symbols.devices
        entries = account.devices.compactMap { devices.index(of: $0.id) }
    }

    /// Takes flags that records brought.
    mutating func adopt(_ catalogue: FlagCatalogue) { numbering?.adopt(catalogue) }

    /// The numbering of the account's flags and of devices.
    func numbering(of symbols: borrowing SymbolTable) -> SymbolTable {
        numbering?.numbering(of: symbols) ?? copy symbols
    }

    /// The flags that the account has numbered so, in the numbers of the records.
    func original(_ flags: FlagSet) -> FlagSet { numbering?.original(flags) ?? flags }

    /// True if the numbers of the sets in a batch are other ones than those of the tables, which then have to be settled.
    func isOutdated(by batch: borrowing Batch) -> Bool { generation != batch.generation }

    /// Decides about records.
    ///
    /// - Parameters:
    ///   - batch: The records.
    ///   - symbols: The numbering of devices and flags.
    mutating func decide(_ batch: borrowing Batch, symbols: borrowing SymbolTable) {
        learn(batch, symbols)
        engineDecisions.removeAll(keepingCapacity: true)
        engineRecords.removeAll(keepingCapacity: true)
        if areSeparable {
            decideByTables(batch)
            if let filtered { apply(filtered, to: batch, symbols) }
        } else {
            leaveAllToEngine(batch)
        }
        if !engineRecords.isEmpty { decideByEngine(batch, symbols) }
    }

    private mutating func learn(_ batch: borrowing Batch, _ symbols: borrowing SymbolTable) {
        if isOutdated(by: batch) {
            generation = batch.generation
            own.clear()
            filtered?.clear()
            known = RecentValues()
        }
        let matchSets = batch.matchSets(ofAccount: index)
        let (flagCount, matchCount) = (own.flagEffects.count / 2, own.matchEffects.count / 2)
        if batch.flagSets.count > flagCount || matchSets.count > matchCount {
            let new = batch.flagSets.dropFirst(flagCount)
            let flagSets = numbering.map { numbering in new.map { numbering.numbered($0) } } ?? Array(new)
            let symbols = numbering(of: symbols)
            own.extend(to: flagSets, matchSets, symbols: symbols)
            filtered?.extend(to: flagSets, matchSets, symbols: symbols)
        }
        let devices = symbols.devices.count
        if devices > memory.count {
            let isFirst = memory.isEmpty
            memory.append(contentsOf: repeatElement(.nothing, count: max(devices, 2 * memory.count) - memory.count))
            if isFirst { for device in entries { memory[device.offset] = .more } }
        }
        if verdicts.isEmpty {
            verdicts = Array(repeating: [], count: Batch.limit)
            flagRows = Array(repeating: 0, count: Batch.limit)
            matchRows = Array(repeating: 0, count: Batch.limit)
        }
    }

    // The lists are taken out of the value while they are written, since several parts of it cannot be written at once.
    private mutating func decideByTables(_ batch: borrowing Batch) {
        var (memory, verdicts, flagRows, matchRows) = ([Memory](), [Effect](), [UInt32](), [UInt32]())
        swap(&memory, &self.memory)
        swap(&verdicts, &self.verdicts)
        swap(&flagRows, &self.flagRows)
        swap(&matchRows, &self.matchRows)
        defer {
            swap(&memory, &self.memory)
            swap(&verdicts, &self.verdicts)
            swap(&flagRows, &self.flagRows)
            swap(&matchRows, &self.matchRows)
        }
        decideByTables(
            batch, memory: &memory, verdicts: &verdicts, flagRows: &flagRows, matchRows: &matchRows)
    }

    private mutating func decideByTables(
        _ batch: borrowing Batch, memory allMemory: inout [Memory], verdicts allVerdicts: inout [Effect],
        flagRows allFlagRows: inout [UInt32], matchRows allMatchRows: inout [UInt32]
    ) {
        let (flagEffects, matchEffects) = (own.flagEffects, own.matchEffects)
        let (allDevices, allFlags, allMatches) = (batch.devices, batch.flags(ofAccount: index), batch.matches)
        let (devices, flags, matches) = (allDevices.span, allFlags.span, allMatches.span)
        let (byFlags, byMatches) = (flagEffects.span, matchEffects.span)
        var memory = allMemory.mutableSpan
        var verdicts = allVerdicts.mutableSpan
        var flagRows = allFlagRows.mutableSpan
        var matchRows = allMatchRows.mutableSpan
        for row in devices.indices {
            let device = devices[row].offset
            let known = memory[device]
            let flagRow = flags[row] &* 2 &+ (known == .nothing ? 1 : 0)
            let flagEffect = byFlags[Int(flagRow)]
            let matchRow = matches[row] &* 2 &+ (flagEffect.contains(.isNew) ? 1 : 0)
            let matchEffect = byMatches[Int(matchRow)]
            (flagRows[row], matchRows[row]) = (flagRow, matchRow)
            verdicts[row] = Effect.verdict(flagEffect, matchEffect)
            if known == .more || matchEffect.contains(.isByEngine) {
                verdicts[row].insert(.isByEngine)
                engineRecords.append(EngineRecord(row: row, isToBeNoted: known == .attested))
                if known != .more { memory[device] = matchEffect.contains(.bans) ? .more : .attested }
            } else if known == .nothing {
                memory[device] = .attested
            }
        }
    }

    private mutating func apply(
        _ filtered: EffectTables, to batch: borrowing Batch, _ symbols: borrowing SymbolTable
    ) {
        for row in 0..<batch.count where !verdicts[row].contains(.isByEngine) {
            let isSampled = sampling?.isSampled(batch.devices[row], at: batch.times[row], devices: symbols.devices)
            guard verdicts[row].contains(.isFiltered) || isSampled == true else { continue }
            verdicts[row] = Effect.verdict(
                filtered.flagEffects[Int(flagRows[row])], filtered.matchEffects[Int(matchRows[row])]
            ).union(.isFiltered)
        }
    }

    private mutating func leaveAllToEngine(_ batch: borrowing Batch) {
        for row in 0..<batch.count { engineRecords.append(EngineRecord(row: row, isToBeNoted: false)) }
    }

    private mutating func decideByEngine(_ batch: borrowing Batch, _ symbols: borrowing SymbolTable) {
        let matchSets = batch.matchSets(ofAccount: index)
        let symbols = numbering(of: symbols)
        for record in engineRecords {
            let row = record.row
            if record.isToBeNoted { engine.noteAttested(batch.devices[row]) }
            let decision = engine.attest(
                attestation(row, batch), matches: matchSets[Int(batch.matches[row])], symbols: symbols)
            flagRows[row] = UInt32(engineDecisions.count)
            engineDecisions.append(decision)
            verdicts[row] = decision.passed ? .isByEngine : [.isByEngine, .fails]
        }
    }

    private func attestation(_ row: Int, _ batch: borrowing Batch) -> Attestation {
        let flags = batch.flagSets[Int(batch.flags(ofAccount: index)[row])]
        return Attestation(
            time: batch.times[row], device: batch.devices[row], flags: numbering?.numbered(flags) ?? flags)
    }
}

// The decisions about the records of the batch. Functions that only look at the lane are inlined, since a call would copy all of it.
extension Lane {
    /// True if a record passes.
    @inline(__always)
    func passes(_ row: Int) -> Bool { !verdicts[row].contains(.fails) }

    /// True if another lane may have decided otherwise about a record, where both differ only in what depends on new devices.
    @inline(__always)
    func mayDiffer(from other: borrowing Lane, at row: Int) -> Bool {
        if verdicts[row].contains(.isByEngine) || other.verdicts[row].contains(.isByEngine) { return true }
        return other.own.flagEffects[Int(other.flagRows[row])].contains(.isNew)
    }

    /// The decided rules, among some, on which a decision about a record rests.
    mutating func decidedRules(
        of decision: Decision, among open: DecidedRules, symbols: borrowing SymbolTable
    ) -> DecidedRules {
        engine.decidedRules(of: decision, among: open, symbols: numbering(of: symbols))
    }

    /// A number below ``tokenCases`` for what a token follows from beside the observed flags: whether its device was new, and whether it
    /// is risky, under which policy. `nil` for a record that the engine decided about.
    @inline(__always)
    func tokenCase(_ row: Int) -> Int? {
        let verdict = verdicts[row]
        guard !verdict.contains(.isByEngine) else { return nil }
        let isFirst = Int(flagRows[row] & 1)
        return isFirst | (verdict.contains(.isRisky) ? 2 : 0) | (verdict.contains(.isFiltered) ? 4 : 0)
    }

    /// The number of cases of a token with the same observed flags.
    static let tokenCases = 8

    /// The verdict on a record and why; `nil` for one that the engine decided about.
    @inline(__always)
    func verdictCause(_ row: Int) -> VerdictCause? {
        let verdict = verdicts[row]
        guard !verdict.contains(.isByEngine) else { return nil }
        let (flagRow, matchRow) = (Int(flagRows[row]), Int(matchRows[row]))
        if verdict.contains(.isFiltered) {
            return filtered?.cause(of: verdict, flagRow: flagRow, matchRow: matchRow, by: .filtered)
        }
        return own.cause(of: verdict, flagRow: flagRow, matchRow: matchRow, by: .account)
    }

    /// All flags of a record that the engine did not decide about.
    @inline(__always)
    func effectiveFlags(_ row: Int) -> FlagSet { own.effectiveFlags(Int(flagRows[row]), verdicts[row]) }

    /// The rows that the decision about a record follows from; `nil` for one that the engine decided about.
    @inline(__always)
    func rows(_ row: Int) -> TableRows? {
        let verdict = verdicts[row]
        guard !verdict.contains(.isByEngine) else { return nil }
        return TableRows(flags: flagRows[row], matches: matchRows[row], isFiltered: verdict.contains(.isFiltered))
    }

    /// The decision about a record.
    ///
    /// - Complexity: O(1); a decision by tables is made by the engine where no equal one was made just before.
    mutating func decision(_ row: Int, _ batch: borrowing Batch, symbols: borrowing SymbolTable) -> Decision {
        guard let rows = rows(row) else { return engineDecisions[Int(flagRows[row])] }
        if let decision = known[rows] { return decision.moved(to: batch.devices[row], at: batch.times[row]) }
        var situation = DeviceSituation(
            isKnown: rows.flags & 1 == 0, isBanned: false, isUnbanned: false, isSampled: rows.isFiltered)
        let matches = batch.matchSets(ofAccount: index)[Int(batch.matches[row])]
        let attestation = attestation(row, batch)
        let decision =
            if let numbering, !numbering.isSame {
                engine.attest(
                    attestation, matches: matches, in: &situation, symbols: numbering.numbering(of: symbols))
            } else {
                engine.attest(attestation, matches: matches, in: &situation, symbols: symbols)
            }
        known[rows] = decision
        return decision
    }
}

/// The rows that a decision by tables follows from.
struct TableRows: Mixed {
    let flags: UInt32
    let matches: UInt32
    let isFiltered: Bool

    var mixedBits: UInt64 { UInt64(flags) << 33 ^ UInt64(matches) << 1 ^ (isFiltered ? 1 : 0) }
}
