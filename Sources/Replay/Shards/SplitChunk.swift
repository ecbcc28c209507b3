/// Some whole records of one part of the devices, on their way to or from its file.
///
/// A chunk is a frame that decoders of Zstandard skip, and behind it a frame with the records. So the file is a capture for
/// everybody, and also says where each record was: `docs/FORMATS.md` describes what is written here.
struct SplitChunkHead: Hashable, Sendable {
    /// The capture, by its index in the manifest.
    var capture: Int
    var records: Int
    /// The length of the bytes that hold the original positions of the records.
    var originBytes: Int
    /// The length of the frame with the records.
    var frameBytes: Int
    /// The length of the records.
    var recordBytes: Int

    /// Its length.
    static let bytes = 8 + 4 * 5
    private static let magic = 0x184D_2A53
    private static let tag = 0x3154_4C50

    /// The head itself.
    var encoded: [UInt8] {
        let numbers = [Self.magic, Self.bytes - 8 + originBytes, Self.tag, capture, records, frameBytes, recordBytes]
        return numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    /// - Returns: `nil` for bytes that are no head.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.bytes else { return nil }
        let numbers = (0..<7).map { place in
            (0..<4).reduce(0) { $0 | Int(bytes[4 * place + $1]) << (8 * $1) }
        }
        guard numbers[0] == Self.magic, numbers[2] == Self.tag, numbers[1] >= Self.bytes - 8 else { return nil }
        self.init(
            capture: numbers[3], records: numbers[4], originBytes: numbers[1] - (Self.bytes - 8),
            frameBytes: numbers[5], recordBytes: numbers[6])
    }

    init(capture: Int, records: Int, originBytes: Int, frameBytes: Int, recordBytes: Int) {
        (self.capture, self.records, self.originBytes) = (capture, records, originBytes)
        (self.frameBytes, self.recordBytes) = (frameBytes, recordBytes)
    }
}

/// The original positions of the records of a chunk in the capture that was split.
struct RecordOrigins: Hashable, Sendable {
    /// The number of each record among all valid ones, counted from 0.
    var indices: [Int] = []
    /// The first line of each, counted from 1.
    var lines: [Int] = []
}

/// Writes original positions of records: the steps of index and line from one record to the next, seven bits a byte.
struct OriginWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0
    private var latest = (index: 0, line: 0)

    mutating func append(index: Int, line: Int) {
        append(index - latest.index)
        append(line - latest.line)
        latest = (index, line)
        count += 1
    }

    private mutating func append(_ number: Int) {
        var rest = UInt64(number)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        (count, latest) = (0, (0, 0))
    }
}

extension RecordOrigins {
    /// Reads what ``OriginWriter`` wrote.
    ///
    /// - Parameters:
    ///   - bytes: All of it.
    ///   - count: The number of records.
    ///   - base: The counts of what comes before the split part.
    /// - Returns: `nil` for what was not written so.
    init?(_ bytes: ArraySlice<UInt8>, count: Int, base: (index: Int, line: Int)) {
        guard bytes.count >= 2 * count else { return nil }
        var (index, line, position) = (base.index, base.line, bytes.startIndex)
        func number() -> Int? {
            var (number, shift) = (0, 0)
            while position < bytes.endIndex, shift < 56 {
                let byte = bytes[position]
                position += 1
                number |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
            return nil
        }
        for _ in 0..<count {
            guard let indexStep = number(), let lineStep = number() else { return nil }
            (index, line) = (index &+ indexStep, line &+ lineStep)
            indices.append(index)
            lines.append(line)
        }
        guard position == bytes.endIndex else { return nil }
    }
}

/// A chunk of a file that somebody is yet to read.
struct SplitChunk: Sendable {
    let file: FileSource
    /// The offset of its head.
    let offset: Int
    let head: SplitChunkHead
    /// The valid records and the lines of the capture before what was split.
    let base: (index: Int, line: Int)

    /// The offset behind it.
    var end: Int { offset + SplitChunkHead.bytes + head.originBytes + head.frameBytes }

    /// True if the file is long enough for it, and its records are no longer than those that `split` writes: memory of the
    /// length that it states is allocated.
    var isPossible: Bool {
        end <= file.length ?? .max && head.recordBytes <= CaptureLimits.recordBytes + CaptureLimits.blockBytes
    }

    /// Fills a block with the records.
    ///
    /// - Parameter block: Its memory is used again.
    /// - Returns: Their original positions.
    func read(into block: inout CaptureBlock) throws(CaptureFailure) -> RecordOrigins {
        let damaged = CaptureFailure.damaged(path: file.path, format: "split")
        let count = head.originBytes + head.frameBytes
        var packed = [UInt8](repeating: 0, count: count)
        let read = try file.read(into: &packed, range: 0..<count, at: offset + SplitChunkHead.bytes)
        guard read == count, let origins = RecordOrigins(packed[..<head.originBytes], count: head.records, base: base)
        else { throw damaged }
        block.clear(room: head.recordBytes)
        guard ZstdFrame.unpack(packed, from: head.originBytes, into: &block.bytes) == head.recordBytes else {
            throw damaged
        }
        block.end = head.recordBytes
        return origins
    }
}
