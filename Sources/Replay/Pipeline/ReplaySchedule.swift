/// Which task of a replay comes next, for any number of workers: a value that starts nothing itself.
///
/// Blocks are read one after another, parsed in any order, put in order, evaluated by every shard in that order, and retired in
/// it. Tasks that bring a block nearest to its end go first, so that few blocks are on their way, and one worker alone takes
/// each block through all of it in one slot.
struct ReplaySchedule: Sendable {
    // INVARIANT: retired <= evaluated by every shard <= ordered <= parsing <= read, as counts of blocks.
    private var blocks: [Block] = []
    private var retired = 0
    private var evaluated: [Int]
    private var ordered = 0
    private var parsing = 0
    private var isReading = false
    private var isOrdering = false
    private var isRetiring = false
    private var isEvaluating: [Bool]
    private var isAtEnd = false
    private var isStopped = false
    private var running = 0
    // Those that no block is in; the one left last comes first, since its memory is still near.
    private var freeSlots: [Int]

    private struct Block {
        let slot: Int
        var isParsed = false
    }

    /// - Parameters:
    ///   - slots: The number of blocks that may be on their way at a time.
    ///   - shards: The number of evaluators.
    init(slots: Int, shards: Int) {
        freeSlots = Array((0..<slots).reversed())
        evaluated = Array(repeating: 0, count: shards)
        isEvaluating = Array(repeating: false, count: shards)
    }

    /// True if nothing is left to do.
    var isDone: Bool {
        running == 0 && (isStopped || (isAtEnd && blocks.isEmpty))
    }

    /// A task that can be done now; `nil` where there is none before another one is finished.
    var next: ReplayTask? {
        isStopped ? nil : nextEvaluation ?? nextOrdering ?? nextRetirement ?? nextParsing ?? nextReading
    }

    /// Notes that somebody does a task.
    ///
    /// - Parameter task: The next one.
    mutating func start(_ task: ReplayTask) {
        running += 1
        switch task {
        case .read:
            isReading = true
            freeSlots.removeLast()
        case .parse: parsing += 1
        case .order: isOrdering = true
        case .evaluate(_, let shard): isEvaluating[shard] = true
        case .retire: isRetiring = true
        }
    }

    /// Notes that a task is finished.
    ///
    /// - Parameter found: Of a read: whether it found a block.
    mutating func finish(_ task: ReplayTask, found: Bool = true) {
        running -= 1
        switch task {
        case .read(let slot):
            isReading = false
            isAtEnd = !found
            if found { blocks.append(Block(slot: slot)) } else { freeSlots.append(slot) }
        case .parse(let slot):
            for index in blocks.indices where blocks[index].slot == slot { blocks[index].isParsed = true }
        case .order:
            isOrdering = false
            ordered += 1
        case .evaluate(_, let shard):
            isEvaluating[shard] = false
            evaluated[shard] += 1
        case .retire(let slot):
            isRetiring = false
            blocks.removeFirst()
            retired += 1
            freeSlots.append(slot)
        }
    }

    /// Ends the replay as soon as the tasks that were taken are finished.
    mutating func stop() { isStopped = true }

    private func slot(ofBlock number: Int) -> Int { blocks[number - retired].slot }

    private var nextEvaluation: ReplayTask? {
        var best: Int?
        for shard in evaluated.indices where !isEvaluating[shard] && evaluated[shard] < ordered {
            if best.map({ evaluated[shard] < evaluated[$0] }) ?? true { best = shard }
        }
        return best.map { .evaluate(slot: slot(ofBlock: evaluated[$0]), shard: $0) }
    }

    private var nextOrdering: ReplayTask? {
        guard !isOrdering, ordered < parsing, blocks[ordered - retired].isParsed else { return nil }
        return .order(slot: slot(ofBlock: ordered))
    }

    private var nextRetirement: ReplayTask? {
        guard !isRetiring, retired < (evaluated.min() ?? ordered) else { return nil }
        return .retire(slot: slot(ofBlock: retired))
    }

    private var nextParsing: ReplayTask? {
        guard parsing < retired + blocks.count else { return nil }
        return .parse(slot: slot(ofBlock: parsing))
    }

    private var nextReading: ReplayTask? {
        guard !isReading, !isAtEnd else { return nil }
        return freeSlots.last.map { .read(slot: $0) }
    }
}

/// One piece of the work of a replay, on one block.
enum ReplayTask: Hashable, Sendable {
    /// Fills a slot with the block that comes next.
    case read(slot: Int)
    /// Finds and understands its records.
    case parse(slot: Int)
    /// Puts its records behind those of the blocks before it.
    case order(slot: Int)
    /// Evaluates those of its records that are about the devices of one shard.
    case evaluate(slot: Int, shard: Int)
    /// Writes what was decided, and leaves the slot to another block.
    case retire(slot: Int)
}
