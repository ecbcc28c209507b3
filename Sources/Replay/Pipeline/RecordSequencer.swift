internal import Documents
internal import Figures
internal import PolicyEngine

/// Does what must be done block by block in the order of all records: flags get their numbers, lines are counted over the
/// whole capture, times are compared, and malformed records are reported and kept.
struct RecordSequencer: ~Copyable {
    private let request: ReplayRequest
    private var problems: ProblemLog
    private var mistakes = MistakeLog()
    private var repeated = RepeatedRecords()
    // By account that numbers flags in its own way.
    private var numberings: [AccountFlags]
    // The flags that are known so far.
    private(set) var catalogue: FlagCatalogue
    private var latestTime: Instant?
    private var index = 0
    // The lines of the capture before the block.
    private var lines = 0
    private var malformed: LineFile
    /// The malformed records so far.
    private(set) var malformedCount = 0
    /// All records, where they are to be sorted first.
    private(set) var gathered = ParsedRecords()
    /// Why the replay ended before its input did.
    var failure: ReplayFailure?

    init(_ plan: ReplayPlan, _ request: ReplayRequest) throws(ReplayFailure) {
        // Both, or nothing is made.
        let flags = try Self.flags(plan, request)
        let malformed = try LineFile(path: request.malformedPath)
        self.request = request
        self.malformed = malformed
        (catalogue, numberings) = flags
        problems = ProblemLog(isFatal: !request.skipsMalformed)
        if let split = request.split {
            split.note(in: &problems)
            if split.shard.isFirst { malformedCount = split.malformedCount }
        }
    }

    // The flags that are known before the first record: of split captures, all that any part has.
    private static func flags(
        _ plan: ReplayPlan, _ request: ReplayRequest
    ) throws(ReplayFailure) -> (catalogue: FlagCatalogue, numberings: [AccountFlags]) {
        var numberings = plan.numberingAccounts.map(AccountFlags.init)
        guard let split = request.split else { return (plan.catalogue, numberings) }
        let catalogue = try ReplayFailure.wrapping { () throws(CaptureFailure) in
            try split.seeded(plan.catalogue)
        }
        for account in numberings.indices {
            numberings[account].adopt(catalogue)
            guard numberings[account].holdsAll(of: catalogue) else {
                throw .capture(
                    .wrongPart(path: request.captures[0], message: AccountFlags.tooMany, hint: nil))
            }
        }
        return (catalogue, numberings)
    }

    /// Takes the block that comes next.
    ///
    /// - Parameters:
    ///   - slot: The block; loses records that turn out to be malformed.
    ///   - shardCount: How many shards there are.
    /// - Throws: What comes behind the records of the block in place of others; or that malformed records cannot be kept.
    mutating func add(_ slot: inout ReplaySlot, shardCount: Int) throws(ReplayFailure) {
        if slot.startsCapture { lines = 0 }
        if try admitFlags(of: &slot.parsed, in: slot.path) {
            slot.distribute(over: shardCount, of: request.deviceShard)
        }
        let (lines, path, columns) = (lines, slot.path, slot.columns)
        let place = { (line: Int) in
            columns?.place(ofLine: line) ?? RecordPlace(path: path, line: line + lines)
        }
        for record in slot.parsed.malformed {
            problems.note(record.problem, at: place(record.problem.line))
            guard malformed.isOpen else { continue }
            try malformed.write(
                columns?.text(ofLine: record.problem.line) ?? Self.line(slot.block.bytes[record.range]))
        }
        malformedCount += slot.parsed.malformed.count
        noteRepeated(in: &slot)
        mistakes.add(slot.parsed.mistakes, at: place)
        slot.indices = columns?.indices(ofLines: slot.parsed.records.lazy.map(\.head.line))
        if request.sorts {
            gathered.append(slot.parsed.records)
        } else {
            checkTimes(of: slot, at: place)
        }
        slot.firstIndex = index
        slot.catalogue = catalogue
        index += slot.parsed.records.count
        self.lines += slot.parsed.lineCount
        if slot.block.isLast, slot.format == .info, slot.block.lacksFinalNewline { problems.noteCut(path: slot.path) }
        if let failure = slot.failure { throw .capture(failure.moved(by: self.lines)) }
    }

