import Testing

@testable import Documents
@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// The order of a replay's tasks, with workers that finish in any order.
@Suite struct ReplayScheduleTests {
    // The states of blocks, as a list of plain facts, to compare the schedule with.
    private struct Passage {
        // By slot: the block in it.
        var blocks: [Int: Int] = [:]
        var read = 0
        var parsed: Set<Int> = []
        var ordered = 0
        var evaluated: [Int]
        var retired = 0
        var problems: [String] = []

        mutating func expect(_ holds: Bool, _ what: String) {
            if !holds { problems.append(what) }
        }

        mutating func start(_ task: ReplayTask, running: Set<ReplayTask>) {
            switch task {
            case .read(let slot):
                expect(blocks[slot] == nil, "a slot is used twice")
                expect(!running.contains(where: Self.isRead), "two read")
            case .parse(let slot): expect(blocks[slot].map { !parsed.contains($0) } ?? false, "what is parsed is read")
            case .order(let slot):
                expect(blocks[slot] == ordered && parsed.contains(ordered), "ordered behind one another")
            case .evaluate(let slot, let shard):
                expect(blocks[slot] == evaluated[shard] && evaluated[shard] < ordered, "evaluated behind one another")
            case .retire(let slot):
                expect(blocks[slot] == retired && evaluated.allSatisfy { $0 > retired }, "retired behind one another")
            }
        }

        private static func isRead(_ task: ReplayTask) -> Bool {
            if case .read = task { true } else { false }
        }

        mutating func finish(_ task: ReplayTask, found: Bool) {
            switch task {
            case .read(let slot):
                if found { (blocks[slot], read) = (read, read + 1) }
            case .parse(let slot):
                if let block = blocks[slot] { parsed.insert(block) }
            case .order: ordered += 1
            case .evaluate(_, let shard): evaluated[shard] += 1
            case .retire(let slot):
                blocks[slot] = nil
                retired += 1
            }
        }
    }

    @Test("every block goes through every stage, in order", arguments: [1, 2, 3, 5], [1, 2, 4])
    func goesThroughAll(workers: Int, shards: Int) {
        for seed in UInt64(1)...20 {
            var chance = Chance(seed: seed)
            let (slots, blocks) = (workers == 1 ? 1 : 3 * workers, chance.below(30))
            var schedule = ReplaySchedule(slots: slots, shards: shards)
            var passage = Passage(evaluated: Array(repeating: 0, count: shards))
            var running: [ReplayTask] = []
            while !schedule.isDone {
                if running.count < workers, let task = schedule.take() {
                    passage.start(task, running: Set(running))
                    running.append(task)
                    continue
                }
                guard !running.isEmpty else {
                    Issue.record("nothing runs and nothing is left to take")
                    return
                }
                let task = running.remove(at: chance.below(running.count))
                var found = true
                if case .read = task { found = passage.read < blocks }
                passage.finish(task, found: found)
                schedule.finish(task, found: found)
            }
            expect(passage.problems, equals: [], "seed \(seed)")
            #expect(passage.retired == blocks && passage.evaluated.allSatisfy { $0 == blocks }, "seed \(seed)")
        }
    }

    @Test func oneWorkerTakesABlockThroughAllOfItFirst() {
        var schedule = ReplaySchedule(slots: 1, shards: 2)
        var tasks: [ReplayTask] = []
        for _ in 0..<7 {
            guard let task = schedule.take() else { break }
            tasks.append(task)
            schedule.finish(task)
        }
        expect(
            tasks,
            equals: [
                .read(slot: 0), .parse(slot: 0), .order(slot: 0), .evaluate(slot: 0, shard: 0),
                .evaluate(slot: 0, shard: 1), .retire(slot: 0), .read(slot: 0),
            ])
    }

    @Test func stopsOnceWhatRunsIsFinished() {
        var schedule = ReplaySchedule(slots: 4, shards: 1)
        let read = schedule.take()
        expect(read, equals: .read(slot: 0))
        schedule.stop()
        #expect(schedule.take() == nil)
        #expect(!schedule.isDone)
        schedule.finish(.read(slot: 0))
        #expect(schedule.take() == nil)
        #expect(schedule.isDone)
    }

