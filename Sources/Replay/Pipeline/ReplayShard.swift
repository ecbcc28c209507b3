internal import Figures
internal import PolicyEngine

/// Some of the devices of a replay, and their evaluator: everything that is remembered of a device lies in one shard.
struct ReplayShard {
    private(set) var symbols: SymbolTable
    private(set) var evaluator: any BatchEvaluator
    private let writesDecisions: Bool
    // True if something is done with each record besides evaluating it.
    private let doesMore: Bool
    // `nil` unless tokens are written.
    private var tokens: TokenWriter?
    private let addressIndex: Int
    private var counter: ValueCounter?
    private var labels: LabelCounter?
    private let keepsVerdicts: Bool
    private let isSorted: Bool
    private var writer: DecisionWriter
    // `nil` unless decisions are written as columns.
    private var numbering: DecisionNumbering?
    private var output = ShardOutput()
    // Kept only where fetches weigh devices.
    private var latestVerdicts = LatestVerdicts()
    private var batch: Batch
    private var identifiers: [DeviceID] = []
    private var internedDevices: [DeviceIndex] = []
    // Of the current records.
    private var devices: [DeviceIndex] = []
    private var numbers = DeviceNumbers()

    /// - Parameters:
    ///   - plan: What the replay is made for.
    ///   - request: The request that it carries out.
    ///   - tallies: Brings together the values that all shards count; `nil` if none are counted.
    init(_ plan: ReplayPlan, _ request: ReplayRequest, _ tallies: FrequencyTallies?) {
        symbols = SymbolTable(catalogue: plan.catalogue)
        evaluator = plan.makeEvaluator(&symbols)
        let areColumns = request.writesDecisionColumns
        numbering = areColumns ? DecisionNumbering(redactor: request.redactor, keys: request.decisionKeys) : nil
        writesDecisions = request.decisionsPath != nil && !areColumns
        writer = DecisionWriter(redactor: request.redactor)
        tokens = request.tokensPath == nil ? nil : TokenWriter(domain: request.tokenDomain)
        addressIndex = plan.needs.carriedIndex(of: TokenWriter.carriedKey)
        if let counting = request.counting, let tallies {
            counter = ValueCounter(counting, tallies, index: plan.needs.carriedIndex)
        }
        if let given = request.labels, evaluator.laneCount > 0 {
            labels = LabelCounter(given, lanes: evaluator.laneCount, index: plan.needs.carriedIndex)
        }
        keepsVerdicts = request.fetchesPath != nil
        isSorted = request.sorts
        doesMore = request.writesRecords || counter != nil || labels != nil || keepsVerdicts
        batch = Batch(accounts: plan.needs.accounts.count, assumed: plan.needs.assumed)
    }

    /// Evaluates the records of a block that are about this shard's devices.
    ///
    /// - Parameters:
    ///   - records: All records of the block.
    ///   - rows: Which of them; `nil` for all.
    ///   - catalogue: The flags that are known behind the block.
    ///   - firstIndex: The number of the block's first record among all.
    ///   - indices: The number of each record, where they do not follow one another.
    ///   - keys: The keys of their devices, where they have some.
    /// - Returns: The bytes to write.
    mutating func evaluate(
        _ records: ParsedRecords, at rows: [Int32]?, catalogue: FlagCatalogue, firstIndex: Int,
        indices: [Int]? = nil, keys: DeviceKeys? = nil
    ) -> ShardOutput {
        if catalogue.flags.count > symbols.catalogue.flags.count {
            symbols.catalogue = catalogue
            evaluator.adopt(catalogue)
        }
        output.clear()
        let count = rows?.count ?? records.count
        for start in stride(from: 0, to: count, by: Batch.limit) {
            let part = start..<min(start + Batch.limit, count)
            let rows = rows.map { $0[part].map(Int.init) } ?? Array(part)
            find(records, at: rows, keys: keys)
            // The first of some records is the first in time, which sorted records have numbers for.
            let isSorted = isSorted
            batch.fill(from: records, at: rows, devices: devices, catalogue: symbols.catalogue) { row in
                isSorted ? firstIndex + row : indices?[row] ?? firstIndex + row
            }
            evaluator.evaluate(batch, symbols: symbols)
            guard doesMore else { continue }
            for (number, row) in rows.enumerated() {
                handle(number, on: records, row, index: indices?[row] ?? firstIndex + row)
            }
        }
        batch.release()
        if indices == nil { counter?.finish(upTo: firstIndex + records.count) }
        return output
    }