    /// Counts the fetches of a capture that weighs the others.
    ///
    /// - Returns: How many of its lines make no sense.
    mutating func count(_ file: CaptureFile, into counter: inout FetchCounter) throws(ReplayFailure) -> Int {
        try counter.read(file, zones: request.zones, problems: &problems, malformed: &malformed)
    }

    /// The errors and warnings so far.
    var diagnostics: Diagnostics {
        var diagnostics = problems.closed()
        mistakes.warn(&diagnostics, ofRepeated: problems.disordered == 0 && repeated.areMany)
        return diagnostics
    }

    /// Lets somebody note what is wrong.
    mutating func note(_ body: (inout ProblemLog) -> Void) { body(&problems) }

    /// Puts the file of malformed records in its place.
    mutating func finish() throws(ReplayFailure) { try malformed.finish() }

    // Flags get their numbers in the order in which records bring them (R2.3). Returns whether a record was refused.
    private mutating func admitFlags(
        of parsed: inout ParsedBlock, in path: String
    ) throws(ReplayFailure) -> Bool {
        var refused: [Int: FlagListError] = [:]
        for new in parsed.newFlags {
            do throws(FlagListError) {
                parsed.setFlags(try FlagList.read(new.text, catalogue: &catalogue), ofRecordAt: new.index)
            } catch {
                guard !request.refusesExcessFlags else { throw Self.excess(error, in: path) }
                refused[new.index] = error
            }
        }
        if numberings.isEmpty, refused.isEmpty { return false }
        for (index, record) in parsed.records.enumerated() where refused[index] == nil {
            do throws(FlagError) {
                for account in numberings.indices { try numberings[account].adopt(record.flags, of: catalogue) }
            } catch {
                refused[index] = .refused(error)
            }
        }
        guard !refused.isEmpty else { return false }
        parsed.refuse(refused)
        return true
    }

    // Which records have one flag too many depends on the account.
    private static func excess(_ error: FlagListError, in path: String) -> ReplayFailure {
        .refused(
            Diagnostic(
                file: path, message: error.description,
                hint: "a capture with further flags cannot be split; `--shard` of `replay` takes it"))
    }

    // Records that are to be sorted may come from captures of several forms, and all of them are compared: by what was
    // understood of them, since a row of columns takes long to write as a line.
    private mutating func noteRepeated(in slot: inout ReplaySlot) {
        let (records, columns, block, sorts) = (slot.parsed.records, slot.columns, slot.block, request.sorts)
        let found = repeated.add(records, isInOrder: !sorts) { index in
            let head = records.head(index)
            if sorts { return Self.summary(of: records[index])[...] }
            return columns?.content(ofLine: head.line)[...] ?? block.bytes[head.range]
        }
        for index in found { slot.parsed.mistakes.note(.repeated, line: records.head(index).line) }
    }

    private static func summary(of record: ParsedRecord) -> [UInt8] {
        let (head, flags) = (record.head, record.flags.bits)
        var bytes: [UInt8] = []
        head.id.append(to: &bytes)
        let verdict: UInt64 = head.capturedVerdict.map { $0 ? 1 : 2 } ?? 0
        let time = UInt64(bitPattern: Int64(head.time.secondsSinceEpoch))
        for word in [time, verdict, UInt64(truncatingIfNeeded: flags), UInt64(truncatingIfNeeded: flags >> 64)] {
            for shift in UInt64(0)..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
        }
        return bytes
    }

    private mutating func checkTimes(of slot: ReplaySlot, at place: (Int) -> RecordPlace) {
        let records = slot.parsed.records
        guard let first = records.first, let last = records.last else { return }
        if slot.parsed.isInOrder, first.head.time >= latestTime ?? first.head.time {
            latestTime = last.head.time
            return
        }
        for record in records {
            if let latestTime, record.head.time < latestTime {
                problems.noteOrder(record.head.time, after: latestTime, at: place(record.head.line))
            } else {
                latestTime = record.head.time
            }
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.last == UInt8(ascii: "\n") ? Array(bytes) : bytes + [UInt8(ascii: "\n")]
    }
}
