internal import PolicyEngine

extension CaptureFormat {
    /// Where the last record starts whose end is not known yet: bytes before it are whole records.
    ///
    /// - Parameters:
    ///   - bytes: The memory, which starts with a record.
    ///   - count: How many bytes were read.
    /// - Returns: `nil` where no record is known to be whole.
    func lastRecordStart(in bytes: Span<UInt8>, count: Int) -> Int? {
        var end = count
        while let newline = bytes.lastNewline(before: end) {
            let start = newline + 1
            // Lines end anywhere; a record of device information where the next one starts.
            if self != .info || startsRecord(bytes, range: start..<count) { return start > 0 ? start : nil }
            end = newline
        }
        return nil
    }

    // Bytes that may yet turn out to start a record do not: more will be read behind them.
    private func startsRecord(_ bytes: Span<UInt8>, range: Range<Int>) -> Bool {
        InfoLine(bytes, line: range).startsRecord
    }
}

extension Span<UInt8> {
    /// The offset of the last newline before another offset.
    fileprivate func lastNewline(before end: Int) -> Int? {
        var offset = end - 1
        while offset >= 0 {
            if self[offset] == UInt8(ascii: "\n") { return offset }
            offset -= 1
        }
        return nil
    }
}
