/// The files that a replay writes in the order of the records, as far as they were asked for.
struct ReplayOutput: ~Copyable {
    private var decisions: LineFile
    private var tokens: LineFile

    init(_ request: ReplayRequest) throws(ReplayFailure) {
        // Both, or nothing is made.
        let decisions = try LineFile(path: request.decisionsPath)
        // A token is a right to use the API.
        let tokens = try LineFile(path: request.tokensPath, isSecret: true)
        self.decisions = decisions
        self.tokens = tokens
    }

    /// Writes what shards wrote for a block.
    ///
    /// - Parameters:
    ///   - written: By shard.
    ///   - shards: The shard of each record.
    mutating func write(_ written: [ShardOutput], shards: some Sequence<Int>) throws(ReplayFailure) {
        for output in written { if let failure = output.failure { throw failure } }
        var next = Array(repeating: 0, count: written.count)
        for shard in shards {
            try write(written[shard], line: next[shard])
            next[shard] += 1
        }
    }

    /// Writes what was written for one record.
    mutating func write(_ output: ShardOutput, line: Int) throws(ReplayFailure) {
        if decisions.isOpen { try decisions.write(output.decisions[line]) }
        if tokens.isOpen { try tokens.write(output.tokens[line]) }
    }

    /// Puts the files in their places.
    mutating func finish() throws(ReplayFailure) {
        try decisions.finish()
        try tokens.finish()
    }
}

/// The lines of one shard for a block, one for each of its records, where they were asked for.
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

/// Lines that one shard wrote for a block.
struct WrittenLines: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The offset behind each line.
    private(set) var ends: [Int] = []

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func append(_ line: [UInt8]) {
        bytes += line
        ends.append(bytes.count)
    }

    /// One of them.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }
}
