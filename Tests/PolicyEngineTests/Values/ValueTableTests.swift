import Testing

@testable import PolicyEngine

@Suite("The table of values") struct ValueTableTests {
    @Test("values are numbered in order of first sight, over several growths") func numbersStay() {
        var table = ValueTable(capacity: .max)
        for _ in 0..<2 {
            for number in 0..<1000 { #expect(Self.intern("value \(number)", &table).offset == number) }
        }
        for number in [0, 31, 32, 63, 64, 999] {
            #expect(table.text(of: ValueNumber(offset: number)) == "value \(number)")
        }
    }

    @Test("texts that differ in one byte are told apart", arguments: 0..<25) func lengths(length: Int) {
        var table = ValueTable(capacity: .max)
        let text = String(repeating: "a", count: length)
        let first = Self.intern(text, &table)
        #expect(first != .absent)
        #expect(Self.intern(text + "a", &table) != first)
        for position in 0..<length {
            var other = Array(text)
            other[position] = "b"
            #expect(Self.intern(String(other), &table) != first)
        }
        #expect(Self.intern(text, &table) == first)
        #expect(table.text(of: first) == text)
    }

    @Test("texts that look alike are told apart by their bytes") func bytesCount() {
        var table = ValueTable(capacity: .max)
        #expect(Self.intern("caf\u{E9}", &table) != Self.intern("cafe\u{301}", &table))
    }

    @Test("the empty value is a value") func emptyIsAValue() {
        var table = ValueTable(capacity: .max)
        let empty = Self.intern("", &table)
        #expect(empty.offset == 0)
        #expect(Self.intern("", &table) == empty)
        #expect(table.text(of: empty) == "")
        #expect(table.text(of: .absent) == "")
    }

    @Test("past its capacity values pass", arguments: [0, 1, 2, 5]) func valuesPass(capacity: Int) {
        var table = ValueTable(capacity: capacity)
        for number in 0..<capacity { #expect(Self.intern("kept \(number)", &table).offset == number) }
        for text in ["first to pass", "next", ""] {
            #expect(Self.intern(text, &table) == .transient)
            #expect(table.text(of: .transient) == text)
        }
        for number in 0..<capacity {
            #expect(Self.intern("kept \(number)", &table).offset == number)
            #expect(table.text(of: ValueNumber(offset: number)) == "kept \(number)")
        }
        // A kept value leaves the one that passes alone.
        #expect(table.text(of: .transient) == "")
    }

    @Test("a capacity that is raised keeps more") func capacityIsRaised() {
        var table = ValueTable(capacity: 1)
        #expect(Self.intern("a", &table).offset == 0)
        #expect(Self.intern("b", &table) == .transient)
        table.capacity = .max
        #expect(Self.intern("b", &table).offset == 1)
        #expect(table.text(of: ValueNumber(offset: 1)) == "b")
    }

    @Test("the bytes of a value are handed over whole") func bytesAreHandedOver() {
        var table = ValueTable(capacity: 1)
        for value in [Self.intern("kept", &table), Self.intern("passing value", &table)] {
            let (bytes, range) = table.index(of: value)
            #expect(String(decoding: bytes[range], as: UTF8.self) == table.text(of: value))
        }
        #expect(table.index(of: .absent).range.isEmpty)
    }

    @Test("a value is a part of other bytes") func partOfBytes() {
        var table = ValueTable(capacity: .max)
        let bytes = Array("key: value\n".utf8)
        let value = table.intern(bytes.span, range: 5..<10)
        #expect(table.text(of: value) == "value")
        #expect(Self.intern("value", &table) == value)
    }

    @Test("a kept value is compared where it lies") func keptValueIsCompared() {
        var table = ValueTable(capacity: .max)
        for text in ["first", "", "third"] { _ = Self.intern(text, &table) }
        let bytes = Array("a first third".utf8)
        let isKept = { (offset: Int, range: Range<Int>) in table.isValue(offset, bytes.span, range: range) }
        #expect(isKept(0, 2..<7))
        #expect(isKept(1, 2..<2))
        #expect(isKept(2, 8..<13))
        #expect(!isKept(0, 2..<6))
        #expect(!isKept(2, 2..<7))
        #expect(!isKept(1, 0..<1))
    }

    @Test("the hash of a part of some bytes is that of the bytes alone", arguments: 0..<40)
    func hashOfAPart(length: Int) {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        let hash = ByteHash.process.hash(text.span, range: 0..<length)
        for start in 1...9 {
            let framed = Array(repeating: UInt8(start), count: start) + text + [4, 5, 6]
            let hashInside = ByteHash.process.hash(framed.span, range: start..<start + length)
            #expect(hashInside == hash)
        }
        for position in 0..<length {
            var changed = text
            changed[position] ^= 1
            let other = ByteHash.process.hash(changed.span, range: 0..<length)
            #expect(other != hash, "byte \(position) counts")
        }
    }

    @Test("values with one and the same hash are told apart") func collisions() {
        // The hash folds a product, so a word that cancels a factor makes it 0, whatever the other word.
        let crowd = (0..<200).map(Self.valueWithHashZero)
        #expect(crowd.allSatisfy { ByteHash.process.hash($0.span, range: 0..<16) == 0 })
        var table = ValueTable(capacity: .max)
        for (number, value) in crowd.enumerated() {
            #expect(table.intern(value.span, range: 0..<16).offset == number)
        }
        for (number, value) in crowd.enumerated() {
            #expect(table.intern(value.span, range: 0..<16).offset == number)
        }
    }

    // Looks up `kept` as often as `hits` says, and then `misses` values that are not there, in a table of one value.
    private static func look(_ hits: Int, _ misses: Int, _ table: inout ValueTable) {
        for _ in 0..<hits { #expect(intern("kept", &table).offset == 0) }
        for number in 0..<misses { #expect(intern("other \(number)", &table) == .transient) }
    }

    @Test("a table in which more than every fourth of 16 384 lookups is a miss is given up") func givenUp() {
        var table = ValueTable(capacity: 1)
        _ = Self.intern("kept", &table)
        // 4096 of 16 384 are just every fourth.
        Self.look(12_288, 4096, &table)
        Self.look(12_288, 4096, &table)
        #expect(Self.intern("kept", &table).offset == 0)
        // The lookup before counts among the next ones.
        Self.look(12_286, 4096, &table)
        #expect(Self.intern("x", &table) == .transient)
        #expect(Self.intern("kept", &table) == .transient)
        var second = ValueTable(capacity: 1)
        _ = Self.intern("kept", &second)
        Self.look(12_287, 4096, &second)
        #expect(Self.intern("x", &second) == .transient)
        #expect(Self.intern("kept", &second) == .transient)
        #expect(second.text(of: .transient) == "kept")
    }

    private static func intern(_ text: String, _ table: inout ValueTable) -> ValueNumber {
        let bytes = Array(text.utf8)
        return table.intern(bytes.span, range: 0..<bytes.count)
    }

    private static func valueWithHashZero(_ number: Int) -> [UInt8] {
        [ByteHash.process.first, UInt64(number)].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }
}
