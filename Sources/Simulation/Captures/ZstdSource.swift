internal import CZstd

/// Decodes Zstandard, one frame or many; the one file that knows libzstd.
@safe
final class ZstdSource: ByteSource {
    private let compressed: any ByteSource
    private let path: String
    private var input: [UInt8]
    private var pending: Range<Int>
    private var isInFrame = false
    // SAFETY: made in `init`, freed in `deinit`, never handed out.
    private let stream: OpaquePointer

    /// - Parameters:
    ///   - compressed: The bytes to decode.
    ///   - start: Those of them that were read already.
    init(_ compressed: any ByteSource, start: [UInt8], path: String) throws(CaptureFailure) {
        self.compressed = compressed
        self.path = path
        input = start
        pending = 0..<start.count
        guard let stream = unsafe ZSTD_createDStream() else { throw .damaged(path: path, format: "zstd") }
        unsafe self.stream = stream
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe ZSTD_freeDStream(stream)
    }

    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        precondition(range.upperBound <= bytes.count, "the range lies inside the buffer")
        while true {
            if isInFrame || !pending.isEmpty {
                let produced = try decompress(into: &bytes, range: range)
                if produced > 0 { return produced }
            }
            if pending.isEmpty, try !fill() {
                guard !isInFrame else { throw .damaged(path: path, format: "zstd") }
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

    private func decompress(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        var (read, written, result) = (0, 0, 0)
        unsafe input.withUnsafeBytes { source in
            unsafe bytes.withUnsafeMutableBytes { target in
                // SAFETY: both parts lie inside their buffers, and libzstd keeps to the sizes.
                let from = unsafe source.baseAddress.map { unsafe $0 + pending.lowerBound }
                let to = unsafe target.baseAddress.map { unsafe $0 + range.lowerBound }
                var sourceBuffer = unsafe ZSTD_inBuffer(src: from, size: pending.count, pos: 0)
                var targetBuffer = unsafe ZSTD_outBuffer(dst: to, size: range.count, pos: 0)
                result = unsafe ZSTD_decompressStream(stream, &targetBuffer, &sourceBuffer)
                (read, written) = unsafe (sourceBuffer.pos, targetBuffer.pos)
            }
        }
        guard ZSTD_isError(result) == 0 else { throw .damaged(path: path, format: "zstd") }
        isInFrame = result != 0
        pending = pending.lowerBound + read..<pending.upperBound
        return written
    }
}
