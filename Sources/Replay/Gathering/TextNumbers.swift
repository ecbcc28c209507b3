internal import Columns
internal import PolicyEngine

/// Texts by their numbers, from 0 in the order of first sight.
struct TextNumbers: Sendable {
    private var values = ValueTable(capacity: .max)
    /// The number of texts.
    private(set) var count = 0
    /// The bytes of all texts.
    private(set) var byteCount = 0

    /// The number of a text, given one at first sight.
    mutating func number(of bytes: Span<UInt8>, _ range: Range<Int>) -> Int32 {
        let number = values.intern(bytes, range: range).offset
        if number == count {
            count += 1
            byteCount += range.count
        }
        return Int32(number)
    }

    /// The number of a text, given one at first sight.
    mutating func number(of text: [UInt8]) -> Int32 { number(of: text.span, text.indices) }

    /// The texts by their numbers, as a file has them.
    var list: ValueList {
        var list = ValueList()
        for number in 0..<count { list.append(values.bytes(ofValueAt: number)[...]) }
        return list
    }
}
