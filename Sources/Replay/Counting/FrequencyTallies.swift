internal import Documents
internal import Figures

/// Brings together what the shards of a replay count, chunk by chunk in the order of the records.
///
/// A chunk is a fixed count of records by their numbers, whichever block or shard they are in. It is added once all shards are
/// past it. So the result does not depend on how many shards there are, or which of them is ahead.
final class FrequencyTallies: Sendable {
    private let state: Lock<State>
    private let request: CountingRequest

    /// By attribute, what a shard counted within a chunk.
    typealias Chunk = [ValueCounts]

    private struct State {
        var tallies: [FrequencyTally]
        var shards = 0
        // The chunk that is added next.
        var next = 0
        // By chunk and shard.
        var waiting: [Int: [Int: Chunk]] = [:]
    }

    init(_ request: CountingRequest) {
        self.request = request
        state = Lock(State(tallies: request.keys.map { _ in FrequencyTally(request) }))
    }

    /// Takes another shard in.
    ///
    /// - Returns: Its number.
    func join() -> Int {
        state.withLock { state in
            state.shards += 1
            return state.shards - 1
        }
    }

    /// Takes what a shard counted within a chunk that it is past.
    func hand(over counts: Chunk, of chunk: Int, by shard: Int) {
        state.withLock { state in
            state.waiting[chunk, default: [:]][shard] = counts
            while let found = state.waiting[state.next], found.count == state.shards {
                Self.add(found, to: &state.tallies)
                state.waiting[state.next] = nil
                state.next += 1
            }
        }
    }

    /// Takes what is left of every shard, at the end.
    ///
    /// - Parameter rest: By shard and chunk.
    /// - Returns: The counts, in the order of the request.
    func finish(_ rest: [Int: [Int: Chunk]]) -> [AttributeFrequency] {
        state.withLock { state in
            for (shard, chunks) in rest {
                for (chunk, counts) in chunks { state.waiting[chunk, default: [:]][shard] = counts }
            }
            for chunk in state.waiting.keys.sorted() { Self.add(state.waiting[chunk] ?? [:], to: &state.tallies) }
            state.waiting = [:]
            return zip(request.keys, state.tallies).map { $1.frequency(of: $0.text) }
        }
    }

    private static func add(_ chunk: [Int: Chunk], to tallies: inout [FrequencyTally]) {
        let shards = (chunk.keys.max() ?? -1) + 1
        for attribute in tallies.indices {
            tallies[attribute].add(
                (0..<shards).map { shard in chunk[shard]?[attribute] ?? ValueCounts() })
        }
    }
}
