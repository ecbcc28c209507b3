internal import Documents
internal import PolicyEngine

/// Puts the records of blocks behind one another: what depends on all that came before is found out here, block by block.
struct RecordOrder {
    private let request: ReplayRequest
    private var problems: ProblemLog
    private var slips = SlipLog()
    private var sides: [SideFlags]
    /// The flags that are known so far.
    private(set) var catalogue: FlagCatalogue
    private var latestTime: Instant?
    private var index = 0
    // The lines of the capture before the block.
    private var lines = 0
    /// The malformed records so far.
    private(set) var malformedCount = 0

    init(_ request: ReplayRequest, catalogue: FlagCatalogue, numberingAccounts: [Account]) {
        self.request = request
        self.catalogue = catalogue
        problems = ProblemLog(isFatal: !request.skipsMalformed)
        sides = numberingAccounts.map(SideFlags.init)
    }

    /// Takes the block that comes next.
    ///
    /// - Parameters:
    ///   - slot: The block; loses records that turn out to be malformed.
    ///   - shardCount: How many shards there are.
    ///   - output: Where malformed records are kept.
    /// - Throws: What the block holds in place of records; or that malformed records cannot be kept.
    mutating func take<Matches>(
        _ slot: inout ReplaySlot<Matches>, shardCount: Int, malformed output: inout LineFile
    ) throws(ReplayFailure) {
        if slot.startsCapture { lines = 0 }
        if let failure = slot.failure { throw .capture(failure.moved(by: lines)) }
        if admitFlags(of: &slot.parsed) { slot.distribute(over: shardCount) }
        for record in slot.parsed.malformed {
            problems.note(record.problem.moved(by: lines), path: slot.path)
            guard output.isOpen else { continue }
            try output.write(Self.line(slot.block.bytes[record.range]))
        }
        malformedCount += slot.parsed.malformed.count
        slips.take(slot.parsed.slips, path: slot.path, behind: lines)
        if !request.sorts { checkTimes(of: slot) }
        slot.firstIndex = index
        slot.catalogue = catalogue
        index += slot.parsed.records.count
        lines += slot.parsed.lineCount
        if slot.block.isLast, slot.format == .info, slot.block.lacksFinalNewline { problems.noteCut(path: slot.path) }
    }

    /// Counts the fetches of a capture that weighs the others.
    mutating func count(
        _ file: CaptureFile, zones: TimeZones, into counter: inout FetchCounter, malformed: inout LineFile
    ) throws(ReplayFailure) -> Int {
        try counter.read(file, zones: zones, problems: &problems, malformed: &malformed)
    }

    /// What is wrong so far.
    var diagnostics: Diagnostics {
        var diagnostics = problems.closed()
        slips.warn(&diagnostics)
        return diagnostics
    }

    /// Lets somebody note what is wrong.
    mutating func note(_ body: (inout ProblemLog) -> Void) { body(&problems) }

    // Flags get their places in the order in which records bring them (R2.3). Returns whether a record was refused.
    private mutating func admitFlags<Matches>(of parsed: inout ParsedBlock<Matches>) -> Bool {
        var refused: [Int: String] = [:]
        for new in parsed.newFlags {
            do throws(FlagListError) {
                parsed.setFlags(try FlagList.read(new.text, catalogue: &catalogue), ofRecordAt: new.place)
            } catch {
                refused[new.place] = error.description
            }
        }
        for (place, record) in parsed.records.enumerated() where !sides.isEmpty && refused[place] == nil {
            do throws(FlagError) {
                for side in sides.indices { try sides[side].take(record.flags, of: catalogue) }
            } catch {
                refused[place] = error.description
            }
        }
        guard !refused.isEmpty else { return false }
        parsed.refuse(refused)
        return true
    }

    private mutating func checkTimes<Matches>(of slot: ReplaySlot<Matches>) {
        let records = slot.parsed.records
        guard let first = records.first, let last = records.last else { return }
        if slot.parsed.isInOrder, first.head.time >= latestTime ?? first.head.time {
            latestTime = last.head.time
            return
        }
        for record in records {
            if let latestTime, record.head.time < latestTime {
                problems.noteOrder(record.head.time, after: latestTime, line: record.head.line + lines, path: slot.path)
            } else {
                latestTime = record.head.time
            }
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.last == UInt8(ascii: "\n") ? Array(bytes) : bytes + [UInt8(ascii: "\n")]
    }
}
