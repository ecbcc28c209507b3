/// The files that a replay writes in the order of the records, as far as they were asked for.
struct ReplayOutput: ~Copyable {
    private var decisions: LineFile
    private var table: DecisionTable?
    private var tokens: LineFile

    init(_ request: ReplayRequest) throws(ReplayFailure) {
        // All, or nothing is made.
        let decisions = try LineFile(path: request.writesDecisionColumns ? nil : request.decisionsPath)
        let table = try Self.table(request)
        // A token is a right to use the API.
        let tokens = try LineFile(path: request.tokensPath, isSecret: true)
        self.decisions = decisions
        self.table = table
        self.tokens = tokens
    }

    private static func table(_ request: ReplayRequest) throws(ReplayFailure) -> DecisionTable? {
        guard let path = request.decisionsPath, request.writesDecisionColumns else { return nil }
        return try DecisionTable(path: path, request)
    }

    /// Writes what shards wrote for a block.
    ///
    /// - Parameters:
    ///   - written: By shard.
    ///   - shards: The shard of each record.
    mutating func write(_ written: [ShardOutput], shards: some Sequence<Int>) throws(ReplayFailure) {
        try adopt(written)
        var next = Array(repeating: 0, count: written.count)
        for shard in shards {
            try write(written[shard], line: next[shard], shard: shard)
            next[shard] += 1
        }
    }

    /// Takes what shards wrote, before any of it is written.
    mutating func adopt(_ written: [ShardOutput]) throws(ReplayFailure) {
        for output in written { if let failure = output.failure { throw failure } }
        table?.adopt(written)
    }

    /// Writes what a shard wrote for one record.
    mutating func write(_ output: ShardOutput, line: Int, shard: Int) throws(ReplayFailure) {
        table?.write(output.rows, row: line, shard: shard)
        if decisions.isOpen { try decisions.write(output.decisions[line]) }
        if tokens.isOpen { try tokens.write(output.tokens[line]) }
    }

    /// Puts the files in their places.
    mutating func finish() throws(ReplayFailure) {
        try decisions.finish()
        try table?.finish()
        try tokens.finish()
    }
}

/// The lines of one shard for a block, one for each of its records, where they were asked for.
struct ShardOutput: Sendable {
    var decisions = WrittenLines()
    /// The decisions as columns, in place of lines.
    var rows = DecisionRows()
    var tokens = WrittenLines()
    /// Why there is no token.
    var failure: ReplayFailure?

    mutating func clear() {
        decisions.clear()
        rows.clear()
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
