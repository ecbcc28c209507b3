/// A part of a file that a worker reads on its own: the records that start in it.
///
/// Each record starts in exactly one of the parts that follow one another, and is read whole with it, though it may end in
/// the next one.
struct CaptureRange: Sendable {
    /// The capture, which is a file of a known length and not compressed.
    let file: FileSource
    /// The kind of its records, which decides where one starts.
    let format: CaptureFormat
    /// The part, as bytes of the file; not empty.
    let part: Range<Int>
    /// The bytes of all records.
    let records: Range<Int>

    // Bytes that are read behind a part at first, in which a record of usual length ends.
    private static let bytesBehind = 4096
    // Bytes that are looked at first to find where a record starts.
    private static let probeBytes = 1024

    /// Fills a block with the records that start in the part.
    ///
    /// - Parameter block: Its memory is used again; has no records where none starts in the part.
    /// - Returns: A failure that comes behind these records: the next one is too long.
    /// - Throws: ``CaptureFailure``, where the file cannot be read.
    func read(into block: inout CaptureBlock) throws(CaptureFailure) -> CaptureFailure? {
        block.clear(room: part.count + Self.bytesBehind)
        guard let start = try firstStart(using: &block) else { return nil }
        var wanted = part.upperBound + Self.bytesBehind - start
        while true {
            let count = try block.read(file, start..<min(start + wanted, records.upperBound))
            let isFinal = count < wanted
            let next = format.recordStart(
                from: part.upperBound - start, in: block.bytes.span, count: count, isFinal: isFinal)
            if next != nil || isFinal { (block.end, block.isLast) = (next ?? count, next == nil) }
            if let failure = endBeforeLongRecord(&block, count: next ?? count) { return failure }
            if next != nil || isFinal { return nil }
            wanted += count
        }
    }

    // The offset in the file at which the first record of the part starts.
    private func firstStart(using block: inout CaptureBlock) throws(CaptureFailure) -> Int? {
        if part.lowerBound == records.lowerBound { return part.lowerBound }
        let base = part.lowerBound - 1
        var wanted = Self.probeBytes
        while true {
            let count = try block.read(file, base..<min(base + wanted, records.upperBound))
            let isFinal = count < wanted
            if let found = format.recordStart(from: 1, in: block.bytes.span, count: count, isFinal: isFinal) {
                return base + found < part.upperBound ? base + found : nil
            }
            if isFinal || count > part.count + Self.probeBytes { return nil }
            wanted += count
        }
    }

    // All records but the last end in the part, which is shorter than the longest record.
    private func endBeforeLongRecord(_ block: inout CaptureBlock, count: Int) -> CaptureFailure? {
        guard count > CaptureLimits.recordBytes else { return nil }
        let last = format.lastRecordStart(in: block.bytes.span, count: count - 1) ?? 0
        guard count - last > CaptureLimits.recordBytes else { return nil }
        (block.end, block.isLast) = (last, false)
        return .recordTooLong(path: file.path, line: 1)
    }
}

/// The parts of a file, one after another.
struct CaptureRanges: Sequence, IteratorProtocol {
    private let whole: CaptureRange
    private let partBytes: Int
    private var position: Int

    // Parts so short that most hold no start of a record only cost time.
    private static let leastBytes = 64

    /// - Parameters:
    ///   - whole: All of the file.
    ///   - partBytes: Bytes in a part.
    init(_ whole: CaptureRange, partBytes: Int) {
        (self.whole, position) = (whole, whole.part.lowerBound)
        self.partBytes = Swift.max(Self.leastBytes, partBytes)
    }

    mutating func next() -> CaptureRange? {
        guard position < whole.part.upperBound else { return nil }
        let end = Swift.min(position + partBytes, whole.part.upperBound)
        defer { position = end }
        return CaptureRange(
            file: whole.file, format: whole.format, part: position..<end, records: whole.records)
    }
}
