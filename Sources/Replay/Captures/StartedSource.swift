/// A source of which some bytes were read already.
final class StartedSource: ByteSource {
    private let source: any ByteSource
    private var start: ArraySlice<UInt8>

    init(_ source: any ByteSource, start: [UInt8]) {
        self.source = source
        self.start = start[...]
    }

    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        guard !start.isEmpty else { return try source.read(into: &bytes, range: range) }
        let count = min(start.count, range.count)
        bytes.replaceSubrange(range.lowerBound..<range.lowerBound + count, with: start.prefix(count))
        start.removeFirst(count)
        return count
    }
}
