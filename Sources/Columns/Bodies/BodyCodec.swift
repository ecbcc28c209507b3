/// The compression of the parts of a body.
enum BodyCodec: Int8, Sendable {
    case lz4 = 0
    case zstd = 1

    /// True if a part of some memory may contain a number of bytes, as far as that is known without unpacking it.
    func mayContain(_ count: Int, in packed: Range<Int>, of memory: [UInt8]) -> Bool {
        switch self {
        // A byte of LZ4 is at most 255 bytes of what is unpacked.
        case .lz4: return count / 255 <= packed.count
        case .zstd:
            return unsafe memory.withUnsafeBytes { memory in
                // SAFETY: the range is checked to lie in the memory.
                let size = unsafe ZstdBody.size(UnsafeRawBufferPointer(rebasing: memory[packed]))
                return size == nil || size == UInt64(count)
            }
        }
    }

    /// Unpacks a part of some memory into another part of it, which has to be filled exactly.
    ///
    /// - Parameters:
    ///   - packed: The compressed bytes.
    ///   - unpacked: The place for what they contain, behind them.
    ///   - memory: Contains both.
    /// - Returns: False for damaged bytes, and for any other number of bytes.
    func unpack(_ packed: Range<Int>, into unpacked: Range<Int>, of memory: inout [UInt8]) -> Bool {
        precondition(
            packed.upperBound <= unpacked.lowerBound && unpacked.upperBound <= memory.count, "two parts of the memory")
        return unsafe memory.withUnsafeMutableBytes { memory in
            // SAFETY: both parts were checked to lie in the memory, one behind the other.
            let source = unsafe UnsafeRawBufferPointer(rebasing: memory[packed])
            let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[unpacked])
            return switch self {
            case .lz4: unsafe LZ4Frame.unpack(source, into: target)
            case .zstd: unsafe ZstdBody.unpack(source, into: target)
            }
        }
    }
}
