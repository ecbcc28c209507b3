internal import Documents

/// Gathers the records of each part of the devices, packs them, and writes them to the part's file.
struct ShardWriter: ~Copyable {
    private var folder: OutputFolder
    private let output: String
    private var shards: [Gathered]
    private var written: [SplitManifest.File]
    private let chunkBytes: Int
    private let frame = ZstdFrame()

    // The records that are not packed yet.
    private struct Gathered {
        var bytes: [UInt8] = []
        var origins = OriginWriter()
    }

    // All parts together, unless there are very many.
    private static let memory = 256 * 1024 * 1024

    init(_ request: SplitRequest) throws(ReplayFailure) {
        let path = request.output
        output = path
        folder = try Self.folder(path)
        shards = Array(repeating: Gathered(), count: request.shards)
        written = (1...request.shards).map { number in
            SplitManifest.File(name: "shard-\(number).zst", records: 0, bytes: 0, digest: "")
        }
        chunkBytes = request.chunkBytes ?? min(CaptureLimits.blockBytes, max(4096, Self.memory / request.shards))
    }

    private static func folder(_ path: String) throws(ReplayFailure) -> OutputFolder {
        do throws(FileFailure) { return try OutputFolder.make(path) } catch { throw .output(path: path, error) }
    }

    /// Adds a record to a part.
    ///
    /// - Parameters:
    ///   - record: Its bytes.
    ///   - shard: The part, counted from 0.
    ///   - capture: The capture, by its index.
    ///   - index: The number of the record among the valid ones.
    ///   - line: Its first line.
    mutating func append(
        _ record: ArraySlice<UInt8>, to shard: Int, capture: Int, index: Int, line: Int
    ) throws(ReplayFailure) {
        if !shards[shard].bytes.isEmpty, shards[shard].bytes.count + record.count > chunkBytes {
            try write(shard, capture: capture)
        }
        shards[shard].bytes += record
        if record.last != UInt8(ascii: "\n") { shards[shard].bytes.append(UInt8(ascii: "\n")) }
        shards[shard].origins.append(index: index, line: line)
    }

    /// Writes what was gathered of a capture.
    mutating func finish(capture: Int) throws(ReplayFailure) {
        for shard in shards.indices where !shards[shard].bytes.isEmpty { try write(shard, capture: capture) }
    }

    private mutating func write(_ shard: Int, capture: Int) throws(ReplayFailure) {
        let (packed, origins) = (frame.pack(shards[shard].bytes), shards[shard].origins)
        let head = SplitChunkHead(
            capture: capture, records: origins.count, originBytes: origins.bytes.count, frameBytes: packed.count,
            recordBytes: shards[shard].bytes.count)
        try write(head.encoded + origins.bytes + packed, to: written[shard].name)
        written[shard].records += origins.count
        shards[shard].bytes.removeAll(keepingCapacity: true)
        shards[shard].origins.clear()
    }

    private func write(_ bytes: [UInt8], to name: String, waits: Bool = false) throws(ReplayFailure) {
        do throws(FileFailure) { try folder.append(bytes, to: name, waits: waits) } catch {
            throw .output(path: FileLocation.join(output, name), error)
        }
    }

    /// Writes the manifest, and gives the folder its name.
    mutating func finish(_ manifest: SplitManifest) throws(ReplayFailure) {
        var manifest = manifest
        for number in written.indices {
            let name = written[number].name
            try write([], to: name)
            do throws(FileFailure) {
                let digest = try folder.digest(of: name)
                (written[number].bytes, written[number].digest) = (digest.size, digest.text)
            } catch {
                throw .output(path: FileLocation.join(output, name), error)
            }
        }
        manifest.files = written
        // It has the digests of the others: one of them that got lost is noticed.
        try write(manifest.bytes, to: SplitManifest.name, waits: true)
        do throws(FileFailure) { try folder.finish() } catch { throw .output(path: output, error) }
    }
}
