internal import CBlockIndex

/// The positions of the delimiters of a block, found by comparing many bytes at a time.
struct DelimiterIndex {
    /// The offsets of the delimiters: in device information each newline; in JSON Lines each newline, and the first quote
    /// of each `","`.
    private(set) var delimiters: [UInt32] = []
    /// In JSON Lines: for each newline, the number of quotes before it in the block.
    private(set) var quotes: [UInt32] = []
    /// The offsets of bytes that make the record around them one for the scanners: carriage returns in device
    /// information; backslashes and control characters in JSON Lines.
    private(set) var irregular: [UInt32] = []
    /// The numbers of delimiters, quotes and irregular bytes; the arrays are longer.
    private(set) var counts = (delimiters: 0, quotes: 0, irregular: 0)
    private let instructions: VectorInstructions

    /// Bytes that must be readable behind the end of what is indexed.
    static let padding = block_index_padding

    /// - Parameter instructions: The instructions to compare with; the processor may have less.
    init(instructions: VectorInstructions) {
        self.instructions = instructions
    }

    /// Forgets all, so that nothing is known of any block.
    mutating func clear() { counts = (0, 0, 0) }

    /// Indexes a block.
    ///
    /// A block with more delimiters than can be expected is indexed up to where memory for them ends.
    ///
    /// - Parameters:
    ///   - bytes: The memory; the padding lies behind the end of the block.
    ///   - end: The length of the block.
    ///   - isText: True if it holds device information, rather than JSON Lines.
    mutating func index(_ bytes: Span<UInt8>, end: Int, isText: Bool) {
        precondition(end + Self.padding <= bytes.count && end <= Int32.max, "the padding follows the block")
        reserve(end / Self.bytesByDelimiter + Self.spare)
        let code = instructions.code
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe withLists { delimiters, quotes, irregular in
                // SAFETY: `end` bytes and the padding are readable, and each list has the room that it names.
                if isText {
                    unsafe _ = block_index_lines(code, base, end, &delimiters, &irregular)
                } else {
                    unsafe _ = block_index_objects(code, base, end, &delimiters, &quotes, &irregular)
                }
            }
        }
    }

    // Lines of a few bytes are rare; where they are not, the scanners read the rest of the block.
    private static var bytesByDelimiter: Int { 8 }
    // The most that a step may find, and some more for blocks of a few bytes.
    private static var spare: Int { 256 }

    private mutating func reserve(_ count: Int) {
        guard delimiters.count < count else { return }
        delimiters = Array(repeating: 0, count: count)
        quotes = delimiters
        irregular = delimiters
    }

    private mutating func withLists(
        _ body: (inout block_index_list, inout block_index_list, inout block_index_list) -> Void
    ) {
        counts = unsafe delimiters.withUnsafeMutableBufferPointer { delimiters in
            unsafe quotes.withUnsafeMutableBufferPointer { quotes in
                unsafe irregular.withUnsafeMutableBufferPointer { irregular in
                    // SAFETY: the lists name memory that lives through the call, with its length.
                    var lists = unsafe (
                        block_index_list(offsets: delimiters.baseAddress, capacity: delimiters.count, count: 0),
                        block_index_list(offsets: quotes.baseAddress, capacity: quotes.count, count: 0),
                        block_index_list(offsets: irregular.baseAddress, capacity: irregular.count, count: 0)
                    )
                    unsafe body(&lists.0, &lists.1, &lists.2)
                    return unsafe (lists.0.count, lists.1.count, lists.2.count)
                }
            }
        }
    }
}

/// The instructions that bytes are compared with; all give the same answers. A processor that lacks some uses the others.
package enum VectorInstructions: CaseIterable, Sendable {
    /// Eight bytes at a time, on every processor.
    case none
    /// 16 bytes at a time, on ARM by NEON.
    case sse2
    /// 32 bytes at a time.
    case avx2
    /// 64 bytes at a time.
    case avx512

    fileprivate var code: block_index_instructions {
        switch self {
        case .none: block_index_scalar
        case .sse2: block_index_sse2
        case .avx2: block_index_avx2
        case .avx512: block_index_avx512
        }
    }
}
