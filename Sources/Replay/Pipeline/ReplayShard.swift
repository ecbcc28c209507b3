internal import PolicyEngine

/// Some of the devices of a replay, and their evaluator: everything that is remembered of a device lies in one shard.
struct ReplayShard<Evaluator: RecordEvaluator> {
    private(set) var symbols: SymbolTable
    private(set) var evaluator: Evaluator
    private let writesDecisions: Bool
    private let tokenDomain: String?
    private let keepsVerdicts: Bool
    private var writer: DecisionWriter
    private var output = ShardOutput()
    // Where fetches weigh devices.
    private var latestVerdicts = LatestVerdicts()
    private var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
    // Those that are on their way, one at each step.
    private var batches = Array(repeating: DeviceBatch(), count: steps)

    /// - Parameters:
    ///   - work: What the replay is done for.
    ///   - request: What it is asked to do.
    init<Work: ReplayWork>(_ work: Work, _ request: ReplayRequest) where Work.Evaluator == Evaluator {
        symbols = SymbolTable(catalogue: work.catalogue)
        evaluator = work.makeEvaluator(&symbols)
        writesDecisions = request.decisionsPath != nil
        writer = DecisionWriter(redactor: request.redactor)
        tokenDomain = request.tokensPath == nil ? nil : request.tokenDomain
        keepsVerdicts = request.fetchesPath != nil
    }

    /// Evaluates the records of a block that are about this shard's devices.
    ///
    /// - Parameters:
    ///   - records: All records of the block.
    ///   - rows: Which of them; `nil` for all.
    ///   - catalogue: The flags that are known behind the block.
    ///   - firstIndex: The number of the block's first record among all.
    ///   - indices: The number of each record, where they do not follow one another.
    /// - Returns: What is to be written.
    mutating func evaluate(
        _ records: [ParsedRecord<Evaluator.Matches>], at rows: [Int32]?, catalogue: FlagCatalogue, firstIndex: Int,
        indices: [Int]? = nil
    ) -> ShardOutput {
        if catalogue.flags.count > symbols.catalogue.flags.count {
            symbols.catalogue = catalogue
            evaluator.take(catalogue)
        }
        output.clear()
        let rows = BatchedRows(rows: rows, count: rows?.count ?? records.count)
        for round in 0..<rows.batchCount + Self.steps - 1 {
            for step in 0..<Self.steps { take(step, batch: round - step, of: rows, records) }
            let batch = round - (Self.steps - 1)
            guard batch >= 0 else { continue }
            for (place, number) in rows.range(ofBatch: batch).enumerated() {
                let row = rows[number]
                evaluate(
                    records[row], device: batches[batch % Self.steps].devices[place],
                    index: indices?[row] ?? firstIndex + row)
            }
        }
        if indices == nil { evaluator.finish(upTo: firstIndex + records.count) }
        return output
    }

    /// Steps of a batch of devices until its records are evaluated. Each step has fetched from memory what the next one
    /// needs, and in between the other batches take theirs.
    private static var steps: Int { 4 }

    private mutating func take(
        _ step: Int, batch number: Int, of rows: BatchedRows, _ records: [ParsedRecord<Evaluator.Matches>]
    ) {
        guard 0..<rows.batchCount ~= number else { return }
        let place = number % Self.steps
        switch step {
        case 0:
            batches[place].identifiers.removeAll(keepingCapacity: true)
            for row in rows.range(ofBatch: number) { batches[place].identifiers.append(records[rows[row]].head.id) }
            symbols.devices.fetchSlots(&batches[place])
        case 1: symbols.devices.fetchIdentifiers(batches[place])
        case 2:
            symbols.devices.intern(&batches[place])
            evaluator.expect(batches[place].devices)
        default: break
        }
    }

    private mutating func evaluate(
        _ record: borrowing ParsedRecord<Evaluator.Matches>, device: DeviceIndex, index: Int
    ) {
        attestation.time = record.head.time
        attestation.device = device
        attestation.flags = record.flags
        let decision = evaluator.evaluate(attestation, of: record, index: index, symbols: symbols)
        if keepsVerdicts { latestVerdicts.note(decision) }
        if writesDecisions {
            output.decisions.append(writer.render(decision, index: index, engine: evaluator.engine, symbols: symbols))
        }
        if let tokenDomain { writeToken(for: decision, of: record, domain: tokenDomain) }
    }

    private mutating func writeToken(
        for decision: Decision, of record: borrowing ParsedRecord<Evaluator.Matches>, domain: String
    ) {
        do throws(TokenIssueError) {
            var line = try evaluator.token(for: decision, of: record, domain: domain, symbols: symbols)
            line.append(UInt8(ascii: "\n"))
            output.tokens.append(line)
        } catch {
            output.failure = .token(error)
        }
    }

    /// The verdict of a device's latest attestation; `nil` for one that never attested.
    func latestVerdict(of id: DeviceID) -> Bool? {
        symbols.devices.index(of: id).flatMap { latestVerdicts[$0] }
    }

    /// The result of the evaluator.
    func result(fetches: FetchCounter?) -> Evaluator.Result { evaluator.result(symbols: symbols, fetches: fetches) }
}

/// The records of a block that are about the devices of one shard, some of them at a time.
private struct BatchedRows {
    /// Which of the block's records; `nil` for all.
    let rows: [Int32]?
    let count: Int

    /// What a batch fetches from memory must still be near when its turn comes.
    private static var length: Int { 32 }

    var batchCount: Int { (count + Self.length - 1) / Self.length }

    func range(ofBatch batch: Int) -> Range<Int> {
        batch * Self.length..<min((batch + 1) * Self.length, count)
    }

    /// The index of a record in the block.
    subscript(number: Int) -> Int { rows.map { Int($0[number]) } ?? number }
}

/// The verdict of each device's latest attestation, which says what its fetches are worth.
struct LatestVerdicts {
    // By device number; `nil` for one that never attested.
    private var verdicts: [Bool?] = []

    /// Notes a decision.
    mutating func note(_ decision: Decision) {
        let device = decision.device.offset
        if device >= verdicts.count {
            verdicts.append(contentsOf: repeatElement(nil, count: device + 1 - verdicts.count))
        }
        verdicts[device] = decision.passed
    }

    /// The verdict of a device; `nil` for one that never attested.
    subscript(device: DeviceIndex) -> Bool? { device.offset < verdicts.count ? verdicts[device.offset] : nil }
}
