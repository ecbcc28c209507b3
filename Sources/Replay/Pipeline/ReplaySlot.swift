internal import PolicyEngine

/// A block on its way through a replay, in memory that the next one uses again.
struct ReplaySlot<Matches: Sendable>: Sendable {
    var block = CaptureBlock()
    /// The capture that it comes from.
    var path = ""
    var format = CaptureFormat.jsonl
    /// Whether it is the first of its capture.
    var startsCapture = false
    /// Why there is no block.
    var failure: CaptureFailure?
    /// The share of the capture that was read; `nil` where its length is not known.
    var share: Double?
    var parsed = ParsedBlock<Matches>()
    /// The number of its first record among all.
    var firstIndex = 0
    /// The flags that are known behind it.
    var catalogue = FlagCatalogue()
    /// The records of each shard by their place; not kept for a single shard, which has all.
    var places: [[Int32]] = []
    /// What each shard wrote.
    var written: [ShardOutput] = []

    /// Tells the records of each shard.
    mutating func distribute(over shardCount: Int) {
        guard shardCount > 1 else { return }
        while places.count < shardCount { places.append([]) }
        for shard in places.indices { places[shard].removeAll(keepingCapacity: true) }
        for place in parsed.records.indices {
            places[parsed.records[place].head.id.bucket(of: shardCount)].append(Int32(place))
        }
    }

    /// The shard of each record.
    ///
    /// - Parameter shardCount: How many shards there are.
    func shards(of shardCount: Int) -> some Sequence<Int> {
        parsed.records.lazy.map { $0.head.id.bucket(of: shardCount) }
    }
}
