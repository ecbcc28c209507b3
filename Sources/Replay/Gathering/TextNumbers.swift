internal import Columns

/// Texts by their numbers, from 0 in the order of first sight.
struct TextNumbers: Sendable {
    /// The texts by their numbers, as a file has them.
    private(set) var list = ValueList()
    // The first of the texts, for those who look for one.
    private var index = ValueSlots(instructions: .avx512, tagBits: .max)
    private var indexedCount = 0
    // The giver of the latest new text; and true once two gave some in turn.
    private var giver = 0
    private var isShared = false

    /// The number of texts.
    var count: Int { list.count }

    /// The number of a text, given one at first sight.
    mutating func number(of bytes: Span<UInt8>, _ range: Range<Int>) -> Int32 {
        indexAll()
        let number = Int(index.intern(bytes, range, number: UInt32(count)))
        if number == count {
            list.append(bytes.extracting(range))
            indexedCount = count
        }
        return Int32(number)
    }

    /// The number of a text, given one at first sight.
    mutating func number(of text: [UInt8]) -> Int32 { number(of: text.span, text.indices) }

    /// The number of a text from somebody who gives each text once: so it is not looked for among those of the same giver.
    ///
    /// - Parameter giver: The number of the giver, from 0 in the order of their first texts.
    mutating func number(of bytes: Span<UInt8>, _ range: Range<Int>, from giver: Int) -> Int32 {
        if giver != self.giver {
            isShared = isShared || giver < self.giver
            self.giver = giver
            indexAll()
        }
        if isShared { return number(of: bytes, range) }
        if indexedCount > 0, let known = index.number(of: bytes, range) { return Int32(bitPattern: known) }
        list.append(bytes.extracting(range))
        return Int32(count - 1)
    }

    /// True if all texts are of the first giver, whose numbers are those of all.
    func areOnly(from giver: Int) -> Bool { giver == 0 && self.giver == 0 && !isShared }

    private mutating func indexAll() {
        while indexedCount < count {
            let text = list[indexedCount]
            _ = index.intern(text.span, 0..<text.count, number: UInt32(indexedCount))
            indexedCount += 1
        }
    }
}
