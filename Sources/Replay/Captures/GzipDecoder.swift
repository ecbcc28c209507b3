internal import CZlib

/// Decodes gzip, one member or many; the one file that knows zlib.
@safe
final class GzipDecoder: ByteDecoder {
    let damaged: CaptureFailure
    private(set) var isInside = false
    // SAFETY: zlib keeps a pointer to the stream inside it, so it lives on the heap, at one address, until `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter path: The capture, for failures.
    init(path: String) throws(CaptureFailure) {
        damaged = .damaged(path: path, format: "gzip")
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // SAFETY: the stream was initialised just now.
        // 15 + 16: the largest window, gzip format only.
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let result = unsafe inflateInit2_(stream, 15 + 16, zlibVersion(), size)
        guard result == Z_OK else { throw damaged }
    }

    deinit {
        // SAFETY: initialised in `init` and not freed elsewhere.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func decode(
        _ input: [UInt8], _ pending: inout Range<Int>, into bytes: inout [UInt8], range: Range<Int>
    ) throws(CaptureFailure) -> Int {
        isInside = true
        let part = pending
        let result = unsafe input.withUnsafeBufferPointer { source in
            unsafe bytes.withUnsafeMutableBufferPointer { target in
                // SAFETY: both parts lie inside their buffers; zlib keeps to the counts and does not write to the input,
                // and the pointers are renewed on every call.
                unsafe stream.pointee.next_in = source.baseAddress.map {
                    unsafe UnsafeMutablePointer(mutating: $0 + part.lowerBound)
                }
                unsafe stream.pointee.avail_in = UInt32(part.count)
                unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + range.lowerBound }
                unsafe stream.pointee.avail_out = UInt32(range.count)
                return unsafe inflate(stream, Z_NO_FLUSH)
            }
        }
        pending = pending.upperBound - Int(unsafe stream.pointee.avail_in)..<pending.upperBound
        switch result {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END:
            isInside = false
            // SAFETY: the stream was initialised; another member may follow.
            unsafe inflateReset(stream)
        default: throw damaged
        }
        return range.count - Int(unsafe stream.pointee.avail_out)
    }
}
