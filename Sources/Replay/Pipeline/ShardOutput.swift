/// What one shard wrote for a block, a line for each of its records, where it was asked for.
struct ShardOutput: Sendable {
    var decisions = WrittenLines()
    var tokens = WrittenLines()
    /// Why there is no token.
    var failure: ReplayFailure?

    mutating func clear() {
        decisions.clear()
        tokens.clear()
    }
}
