internal import PolicyEngine

extension CaptureFormat {
    /// Tells the kind by the first line that says something.
    ///
    /// - Parameters:
    ///   - bytes: The memory of the capture's start.
    ///   - range: What was read of it.
    ///   - isFinal: Whether no more will come.
    /// - Returns: `nil` when no line says anything yet; `.some(nil)` when the first that does is of no kind.
    static func detect(in bytes: Span<UInt8>, range: Range<Int>, isFinal: Bool) -> CaptureFormat?? {
        var lines = LineCursor(position: range.lowerBound, end: range.upperBound)
        while let line = lines.next(in: bytes, isFinal: isFinal) {
            let kind = InfoLine(bytes, line: line)
            if kind == .between { continue }
            if kind.startsRecord { return .some(.info) }
            if firstTextByte(of: bytes.extracting(line)) == UInt8(ascii: "{") { return .some(.jsonl) }
            if FetchLine.startsWithDevice(bytes, line: line) { return .some(.fetches) }
            return .some(InfoLine.keyEnd(in: bytes, line: line) == nil ? nil : .info)
        }
        return nil
    }

    private static func firstTextByte(of line: Span<UInt8>) -> UInt8? {
        for offset in line.indices where line[offset] != UInt8(ascii: " ") && line[offset] != UInt8(ascii: "\t") {
            return line[offset]
        }
        return nil
    }
}
