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
