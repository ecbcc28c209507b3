/// One piece of the work of a replay, on one block.
enum ReplayTask: Hashable, Sendable {
    /// Fills a slot with the block that comes next.
    case read(slot: Int)
    /// Finds and understands its records.
    case parse(slot: Int)
    /// Puts its records behind those of the blocks before it.
    case order(slot: Int)
    /// Judges those of its records that are about the devices of one shard.
    case evaluate(slot: Int, shard: Int)
    /// Writes what was decided, and leaves the slot to another block.
    case retire(slot: Int)
}
