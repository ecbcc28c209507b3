internal import Dispatch
internal import Documents
internal import Figures
internal import PolicyEngine

/// Takes the blocks of a replay from being read to being retired, with several workers.
///
/// A task has what it works on for itself: the slot of its block, or the shard of its devices. The schedule hands tasks out
/// such that nobody waits for a lock, and such that the result does not depend on who was faster.
final class ReplayPipeline: Sendable {
    private let request: ReplayRequest
    private let plan: ReplayPlan
    private let workers: Int
    private let schedule: Lock<(schedule: ReplaySchedule, waiting: Int)>
    private let wakeUp = DispatchSemaphore(value: 0)
    private let input: Lock<CaptureInput>
    private let slots: [Slot]
    private let sequencer: Lock<RecordSequencer>
    // The flags that records brought so far, for those who read on.
    private let catalogue: Lock<FlagCatalogue>
    private let shards: [Shard]
    private let output: Lock<ReplayOutput>
    // `nil` unless values are counted.
    private let tallies: FrequencyTallies?
    private let seenKeys = Lock(Set<ExactText>())
    private let progress: Progress

    // The contents of a mutex cannot be copied, so an array of them needs a class around each.
    private final class Slot: Sendable {
        let state = Lock(ReplaySlot())
    }

    private final class Shard: Sendable {
        let state: Lock<ReplayShard>

        init(_ plan: ReplayPlan, _ request: ReplayRequest, _ tallies: FrequencyTallies?) {
            state = Lock(ReplayShard(plan, request, tallies))
        }
    }

    init(
        _ plan: ReplayPlan, _ request: ReplayRequest, queue: sending CaptureQueue, progress: Progress
    ) throws(ReplayFailure) {
        let plan = plan.reading(for: request)
        self.plan = plan
        self.request = request
        self.progress = progress
        let workers = max(1, request.jobs)
        self.workers = workers
        let tallies = request.counting.map { FrequencyTallies($0) }
        self.tallies = tallies
        shards = (0..<(plan.ordering == nil ? workers : 1)).map { _ in Shard(plan, request, tallies) }
        // One worker alone takes each block through all of it before it reads the next.
        slots = (0..<(workers == 1 ? 1 : Self.slotsByWorker * workers)).map { _ in Slot() }
        schedule = Lock((ReplaySchedule(slots: slots.count, shards: request.sorts ? 0 : shards.count), 0))
        input = Lock(CaptureInput(queue, request, plan.needs))
        let sequencer = try RecordSequencer(plan, request)
        catalogue = Lock(sequencer.catalogue)
        self.sequencer = Lock(sequencer)
        output = Lock(try ReplayOutput(request))
    }

    /// Blocks on their way for each worker: enough that none waits, few enough to stay near the processor.
    private static var slotsByWorker: Int { 3 }
}

// The workers and their tasks.
extension ReplayPipeline {
    /// Does all of the work; returns when nothing is left to do.
    func run() {
        Workers.run(workers) { self.serve() }
        if request.sorts { evaluateSorted() }
    }

    // One worker.
    private func serve() {
        var parser = makeParser()
        var finished: (task: ReplayTask, found: Bool)?
        while let task = next(after: finished) { finished = (task, perform(task, parser: &parser)) }
        seenKeys.withLock { $0.formUnion(parser.seenKeys.map { ExactText($0) }) }
    }

    private func makeParser() -> CaptureParser {
        CaptureParser(
            plan.needs, zones: request.zones, catalogue: catalogue.withLock { $0 }, instructions: request.instructions,
            deadline: request.deadline)
    }

