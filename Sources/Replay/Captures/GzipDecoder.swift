internal import CZlib

/// Decodes gzip, one member or many; the one file that knows zlib.
@safe
final class GzipDecoder: ByteDecoder {
    let damaged: CaptureFailure
    private(set) var isInside = false
    private var hasMember = false
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
        if !isInside, hasMember {
            // Tapes and block devices fill up what they write with zeros.
            let start = pending.first { input[$0] != 0 } ?? pending.upperBound
            pending = start..<pending.upperBound
            if pending.isEmpty { return 0 }
        }
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
            (isInside, hasMember) = (false, true)
            // SAFETY: the stream was initialised; another member may follow.
            unsafe inflateReset(stream)
        default: throw damaged
        }
        return range.count - Int(unsafe stream.pointee.avail_out)
    }
}

/// Bytes that are packed as a whole.
enum GzipMember {
    /// Packs bytes into one member of gzip, which says neither a name nor a time.
    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // SAFETY: the stream is used in this function only, at one address, and freed at its end.
        // 15 + 16: the largest window, gzip format.
        return unsafe withUnsafeMutablePointer(to: &stream) { stream in
            let started = unsafe deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, zlibVersion(), size)
            precondition(started == Z_OK, "there is memory for packing")
            defer { unsafe deflateEnd(stream) }
            var packed = [UInt8](repeating: 0, count: Int(unsafe deflateBound(stream, UInt(bytes.count))))
            let result = unsafe bytes.withUnsafeBufferPointer { source in
                unsafe packed.withUnsafeMutableBufferPointer { target in
                    // SAFETY: zlib keeps to the counts and does not write to the input.
                    unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: source.baseAddress)
                    unsafe stream.pointee.avail_in = UInt32(source.count)
                    unsafe stream.pointee.next_out = target.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(target.count)
                    return unsafe deflate(stream, Z_FINISH)
                }
            }
            precondition(result == Z_STREAM_END, "the target has room for the largest result of packing")
            return Array(packed[..<Int(unsafe stream.pointee.total_out)])
        }
    }
}
