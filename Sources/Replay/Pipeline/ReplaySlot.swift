internal import Figures
internal import PolicyEngine

/// A block on its way through a replay, in memory that the next one uses again.
struct ReplaySlot: Sendable {
    var block = CaptureBlock()
    /// The capture that it comes from.
    var path = ""
    var format = CaptureFormat.jsonl
    /// True if the block is the first of its capture.
    var startsCapture = false
    /// The range that is to be read into the block by whoever parses it; `nil` where it was read.
    var range: CaptureRange?
    /// The records in place of those of the block, where the capture has columns.
    var columns: ColumnBlock?
    /// The numbers of the valid records among the records of all captures; `nil` if they follow one another from ``firstIndex``.
    var indices: [Int]?
    /// Why no record comes behind those of the block.
    var failure: CaptureFailure?
    /// The share of the capture that was read; `nil` where its length is not known.
    var share: Double?
    /// The records of the block, once they are understood.
    var parsed = ParsedBlock()
    /// The number of the block's first record among the records of all captures.
    var firstIndex = 0
    /// The flags that are known behind the block.
    var catalogue = FlagCatalogue()
    /// The records of each shard by their index in the block; not kept for a single shard, which has all.
    var rows: [[Int32]] = []
    /// The output of each shard.
    var written: [ShardOutput] = []

    /// Reads the block, where that was left to whoever parses it.
    mutating func load() {
        do throws(CaptureFailure) {
            if let range { failure = try range.read(into: &block) }
        } catch {
            failure = error
            block.end = 0
        }
    }

    /// Finds and understands its records; of columns that cannot be read there are none.
    mutating func parse(by parser: inout CaptureParser) {
        do throws(CaptureFailure) {
            try parser.parse(columns, block, format: format, into: &parsed)
        } catch {
            failure = error
            parsed.clear()
        }
    }

    /// Notes the records of each shard.
    ///
    /// - Parameters:
    ///   - shardCount: The number of shards.
    ///   - part: The devices that are evaluated; `nil` for all.
    mutating func distribute(over shardCount: Int, of part: DeviceShard?) {
        guard shardCount > 1 || part != nil else { return }
        while rows.count < shardCount { rows.append([]) }
        for shard in rows.indices { rows[shard].removeAll(keepingCapacity: true) }
        for row in parsed.records.indices {
            let id = parsed.records.head(row).id
            guard part?.contains(id) ?? true else { continue }
            rows[id.bucket(of: shardCount)].append(Int32(row))
        }
    }

    /// The shard of each record that is evaluated.
    ///
    /// - Parameters:
    ///   - shardCount: The number of shards.
    ///   - part: The devices that are evaluated; `nil` for all.
    func shards(of shardCount: Int, in part: DeviceShard?) -> some Sequence<Int> {
        parsed.records.indices.lazy.map { parsed.records.head($0).id }.filter { part?.contains($0) ?? true }
            .map { $0.bucket(of: shardCount) }
    }
}

extension AppRegistry {
    /// Decides which apps of a block are kept; blocks come in their order.
    func admit(_ parsed: inout ParsedBlock) {
        guard !admitAll(parsed.apps) else { return }
        var admitted: [AppNumbers: AppNumbers] = [:]
        parsed.setApps { numbers in
            if let known = admitted[numbers] { return known }
            admitted[numbers] = admit(numbers)
            return admitted[numbers] ?? .other
        }
    }
}
