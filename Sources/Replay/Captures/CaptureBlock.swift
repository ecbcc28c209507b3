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

/// Some whole records of a capture, in memory that is used again and again.
struct CaptureBlock: Sendable {
    /// The memory. Behind ``end`` lies padding that JSON parsing may read.
    var bytes: [UInt8] = []
    /// The offset behind the last record; the first starts at 0.
    var end = 0
    /// True if nothing comes behind the block.
    var isLast = false

    init() {}

    /// Leaves no records.
    ///
    /// - Parameter room: Bytes that will be read; memory for much more, of a long record, is given back.
    mutating func clear(room: Int) {
        (end, isLast) = (0, false)
        let needed = room + CaptureLimits.blockPadding
        if bytes.count < needed || bytes.count > 2 * needed { bytes = Array(repeating: 0, count: needed) }
    }

    /// Reads bytes of a file to the start of the memory, which grows as needed.
    ///
    /// - Returns: The number that were read: fewer only where the file ends.
    mutating func read(_ file: FileSource, _ range: Range<Int>) throws(CaptureFailure) -> Int {
        let missing = range.count + CaptureLimits.blockPadding - bytes.count
        if missing > 0 { bytes += [UInt8](repeating: 0, count: missing) }
        return try file.read(into: &bytes, range: 0..<range.count, at: range.lowerBound)
    }

    /// True if the last line lacks its newline.
    var lacksFinalNewline: Bool { end > 0 && bytes[end - 1] != UInt8(ascii: "\n") }
}

/// Limits on the amount of a capture that is in memory at a time.
package enum CaptureLimits {
    /// The longest record, in bytes.
    package static let recordBytes = 64 * 1024 * 1024
    /// Bytes read at a time: few enough to stay in a processor's cache, with the records found in them.
    package static let blockBytes = 256 * 1024
    /// Bytes that are readable behind the records of a block, so that whoever looks at many bytes at a time may go beyond.
    static let blockPadding = 256
    /// Bytes read to find out what a capture is.
    static let detectionBytes = 64 * 1024
    /// Different keys in one record.
    package static let keys = 4096
    /// The longest list of flags in a column of lists, in bytes; lists may share elements.
    static let listBytes = 1024 * 1024
    /// All dictionaries of a capture that are kept at once, in bytes.
    static let dictionaryBytes = 1024 * 1024 * 1024
    /// Distinct values kept of an attribute; further ones are looked at anew.
    package static let keptValues = 65_536
    /// Distinct lists of flags kept; further ones are read anew.
    package static let keptFlagLists = 32_768
}
