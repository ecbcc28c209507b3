internal import CLZ4

/// Frames of LZ4; the one file that knows liblz4.
enum LZ4Frame {
    /// Unpacks one frame, which has to fill the target exactly.
    @unsafe
    static func unpack(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        var context: OpaquePointer?
        guard unsafe LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0 else {
            preconditionFailure("there is memory for unpacking")
        }
        // SAFETY: made above, and used by nobody behind this function.
        defer { unsafe LZ4F_freeDecompressionContext(context) }
        var (read, written) = (0, 0)
        while true {
            var (sourceCount, targetCount) = (source.count - read, target.count - written)
            // SAFETY: liblz4 keeps to the sizes of what is left of both, and sets them to the bytes that it used.
            let left = unsafe LZ4F_decompress(
                context, target.baseAddress.map { unsafe $0 + written }, &targetCount,
                source.baseAddress.map { unsafe $0 + read }, &sourceCount, nil)
            (read, written) = (read + sourceCount, written + targetCount)
            if left == 0 { return read == source.count && written == target.count }
            if LZ4F_isError(left) != 0 || sourceCount + targetCount == 0 { return false }
        }
    }
}
