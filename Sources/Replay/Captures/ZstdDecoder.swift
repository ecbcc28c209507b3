internal import CZstd

/// Decodes Zstandard, one frame or many; the one file that knows libzstd.
@safe
final class ZstdDecoder: ByteDecoder {
    let damaged: CaptureFailure
    private(set) var isInside = false
    // SAFETY: made in `init`, freed in `deinit`, never handed out.
    private let stream: OpaquePointer

    /// - Parameter path: The capture, for failures.
    init(path: String) throws(CaptureFailure) {
        damaged = .damaged(path: path, format: "zstd")
        guard let stream = unsafe ZSTD_createDStream() else { throw damaged }
        unsafe self.stream = stream
    }

    /// True if some bytes are the start of a frame: of data, or of one that decoders skip, as parallel packers write them.
    static func isStart(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return true }
        return 0x50...0x5F ~= bytes.first ?? 0 && bytes.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe ZSTD_freeDStream(stream)
    }

    func decode(
        _ input: [UInt8], _ pending: inout Range<Int>, into bytes: inout [UInt8], range: Range<Int>
    ) throws(CaptureFailure) -> Int {
        var (read, written, result) = (0, 0, 0)
        let part = pending
        unsafe input.withUnsafeBytes { source in
            unsafe bytes.withUnsafeMutableBytes { target in
                // SAFETY: both parts lie inside their buffers, and libzstd keeps to the sizes.
                let from = unsafe source.baseAddress.map { unsafe $0 + part.lowerBound }
                let to = unsafe target.baseAddress.map { unsafe $0 + range.lowerBound }
                var sourceBuffer = unsafe ZSTD_inBuffer(src: from, size: part.count, pos: 0)
                var targetBuffer = unsafe ZSTD_outBuffer(dst: to, size: range.count, pos: 0)
                result = unsafe ZSTD_decompressStream(stream, &targetBuffer, &sourceBuffer)
                (read, written) = unsafe (sourceBuffer.pos, targetBuffer.pos)
            }
        }
        guard ZSTD_isError(result) == 0 else { throw damaged }
        isInside = result != 0
        pending = pending.lowerBound + read..<pending.upperBound
        return written
    }
}

/// Packs bytes into frames of Zstandard.
@safe
final class ZstdFrame {
    // SAFETY: made in `init`, freed in `deinit`, never handed out.
    private let context: OpaquePointer

    // Memory that is used again.
    private var room: [UInt8] = []

    // Fast rather than small: twice as fast as the level 1, for a fifth more bytes.
    private static let level: Int32 = -1

    init() {
        guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("there is memory for packing") }
        unsafe self.context = context
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe ZSTD_freeCCtx(context)
    }

    /// Packs bytes into one frame.
    func pack(_ bytes: [UInt8]) -> [UInt8] {
        let missing = ZSTD_compressBound(bytes.count) - room.count
        if missing > 0 { room += [UInt8](repeating: 0, count: missing) }
        let count = unsafe bytes.withUnsafeBytes { source in
            unsafe room.withUnsafeMutableBytes { target in
                // SAFETY: libzstd keeps to the sizes.
                unsafe ZSTD_compressCCtx(
                    context, target.baseAddress, target.count, source.baseAddress, source.count, Self.level)
            }
        }
        precondition(ZSTD_isError(count) == 0, "the target has room for the largest result of packing")
        return Array(room[..<count])
    }
}
