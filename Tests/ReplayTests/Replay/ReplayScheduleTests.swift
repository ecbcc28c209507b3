import Testing

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
            #expect(passage.problems == [], "seed \(seed)")
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
        #expect(
            tasks == [
                .read(slot: 0), .parse(slot: 0), .order(slot: 0), .evaluate(slot: 0, shard: 0),
                .evaluate(slot: 0, shard: 1), .retire(slot: 0), .read(slot: 0),
            ])
    }

    @Test func stopsOnceWhatRunsIsFinished() {
        var schedule = ReplaySchedule(slots: 4, shards: 1)
        let read = schedule.take()
        #expect(read == .read(slot: 0))
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
            #expect(schedule.take() == task)
            schedule.finish(task)
        }
        #expect(schedule.take() == .read(slot: 0))
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
