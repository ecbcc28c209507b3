internal import PolicyEngine

/// The keys of a capture in the order in which its records give them; a record may leave some out.
///
/// INVARIANT: no two keys mean the same, so that a record that goes through the keys in this order gives none twice. Each key
/// was taken by the scanners from a record, so that it is a key to them, too.
struct KeyTemplate {
    private(set) var keys: [Key] = []

    struct Key {
        /// The key, and the bytes that separate it from its value.
        let pattern: KeyPattern
        /// The field that its value goes to; -1 where nobody needs it.
        let field: Int
        /// The meaning of the key; keys that mean the same share it.
        let identity: Int
    }

    /// The maximum number of keys of a template.
    private static let limit = 64

    /// Takes the keys of a valid record in their order.
    ///
    /// New keys come behind those that they follow in the record. If that contradicts the order so far, the record's own order
    /// replaces it.
    ///
    /// - Returns: True if that changed anything.
    mutating func learn(_ record: [Key]) -> Bool {
        guard let merged = merged(with: record), merged.count <= Self.limit else {
            // One of two keys of a meaning may say nothing, as `null` does.
            let isPlain = Set(record.map(\.identity)).count == record.count
            keys = isPlain && record.count <= Self.limit ? record : []
            return true
        }
        guard merged.count > keys.count else { return false }
        keys = merged
        return true
    }

    private func merged(with record: [Key]) -> [Key]? {
        var merged = keys
        var next = 0
        for key in record {
            if let known = merged.firstIndex(where: { $0.identity == key.identity }) {
                guard known >= next, merged[known].pattern == key.pattern else { return nil }
                next = known + 1
            } else {
                merged.insert(key, at: next)
                next += 1
            }
        }
        return merged
    }

    /// The fields that follow one another, with nothing between them.
    ///
    /// - Parameter columns: The fields that matter.
    /// - Returns: Runs of their indices.
    func runs(of columns: [Int]) -> [[Int]] {
        var runs: [[Int]] = [[]]
        for key in keys {
            if let index = columns.firstIndex(of: key.field) {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([])
            }
        }
        return runs.filter { $0.count > 1 }
    }
}

/// The bytes of a key and its separator, which are looked for as words.
struct KeyPattern: Equatable {
    /// The length in bytes.
    let length: Int
    private let words: (UInt64, UInt64, UInt64, UInt64)
    private let masks: (UInt64, UInt64, UInt64, UInt64)

    /// The longest pattern, in bytes.
    static let limit = 32

    /// - Parameter bytes: The key and its separator, at most ``limit`` bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count <= Self.limit, "the pattern fits its words")
        length = bytes.count
        func word(_ index: Int) -> (UInt64, UInt64) {
            var (word, mask) = (UInt64(0), UInt64(0))
            for (offset, byte) in bytes.dropFirst(8 * index).prefix(8).enumerated() {
                word |= UInt64(byte) << UInt64(8 * offset)
                mask |= 0xFF << UInt64(8 * offset)
            }
            return (word, mask)
        }
        let parts = (word(0), word(1), word(2), word(3))
        words = (parts.0.0, parts.1.0, parts.2.0, parts.3.0)
        masks = (parts.0.1, parts.1.1, parts.2.1, parts.3.1)
    }

    /// True if the pattern is at an offset, behind which ``limit`` bytes must be readable: that is not checked.
    @unsafe
    @inline(__always)
    func stands(in bytes: Span<UInt8>, at offset: Int) -> Bool {
        // SAFETY: the caller knows that this number of bytes is there.
        let start =
            unsafe (bytes.word(uncheckedAt: offset) ^ words.0) & masks.0
            | (bytes.word(uncheckedAt: offset &+ 8) ^ words.1) & masks.1
        guard start == 0 else { return false }
        if length <= 16 { return true }
        return unsafe (bytes.word(uncheckedAt: offset &+ 16) ^ words.2) & masks.2
            | (bytes.word(uncheckedAt: offset &+ 24) ^ words.3) & masks.3 == 0
    }

    static func == (left: KeyPattern, right: KeyPattern) -> Bool {
        left.length == right.length && left.words == right.words
    }
}
