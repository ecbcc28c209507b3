internal import Columns
internal import Documents

/// An open capture: its kind, and its bytes in blocks.
struct CaptureFile {
    /// The path as it was given; `-` is standard input.
    let path: String
    /// The kind of the capture.
    let format: CaptureFormat
    /// The length of the file in bytes, as it lies on disk; `nil` for a pipe.
    let length: Int?
    /// True if the file is compressed, so that ``length`` says nothing of the decoded bytes.
    let isCompressed: Bool
    private var reader: BlockReader
    private let file: FileSource
    private let blockBytes: Int
    // The byte order mark's.
    private let markBytes: Int

    /// Opens a capture and finds out what it is.
    ///
    /// - Parameters:
    ///   - path: A file, or `-` for standard input; `.gz` and `.zst` content is decoded, whatever the name.
    ///   - format: The kind, if it is known; else the first line with content decides.
    ///   - blockBytes: Bytes that are read at a time.
    /// - Throws: ``CaptureFailure``.
    init(
        path: String, format: CaptureFormat? = nil, blockBytes: Int = CaptureLimits.blockBytes
    ) throws(CaptureFailure) {
        (self.path, self.blockBytes) = (path, blockBytes)
        file = try FileSource(path: path)
        length = file.length
        let (source, isCompressed) = try Self.decoded(file)
        self.isCompressed = isCompressed
        reader = BlockReader(source, path: path, blockBytes: blockBytes)
        markBytes = try Self.skipMark(of: &reader)
        guard let format else {
            self.format = try Self.detect(in: &reader, path: path)
            return
        }
        self.format = format
        try Self.refuseKeys(in: &reader, path: path)
    }

    /// Opens the image of captures.
    ///
    /// - Parameter image: The image, whose records are columns.
    /// - Throws: ``CaptureFailure``.
    init(_ image: CaptureImage) throws(CaptureFailure) {
        (path, format, isCompressed) = (image.path, .arrow, false)
        (blockBytes, markBytes) = (CaptureLimits.blockBytes, 0)
        file = try FileSource(try image.columns().file, path: path)
        length = file.length
        reader = BlockReader(file, path: path, blockBytes: blockBytes)
    }

    /// Fills a block with the records that come next.
    ///
    /// - Returns: True if there were any.
    mutating func next(into block: inout CaptureBlock) throws(CaptureFailure) -> Bool {
        try reader.next(into: &block, format: format)
    }

    /// The parts of the file, each of which can be read for itself; `nil` where bytes come one after another only.
    ///
    /// Whoever takes them reads the whole capture by them.
    var ranges: CaptureRanges? {
        guard let length, format != .arrow, !isCompressed, length > markBytes else { return nil }
        return ranges(in: 0..<length)
    }

    /// The parts of some bytes of the file, in which records start; `nil` where ``ranges`` is.
    func ranges(in bytes: Range<Int>) -> CaptureRanges? {
        guard let length, !isCompressed, length > markBytes else { return nil }
        let records = markBytes..<length
        return CaptureRanges(
            CaptureRange(file: file, format: format, part: bytes.clamped(to: records), records: records),
            partBytes: blockBytes)
    }

    /// The share of the file that was read, 0 through 1; `nil` where its decoded length is not known.
    var share: Double? {
        isCompressed ? nil : length.map { Double(reader.handedOut) / Double(max(1, $0)) }
    }

    /// The bytes of a capture that has columns, from its start.
    var columns: CapturedColumns {
        isCompressed || length == nil
            ? CapturedColumns(StartedSource(reader.source, start: reader.pending), path: path)
            : CapturedColumns(file)
    }