    // The task to do next; waits for others where there is none yet. `nil` at the end.
    private func next(after finished: (task: ReplayTask, found: Bool)?) -> ReplayTask? {
        var finished = finished
        while true {
            let (task, isDone) = schedule.withLock { state in
                if let finished { state.schedule.finish(finished.task, found: finished.found) }
                let task = state.schedule.next
                if let task { state.schedule.start(task) }
                let isDone = task == nil && state.schedule.isDone
                if task == nil, !isDone { state.waiting += 1 }
                // One more is woken where there is one more task, and wakes the next in turn; all at the end.
                let woken = isDone ? state.waiting : state.schedule.next == nil ? 0 : min(1, state.waiting)
                for _ in 0..<woken { wakeUp.signal() }
                state.waiting -= woken
                return (task, isDone)
            }
            finished = nil
            if task != nil || isDone { return task }
            wakeUp.wait()
        }
    }

    // Returns whether a read found a block.
    private func perform(_ task: ReplayTask, parser: inout CaptureParser) -> Bool {
        switch task {
        case .read(let slot): return read(slot)
        case .parse(let slot): parse(slot, parser: &parser)
        case .order(let slot): putInOrder(slot)
        case .evaluate(let slot, let shard): evaluate(slot, by: shard)
        case .retire(let slot): retire(slot)
        }
        return true
    }
}

// The stages.
extension ReplayPipeline {
    private func read(_ number: Int) -> Bool {
        input.withLock { input in
            slots[number].state.withLock { slot in input.next(into: &slot) }
        }
    }

    private func parse(_ number: Int, parser: inout CaptureParser) {
        parser.adopt(catalogue.withLock { $0 })
        let shardCount = shards.count
        slots[number].state.withLock { slot in
            slot.load()
            slot.parse(by: &parser)
            while case let keys = parser.unneededKeys(of: slot.columns), !keys.isEmpty {
                plan.ordering?.adopt(keys: keys)
                parser = makeParser()
                slot.parse(by: &parser)
            }
            if !request.choice.isEverything { slot.parsed.keep { request.choice.includes($0) } }
            slot.distribute(over: shardCount, of: request.deviceShard)
        }
    }

    private func putInOrder(_ number: Int) {
        let shardCount = shards.count
        slots[number].state.withLock { slot in
            if slot.failure == nil, !request.isLate { plan.needs.apps?.admit(&slot.parsed) }
        }
        do throws(ReplayFailure) {
            if request.isLate { throw .late }
            let (known, position) = try sequencer.withLock { sequencer throws(ReplayFailure) in
                try slots[number].state.withLock { slot throws(ReplayFailure) in
                    try sequencer.add(&slot, shardCount: shardCount)
                    try plan.ordering?.place(slot)
                    return (slot.catalogue, Progress.Position(records: slot.firstIndex, share: slot.share))
                }
            }
            catalogue.withLock { if known.flags.count > $0.flags.count { $0 = known } }
            progress.show(position)
        } catch {
            stop(for: error)
        }
    }

    private func evaluate(_ number: Int, by shard: Int) {
        // A copy, so that all shards evaluate the records at the same time; what was written by others stays where it is.
        let block = slots[number].state.withLock { slot in
            (
                records: slot.parsed.records, rows: slot.rows.isEmpty ? nil : slot.rows[shard],
                catalogue: slot.catalogue, firstIndex: slot.firstIndex, indices: slot.indices, keys: slot.parsed.devices
            )
        }
        let written = shards[shard].state.withLock {
            $0.evaluate(
                block.records, at: block.rows, catalogue: block.catalogue, firstIndex: block.firstIndex,
                indices: block.indices, keys: block.keys)
        }
        guard request.writesRecords else { return }
        let shardCount = shards.count
        slots[number].state.withLock { slot in
            while slot.written.count < shardCount { slot.written.append(ShardOutput()) }
            slot.written[shard] = written
        }
    }

    private func retire(_ number: Int) {
        guard request.writesRecords, !request.sorts else { return }
        let slot = slots[number].state.withLock { $0 }
        do throws(ReplayFailure) {
            try output.withLock { output throws(ReplayFailure) in
                try output.write(slot.written, shards: slot.shards(of: shards.count, in: request.deviceShard))
            }
        } catch {
            stop(for: error)
        }
    }

