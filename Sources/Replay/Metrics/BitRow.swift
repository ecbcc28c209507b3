/// A row of bits of one length: one for each account or edit.
struct BitRow: Hashable, Sendable {
    private(set) var words: [UInt64]

    /// A row of bits that are not set.
    ///
    /// - Parameter count: The number of them.
    init(count: Int) {
        words = Array(repeating: 0, count: Self.wordCount(count))
    }

    /// A row of these words.
    init(_ words: [UInt64]) { self.words = words }

    /// The number of words of 64 bits that a number of bits takes.
    static func wordCount(_ count: Int) -> Int { (count + 63) / 64 }

    /// The bit at an index.
    subscript(index: Int) -> Bool {
        get { words[index >> 6] & 1 << UInt64(index & 63) != 0 }
        set {
            let bit: UInt64 = 1 << UInt64(index & 63)
            words[index >> 6] = newValue ? words[index >> 6] | bit : words[index >> 6] & ~bit
        }
    }

    /// Clears every bit, or sets it.
    mutating func fill(_ isSet: Bool) {
        for index in words.indices { words[index] = isSet ? .max : 0 }
    }

    /// Sets every bit that is set in another row of the same length.
    mutating func formUnion(_ other: BitRow) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Hands over the index of each bit that is set, in rising order.
    ///
    /// - Parameter count: The number of bits; what is behind them in the last word is left out.
    func forEachIndex(below count: Int, _ body: (Int) -> Void) {
        for (number, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                let index = number << 6 | rest.trailingZeroBitCount
                if index >= count { return }
                body(index)
                rest &= rest - 1
            }
        }
    }
}

/// Gives rows of words of one length dense numbers, in order of first sight; they lie in one array.
struct RowTable: Sendable {
    /// The number of words of a row.
    let width: Int
    private var words: [UInt64] = []
    // The number plus one; 0: free. Open addressing with linear probing.
    private var slots: [UInt32] = Array(repeating: 0, count: 256)
    /// The number of rows that have a number.
    private(set) var count = 0

    /// - Parameter width: The number of words of a row.
    init(width: Int) {
        self.width = width
    }

    /// A word of a row.
    subscript(row: Int, word: Int) -> UInt64 { words[row * width + word] }

    /// Copies a row.
    func copy(_ row: Int, to scratch: inout [UInt64]) {
        for word in 0..<width { scratch[word] = words[row * width + word] }
    }

    /// The number of a row, given one at first sight.
    mutating func intern(_ row: [UInt64]) -> Int {
        var slot = Self.hash(row) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if isSame(row, number) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        words.append(contentsOf: row)
        count += 1
        slots[slot] = UInt32(count)
        if count * 2 > slots.count { grow() }
        return count - 1
    }

    private func isSame(_ row: [UInt64], _ number: Int) -> Bool {
        let start = number * width
        for word in 0..<width where words[start + word] != row[word] { return false }
        return true
    }

    private static func hash(_ row: some Sequence<UInt64>) -> Int {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for word in row {
            let product = (hash ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
            hash = product.high ^ product.low &+ 0x9E37_79B9
        }
        return Int(truncatingIfNeeded: hash)
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for number in 0..<count {
            var slot = Self.hash(words[number * width..<(number + 1) * width]) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