    // Compressed data is recognised by its first bytes.
    private static func decoded(
        _ file: FileSource
    ) throws(CaptureFailure) -> (source: any ByteSource, isCompressed: Bool) {
        var start = [UInt8](repeating: 0, count: CaptureLimits.detectionBytes)
        var count = 0
        while count < 4 {
            let more = try file.read(into: &start, range: count..<start.count)
            if more == 0 { break }
            count += more
        }
        start.removeLast(start.count - count)
        if start.starts(with: [0x1F, 0x8B]) {
            return (DecodingSource(file, start: start, decoder: try GzipDecoder(path: file.path)), true)
        }
        if ZstdDecoder.isStart(start) {
            return (DecodingSource(file, start: start, decoder: try ZstdDecoder(path: file.path)), true)
        }
        return (StartedSource(file, start: start), false)
    }

    // A byte order mark.
    private static func skipMark(of reader: inout BlockReader) throws(CaptureFailure) -> Int {
        let count = try reader.peek { (bytes: Span<UInt8>, isAtEnd: Bool) throws(CaptureFailure) -> Int? in
            guard bytes.count >= 3 else { return isAtEnd ? 0 : nil }
            return bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
        }
        reader.skip(count)
        return count
    }

    // Without a form that is given, a key file is no capture anyway.
    private static func refuseKeys(in reader: inout BlockReader, path: String) throws(CaptureFailure) {
        let isKeyFile = try reader.peek { (bytes: Span<UInt8>, isAtEnd: Bool) throws(CaptureFailure) -> Bool? in
            guard bytes.count > 0 || isAtEnd else { return nil }
            let start = bytes.indices.map { bytes[$0] }
            return KeyFileText.isKeyFile(start) && !DocumentKind.isCapture(start)
        }
        guard !isKeyFile else { throw .unreadable(path: path, reason: FileFailure.keyFile.description) }
    }

    private static func detect(in reader: inout BlockReader, path: String) throws(CaptureFailure) -> CaptureFormat {
        try reader.peek { (bytes: Span<UInt8>, isAtEnd: Bool) throws(CaptureFailure) -> CaptureFormat? in
            if let found = CaptureFormat.detect(in: bytes, range: 0..<bytes.count, isFinal: isAtEnd) {
                if let found { return found }
                // A damaged one has no mark of its form.
                guard path.hasSuffix(".arrow") else { throw .unknownFormat(path: path, likely: OtherForm(bytes)) }
                return .arrow
            }
            if isAtEnd { throw .empty(path: path) }
            return nil
        }
    }
}

/// The bytes of a capture that has columns.
final class CapturedColumns: ColumnSource {
    /// The path of the capture, for failures.
    let path: String
    let length: Int?
    private let file: FileSource?
    private let stream: any ByteSource
    // Why the bytes could not be read.
    private var failure: CaptureFailure?

    /// - Parameter file: A regular file, of which any part can be read.
    init(_ file: FileSource) {
        (path, length, self.file, stream) = (file.path, file.length, file, file)
    }

    /// - Parameters:
    ///   - stream: Bytes that are read one after another.
    ///   - path: The path of their file.
    init(_ stream: any ByteSource, path: String) {
        (self.path, length, file, self.stream) = (path, nil, nil, stream)
    }

    func read(into bytes: inout [UInt8], range: Range<Int>, at offset: Int) throws(ColumnFailure) -> Int {
        do throws(CaptureFailure) {
            if let file { return try file.read(into: &bytes, range: range, at: offset) }
            var done = 0
            while done < range.count {
                let count = try stream.read(into: &bytes, range: range.lowerBound + done..<range.upperBound)
                if count == 0 { break }
                done += count
            }
            return done
        } catch {
            failure = error
            throw ColumnFailure("the input cannot be read", at: offset)
        }
    }

    /// Does something with the columns.
    ///
    /// - Throws: ``CaptureFailure``: why the bytes could not be read, or what is wrong with the columns.
    func attempt<Value>(_ body: () throws(ColumnFailure) -> Value) throws(CaptureFailure) -> Value {
        do throws(ColumnFailure) {
            return try body()
        } catch {
            throw failure ?? .columns(path: path, error)
        }
    }
}
