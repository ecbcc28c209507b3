internal import CZlib

/// Decodes gzip, one member or many; the one file that knows zlib.
@safe
final class GzipSource: ByteSource {
    private let compressed: any ByteSource
    private let path: String
    private var input: [UInt8]
    private var pending: Range<Int>
    private var isInMember = false
    // SAFETY: zlib keeps a pointer to the stream inside it, so it lives on the heap, at one address, until `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameters:
    ///   - compressed: The bytes to decode.
    ///   - start: Those of them that were read already.
    init(_ compressed: any ByteSource, start: [UInt8], path: String) throws(CaptureFailure) {
        self.compressed = compressed
        self.path = path
        input = start
        pending = 0..<start.count
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // SAFETY: the stream was initialised just now.
        // 15 + 16: the largest window, gzip format only.
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let result = unsafe inflateInit2_(stream, 15 + 16, zlibVersion(), size)
        guard result == Z_OK else { throw .damaged(path: path, format: "gzip") }
    }

    deinit {
        // SAFETY: initialised in `init` and not freed elsewhere.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        precondition(range.upperBound <= bytes.count, "the range lies inside the buffer")
        while true {
            if isInMember || !pending.isEmpty {
                let produced = try inflate(into: &bytes, range: range)
                if produced > 0 { return produced }
            }
            if pending.isEmpty, try !fill() {
                guard !isInMember else { throw .damaged(path: path, format: "gzip") }
                return 0
            }
        }
    }

    private func fill() throws(CaptureFailure) -> Bool {
        if input.count < CaptureLimits.blockBytes {
            input = Array(repeating: 0, count: CaptureLimits.blockBytes)
        }
        pending = 0..<(try compressed.read(into: &input, range: 0..<input.count))
        return !pending.isEmpty
    }

    private func inflate(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        isInMember = true
        let result = unsafe input.withUnsafeMutableBufferPointer { source in
            unsafe bytes.withUnsafeMutableBufferPointer { target in
                // SAFETY: both parts lie inside their buffers; zlib keeps to the counts, and the pointers are renewed
                // on every call.
                unsafe stream.pointee.next_in = source.baseAddress.map { unsafe $0 + pending.lowerBound }
                unsafe stream.pointee.avail_in = UInt32(pending.count)
                unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + range.lowerBound }
                unsafe stream.pointee.avail_out = UInt32(range.count)
                return unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            }
        }
        pending = pending.upperBound - Int(unsafe stream.pointee.avail_in)..<pending.upperBound
        let produced = range.count - Int(unsafe stream.pointee.avail_out)
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isInMember = false
            // SAFETY: the stream was initialised; another member may follow.
            unsafe inflateReset(stream)
        default: throw .damaged(path: path, format: "gzip")
        }
        return produced
    }
}