    /// Records whose devices are looked for at once, so that waiting for memory overlaps: more than that would not all
    /// still be near when their turn comes.
    private static var recordsAtOnce: Int { 64 }

    // Leaves the devices of the records in `devices`.
    private mutating func find(_ records: ParsedRecords, at rows: [Int], keys: DeviceKeys?) {
        guard let keys else {
            devices = intern(records, at: rows)
            return
        }
        // Taken out of the value, since `intern` changes other parts of it meanwhile.
        var (found, numbers) = ([DeviceIndex](), DeviceNumbers())
        swap(&found, &devices)
        swap(&numbers, &self.numbers)
        numbers.find(keys, at: rows, into: &found) { intern(records, at: $0) }
        swap(&numbers, &self.numbers)
        swap(&found, &devices)
    }

    private mutating func intern(_ records: ParsedRecords, at rows: [Int]) -> [DeviceIndex] {
        var devices: [DeviceIndex] = []
        devices.reserveCapacity(rows.count)
        for start in stride(from: 0, to: rows.count, by: Self.recordsAtOnce) {
            identifiers.removeAll(keepingCapacity: true)
            for row in rows[start..<min(start + Self.recordsAtOnce, rows.count)] {
                identifiers.append(records.head(row).id)
            }
            symbols.devices.intern(identifiers, into: &internedDevices)
            devices += internedDevices
        }
        return devices
    }

    // Apart from the rest, since most replays report figures alone.
    @inline(never)
    private mutating func handle(
        _ number: Int, on records: ParsedRecords, _ row: Int, index: Int
    ) {
        let (carried, device) = (records.carried(row), batch.devices[number])
        if keepsVerdicts { latestVerdicts.note(device, passed: evaluator.passes(number)) }
        guard writesDecisions || numbering != nil || counter != nil || labels != nil || tokens != nil else { return }
        let decision = evaluator.decision(number, batch, symbols: symbols)
        if writesDecisions {
            output.decisions.append(writer.render(decision, index: index, engine: evaluator.engine, symbols: symbols))
        }
        if numbering != nil {
            let row = DecisionRows.Record(index: index, time: decision.time, device: records.head(row).id)
            let meant = evaluator.meant(number, batch, symbols: symbols)
            numbering?.add(meant, on: row, carried: carried, to: &output.rows)
        }
        if let carried { counter?.count(decision, carried, index: index) }
        labels?.count(number, decision, of: evaluator, carried: carried, symbols: symbols)
        if tokens != nil { writeToken(of: decision, address: carried?.withValue(of: addressIndex) { $0.text($1) }) }
    }

    private mutating func writeToken(of decision: Decision, address: String?) {
        do throws(TokenIssueError) {
            let line = try tokens?.line(of: decision, address: address, engine: evaluator.engine, symbols: symbols)
            output.tokens.append(line ?? [])
        } catch {
            output.failure = .token(error)
        }
    }

    /// The verdict of a device's latest attestation; `nil` for one that never attested.
    func latestVerdict(of id: DeviceID) -> Bool? {
        symbols.devices.index(of: id).flatMap { latestVerdicts[$0] }
    }

    /// The result of the evaluator.
    func result(fetches: FetchCounter?) -> any ReplayResult {
        var result: any ReplayResult = evaluator.result(symbols: symbols, fetches: fetches)
        if let labels {
            func figures(isDoubtful: Bool) -> LabelFigures {
                labels.figures(isDoubtful: isDoubtful, of: evaluator, symbols: symbols)
            }
            result.take(figures(isDoubtful: false), doubtful: evaluator.isInDoubt ? figures(isDoubtful: true) : nil)
        }
        return result
    }

    /// Hands over the values that were counted, at the end.
    mutating func finishCounting() { counter?.finish() }
}

/// The verdict of each device's latest attestation, which says what its fetches are worth.
struct LatestVerdicts {
    // By device number; `nil` for one that never attested.
    private var verdicts: [Bool?] = []

    /// Notes the verdict on an attestation of a device.
    mutating func note(_ device: DeviceIndex, passed: Bool) {
        let device = device.offset
        if device >= verdicts.count {
            verdicts.append(contentsOf: repeatElement(nil, count: device + 1 - verdicts.count))
        }
        verdicts[device] = passed
    }

    /// The verdict of a device; `nil` for one that never attested.
    subscript(device: DeviceIndex) -> Bool? { device.offset < verdicts.count ? verdicts[device.offset] : nil }
}