    // Evaluates in time order, and writes decisions in input order.
    private func evaluateSorted() {
        let (records, failure) = sequencer.withLock { ($0.gathered, $0.failure) }
        guard failure == nil else { return }
        let order = records.indices.sorted { left, right in
            (records.head(left).time, left) < (records.head(right).time, right)
        }
        let sorted = records.selecting(order)
        let catalogue = catalogue.withLock { $0 }
        // The line of each record: the shard that wrote it, and which of its lines.
        var lines = Array(repeating: (shard: 0, line: 0), count: records.count)
        var written: [ShardOutput] = []
        for (number, shard) in shards.enumerated() {
            let rows = sorted.indices.filter { sorted.head($0).id.bucket(of: shards.count) == number }.map(Int32.init)
            for (line, row) in rows.enumerated() { lines[order[Int(row)]] = (number, line) }
            written.append(
                shard.state.withLock {
                    $0.evaluate(sorted, at: rows, catalogue: catalogue, firstIndex: 0, indices: order)
                })
        }
        guard request.writesRecords else { return }
        do throws(ReplayFailure) {
            try output.withLock { output throws(ReplayFailure) in
                try output.adopt(written)
                for (shard, line) in lines { try output.write(written[shard], line: line, shard: shard) }
            }
        } catch {
            stop(for: error)
        }
    }

    private func stop(for failure: ReplayFailure) {
        // One of what is written goes before one of what is read: which comes first depends on the workers.
        sequencer.withLock { if $0.failure == nil || failure.isOfOutput { $0.failure = failure } }
        schedule.withLock { $0.schedule.stop() }
    }
}

// The result.
extension ReplayPipeline {
    /// Why the replay ended before its input did.
    var failure: ReplayFailure? { sequencer.withLock { $0.failure } }

    /// The errors and warnings about the input.
    var diagnostics: Diagnostics { sequencer.withLock { $0.diagnostics } }

    /// The keys that somebody needs and some record gave a value.
    var attributes: Set<ExactText> { seenKeys.withLock { $0 } }

    /// Lets somebody note what is wrong.
    func note(_ body: (inout ProblemLog) -> Void) { sequencer.withLock { $0.note(body) } }

    /// The malformed records.
    var malformedCount: Int { sequencer.withLock { $0.malformedCount } }

    /// The results of all evaluators together, which may yet be merged with those for other devices.
    func result(fetches: FetchCounter?) -> any ReplayResult {
        var result = shards[0].state.withLock { $0.result(fetches: fetches) }
        for shard in shards.dropFirst() { result.add(any: shard.state.withLock { $0.result(fetches: fetches) }) }
        return result
    }

    /// The values that were counted, once all records are evaluated; `nil` if none are.
    func frequencies() -> [AttributeFrequency]? {
        guard let tallies else { return nil }
        for shard in shards { shard.state.withLock { $0.finishCounting() } }
        return tallies.finish()
    }

    /// The verdict of a device's latest attestation; `nil` for one that never attested.
    func latestVerdict(of id: DeviceID) -> Bool? {
        shards[id.bucket(of: shards.count)].state.withLock { $0.latestVerdict(of: id) }
    }

    /// Counts the fetches of a capture that weighs the others.
    ///
    /// - Returns: The number of its lines that make no sense.
    func countFetches(_ file: sending CaptureFile, into counter: inout FetchCounter) throws(ReplayFailure) -> Int {
        var counted = FetchCounter(of: request.deviceShard, request.choice)
        let malformed = try sequencer.withLock { sequencer throws(ReplayFailure) in
            try sequencer.count(file, into: &counted)
        }
        counter = counted
        return malformed
    }

    /// Puts the files that were written into their places.
    ///
    /// - Parameter areWhole: True if those in the order of the records are kept, too.
    func finishFiles(areWhole: Bool) throws(ReplayFailure) {
        try sequencer.withLock { sequencer throws(ReplayFailure) in try sequencer.finish() }
        guard areWhole else { return }
        try output.withLock { output throws(ReplayFailure) in try output.finish() }
    }
}
