internal import CZstd

/// Frames of Zstandard, as parts of bodies.
@safe
final class ZstdBody {
    // SAFETY: made in `init`, freed in `deinit`, never handed out.
    private let context: OpaquePointer
    private let level: Int32

    /// - Parameter level: The level of zstd; a higher one takes longer, and gives fewer bytes.
    init(level: Int) {
        guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("there is memory for packing") }
        unsafe self.context = context
        self.level = Int32(clamping: level)
    }

    deinit {
        // SAFETY: this is the only owner.
        unsafe ZSTD_freeCCtx(context)
    }

    /// Appends bytes as one frame.
    func pack(_ bytes: [UInt8], to output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: ZSTD_compressBound(bytes.count)))
        let count = unsafe bytes.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBytes { target in
                // SAFETY: the target begins inside the output, and libzstd keeps to the sizes.
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...])
                return unsafe ZSTD_compressCCtx(
                    context, target.baseAddress, target.count, source.baseAddress, source.count, level)
            }
        }
        precondition(ZSTD_isError(count) == 0, "the target has room for the largest result of packing")
        output.removeLast(output.count - start - count)
    }

    /// The number of bytes in a frame; 0 for what is no frame, and `nil` where the frame does not say it.
    @unsafe
    static func size(_ source: UnsafeRawBufferPointer) -> UInt64? {
        // SAFETY: libzstd keeps to the size. The last two results are the marks of an unknown size and of an error.
        let size = unsafe ZSTD_getFrameContentSize(source.baseAddress, source.count)
        return size == .max ? nil : size == .max - 1 ? 0 : size
    }

    /// Unpacks a frame, which has to fill the target exactly.
    @unsafe
    static func unpack(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        // SAFETY: libzstd keeps to the sizes.
        unsafe ZSTD_decompress(target.baseAddress, target.count, source.baseAddress, source.count) == target.count
    }
}
