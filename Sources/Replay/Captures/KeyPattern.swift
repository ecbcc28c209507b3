internal import PolicyEngine

/// The bytes of a short key as two words, so that looking for it takes two comparisons.
struct KeyPattern {
    /// The length of the key; 0 for one that is too long for this, and is never found.
    let count: Int
    private let head: UInt64
    private let tail: UInt64
    // Of the head, where the key is shorter than a word.
    private let mask: UInt64

    private static let wordBytes = 8

    /// - Parameters:
    ///   - bytes: The memory of the key.
    ///   - range: The whole key.
    init(_ bytes: Span<UInt8>, range: Range<Int>) {
        guard !range.isEmpty, range.count <= 2 * Self.wordBytes else {
            (count, head, tail, mask) = (0, 1, 0, 0)
            return
        }
        var (head, tail) = (UInt64(0), UInt64(0))
        for (place, offset) in range.prefix(Self.wordBytes).enumerated() {
            head |= UInt64(bytes[offset]) << UInt64(8 * place)
        }
        for (place, offset) in range.suffix(Self.wordBytes).enumerated() {
            tail |= UInt64(bytes[offset]) << UInt64(8 * place)
        }
        count = range.count
        self.head = head
        self.tail = tail
        mask = range.count >= Self.wordBytes ? .max : 1 << UInt64(8 * range.count) - 1
    }

    /// Whether the key stands at an offset; never where fewer than two words are left.
    @inline(__always)
    func stands(in bytes: Span<UInt8>, at offset: Int) -> Bool {
        guard offset + 2 * Self.wordBytes <= bytes.count, bytes.word(at: offset) & mask == head else { return false }
        return mask != .max || bytes.word(at: offset + count - Self.wordBytes) == tail
    }
}
