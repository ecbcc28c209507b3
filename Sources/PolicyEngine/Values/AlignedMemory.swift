internal import CLibrary

/// Memory that starts at the start of a line of the processor's cache.
///
/// If much of it grows, the system gives its pages another address: nothing is copied, and the pages behind what was written
/// are not touched. A new and larger block would take each page anew, which costs more than to fill it.
// SAFETY: whoever writes into it is the only one who refers to it (``AlignedArray/own()``).
@safe
@usableFromInline
final class AlignedMemory: @unchecked Sendable {
    /// The size of a line in bytes, on nearly all processors.
    @usableFromInline static var line: Int { 64 }

    // The first byte, in what the allocator knows as a block.
    private var start: UnsafeMutableRawPointer
    private var block: UnsafeMutableRawPointer
    private var size = 0

    @usableFromInline
    init() {
        unsafe block = Self.resized(nil, to: Self.line)
        unsafe start = block.alignedUp(toMultipleOf: Self.line)
    }

    deinit {
        // SAFETY: nobody else refers to it, and bytes need no cleaning up.
        unsafe free(block)
    }

    /// The memory, for elements of a type.
    @usableFromInline
    func bind<Element>(to type: Element.Type) -> UnsafeMutablePointer<Element> {
        // SAFETY: the memory holds elements of one type only.
        unsafe start.bindMemory(to: type, capacity: size / MemoryLayout<Element>.stride)
    }

    /// Makes room.
    ///
    /// - Parameters:
    ///   - size: The number of bytes that need room.
    ///   - used: The number of bytes there that are kept.
    func resize(to size: Int, keeping used: Int) {
        let offset = unsafe start - block
        unsafe block = Self.resized(block, to: size + Self.line)
        unsafe start = block.alignedUp(toMultipleOf: Self.line)
        // A block among others may lie otherwise within a line than before; one with pages of its own does not.
        // SAFETY: the allocator kept what was used, and there is room for it at either address.
        if unsafe start - block != offset { unsafe start.copyMemory(from: block + offset, byteCount: used) }
        self.size = size
    }

    /// Another one with the same bytes.
    ///
    /// - Parameter used: The number of them.
    func copy(of used: Int) -> AlignedMemory {
        let other = AlignedMemory()
        other.resize(to: used, keeping: 0)
        // SAFETY: `used` bytes are here, and have room there.
        unsafe other.start.copyMemory(from: start, byteCount: used)
        return other
    }

    private static func resized(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer {
        // Without memory the process ends as it does where the runtime of Swift gets none: by an abort, which the command explains.
        guard let resized = unsafe realloc(block, size) else { abort() }
        return unsafe resized
    }
}