    @Test func withoutShardsBlocksAreOrderedAndRetired() {
        var schedule = ReplaySchedule(slots: 1, shards: 0)
        for task in [ReplayTask.read(slot: 0), .parse(slot: 0), .order(slot: 0), .retire(slot: 0)] {
            expect(schedule.take(), equals: task)
            schedule.finish(task)
        }
        expect(schedule.take(), equals: .read(slot: 0))
        schedule.finish(.read(slot: 0), found: false)
        #expect(schedule.isDone)
    }
}

extension ReplaySchedule {
    /// Starts the next task.
    fileprivate mutating func take() -> ReplayTask? {
        guard let task = next else { return nil }
        start(task)
        return task
    }
}

/// The share of several captures that was read.
@Suite struct CaptureLengthTests {
    private static func lengths(_ sizes: [Int], sorts: Bool = false, others: [String] = []) throws -> CaptureLengths {
        let folder = try TemporaryFolder()
        let paths = try sizes.enumerated().map {
            try folder.write(String(repeating: "x", count: $1), to: "\($0).jsonl")
        }
        var request = ReplayRequest(captures: paths + others, account: Account())
        request.sorts = sorts
        return CaptureLengths(request)
    }

    @Test("the share counts the bytes of all captures, in their order") func share() throws {
        var lengths = try Self.lengths([100, 300, 0, 400])
        #expect(lengths.share(ofAll: 0.5) == nil)
        lengths.advance()
        expect(lengths.share(ofAll: 0.5), equals: 50.0 / 800)
        #expect(lengths.share(ofAll: nil) == nil)
        lengths.advance()
        expect(lengths.share(ofAll: 0), equals: 100.0 / 800)
        expect(lengths.share(ofAll: 1), equals: 400.0 / 800)
        lengths.advance()
        expect(lengths.share(ofAll: 1), equals: 400.0 / 800)
        lengths.advance()
        expect(lengths.share(ofAll: 1), equals: 1)
    }

    @Test("a share that would not be true is none: records are sorted afterwards, or a length is not known")
    func unknown() throws {
        var sorted = try Self.lengths([100], sorts: true)
        sorted.advance()
        #expect(sorted.share(ofAll: 0.5) == nil)
        var pipe = try Self.lengths([100], others: ["-"])
        pipe.advance()
        #expect(pipe.share(ofAll: 0.5) == nil)
    }

    // 40 records in two files, read in blocks of a few hundred bytes: the share grows, and ends with all.
    @Test("the progress of a replay over two captures never goes back") func progress() throws {
        let folder = try TemporaryFolder()
        let records = (0..<20).map { number in
            #"{"time":"2020-07-23T10:00:0\#(number % 10)Z","device-id":"\#(SampleDevice.bob)","flags":""}"# + "\n"
        }.sorted().joined()
        let paths = try ["a.jsonl", "b.jsonl"].map {
            try folder.write($0 == "a.jsonl" ? records : records.replacing("07-23", with: "07-24"), to: $0)
        }
        var request = ReplayRequest(captures: paths, account: Account())
        request.blockBytes = 300
        request.jobs = 1
        let shares = Lock<[Double]>([])
        let progress = Progress { position in shares.withLock { $0.append(position.share ?? -1) } }
        var replay = CaptureReplay(request, progress: progress)
        let figures = replay.run().figures
        expect(figures?.attestations, equals: 40)
        let found = shares.withLock { $0 }
        #expect(found.count > 4 && found == found.sorted() && found.first ?? 1 < 0.5 && found.last == 1)
        #expect(found.allSatisfy { $0 > 0 })
    }
}

/// The effects of an account on the figures of a replay.
@Suite struct AccountReplayTests {
    private static let bob = SampleDevice.bob

    @Test func moreValuesThanAreKeptMatchAllTheSame() throws {
        let account = try AccountText.account("filters: [{name: odd, key: x, regex: '[13579]$'}]")
        let count = CaptureLimits.keptValues + 200
        let lines = (0..<count).map {
            "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(Self.bob)\",\"x\":\($0)}\n"
        }
        let replayed = try ReplayBench.replay(lines.joined(), account: account) { $0.decisionsPath = nil }
        expect(replayed.metric("filter-odd"), equals: count / 2)
    }
}
