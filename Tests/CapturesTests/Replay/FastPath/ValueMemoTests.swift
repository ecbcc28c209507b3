import Testing

@testable import Replay
@testable import TestSupport

/// A kept value is found by its bytes, wherever a hash puts it and whatever compares it.
@Suite struct ValueMemoTests {
    private struct Number: Finding {
        var value: Int
        static var nothing: Number { Number(value: 0) }
        mutating func formUnion(_ other: Number) { value += other.value }
    }

    // Values of all lengths, among them the empty one and some that differ in one byte.
    private static let values: [String] =
        (0..<120).map { String(repeating: "x", count: $0) } + (0..<40).map { "value-\($0)" }
        + (0..<70).map { position in
            var bytes = [UInt8](repeating: UInt8(ascii: "y"), count: 70)
            bytes[position] = UInt8(ascii: "z")
            return String(decoding: bytes, as: UTF8.self)
        }

    // The last value ends where the memory does.
    private static func rows(_ values: [[UInt8]], form: ValueRange.Form = .plain) -> ValueRows {
        var (rows, bytes) = (ValueRows(width: 1), [UInt8]())
        for value in values {
            let start = bytes.count
            bytes += value
            rows.beginRow()
            rows[0] = ValueRange(start..<bytes.count, form: form)
            rows.keepRow(isUsual: false)
        }
        if form == .plain { rows.bytes = bytes } else { rows.copied = bytes }
        return rows
    }

    private static func find(
        _ values: [[UInt8]], form: ValueRange.Form = .plain, with memo: inout ValueMemo<Number>
    ) -> (found: [Int], misses: [Int32]) {
        let rows = rows(values, form: form)
        var (found, misses) = ([Number](repeating: .nothing, count: values.count), [Int32]())
        var start = 0
        while start < values.count {
            let end = min(start + ValueMemo<Number>.rowsAtOnce, values.count)
            expect(memo.find(rows, start..<end, column: 0, misses: &misses, into: &found), equals: end - start)
            start = end
        }
        return (found.map(\.value), misses)
    }

    private static func find(_ values: [String], with memo: inout ValueMemo<Number>) -> (found: [Int], misses: [Int32])
    {
        find(values.map { Array($0.utf8) }, with: &memo)
    }

    private static func keep(_ number: Int, for value: [UInt8], in memo: inout ValueMemo<Number>) {
        memo.keep(Number(value: number), for: value.span, range: 0..<value.count)
    }

    /// The slots that hashes put values into: by all of their bits, all into one slot, or into one of few with the same tags.
    private static let tagBits: [UInt32] = [.max, 0, 3]

    @Test(arguments: VectorInstructions.allCases, tagBits)
    func valuesAreFoundByTheirBytes(instructions: VectorInstructions, tagBits: UInt32) {
        var memo = ValueMemo<Number>(limit: 1000, instructions: instructions, tagBits: tagBits)
        let values = Self.values
        expect(Self.find(values, with: &memo).misses, equals: values.indices.map(Int32.init))
        for (number, value) in values.enumerated() {
            Self.keep(number + 1, for: Array(value.utf8), in: &memo)
            // A second time changes nothing.
            Self.keep(9999, for: Array(value.utf8), in: &memo)
        }
        let (found, misses) = Self.find(values, with: &memo)
        #expect(misses.isEmpty)
        expect(found, equals: values.indices.map { $0 + 1 })
        expect(Self.find(["value", "value-400", "xy"], with: &memo).misses, equals: [0, 1, 2])
    }

    // Around the steps in which values are looked at, and longer than what is looked at in batches.
    private static let lengths =
        [0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 191, 192, 193, 255, 256]
        + [257, 300, 511, 512, 513, 575, 576, 577, 1200]

    // Values that share their start and their end with others of the same length.
    private static func randomValues(seed: UInt64) -> [[UInt8]] {
        var chance = Chance(seed: seed)
        return (0..<400).map { _ in
            let length = chance.pick(lengths)
            var value = [UInt8](repeating: UInt8(ascii: "v"), count: length)
            if length > 0 { value[chance.pick(Array(0..<length))] = chance.pick([0, 1, 0x7F, 0x80, 0xFF]) }
            return value
        }
    }

    @Test(arguments: VectorInstructions.allCases, [ValueRange.Form.plain, .unescaped])
    func isWhatADictionarySays(instructions: VectorInstructions, form: ValueRange.Form) {
        var memo = ValueMemo<Number>(limit: 300, instructions: instructions)
        var reference: [[UInt8]: Int] = [:]
        for round in 0..<20 {
            let values = Self.randomValues(seed: UInt64(round))
            let (found, misses) = Self.find(values, form: form, with: &memo)
            expect(found, equals: values.map { reference[$0] ?? 0 })
            expect(misses, equals: values.indices.filter { reference[values[$0]] == nil }.map(Int32.init))
            for row in misses.map(Int.init) {
                let number = 1 + round * 1000 + row
                Self.keep(number, for: values[row], in: &memo)
                if reference.count < 300, reference[values[row]] == nil { reference[values[row]] = number }
            }
        }
        expect(reference.count, equals: 300)
    }

    @Test func aCopyGoesItsOwnWay() {
        var memo = ValueMemo<Number>(limit: 10, instructions: .avx512)
        Self.keep(1, for: Array("a".utf8), in: &memo)
        var other = memo
        Self.keep(2, for: Array("b".utf8), in: &other)
        Self.keep(3, for: Array("c".utf8), in: &memo)
        expect(Self.find(["a", "b", "c"], with: &memo).found, equals: [1, 0, 3])
        expect(Self.find(["a", "b", "c"], with: &other).found, equals: [1, 2, 0])
    }

    @Test func noMoreAreKeptThanMayBe() {
        var memo = ValueMemo<Number>(limit: 3, instructions: .avx512)
        for value in Self.values.prefix(10) { Self.keep(1, for: Array(value.utf8), in: &memo) }
        expect(Self.find(Array(Self.values.prefix(10)), with: &memo).found, equals: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test(
        "a full memo that misses every eighth value is useless, unless a miss costs many searches",
        arguments: [(7, 1, true), (9, 1, false), (2, 1, true), (2, 2, false)])
    func usefulness(distance: Int, searches: Int, isUseless: Bool) {
        var memo = ValueMemo<Number>(limit: 1, searches: searches, instructions: .avx512)
        var number = 0
        for _ in 0..<600 {
            // One value again and again, and each time a new one after a fixed number of values. The last is no new one, so
            // that the one that comes again is the one that is kept.
            let values = (0..<64).map { $0 % distance == 1 && $0 < 63 ? "new-\(number + $0)" : "old" }
            number += 64
            for row in Self.find(values, with: &memo).misses.reversed() {
                Self.keep(1, for: Array(values[Int(row)].utf8), in: &memo)
            }
        }
        expect(memo.isUseless, equals: isUseless)
    }

    @Test(
        "a memo with room is useless where fewer than a quarter of the values come again, unless that saves many searches",
        arguments: [(5, 1, true), (3, 1, false), (5, 2, false)])
    func usefulnessBeforeItIsFull(distance: Int, searches: Int, isUseless: Bool) {
        var memo = ValueMemo<Number>(limit: 100_000, searches: searches, instructions: .avx512)
        for round in 0..<300 {
            let values = (0..<64).map { $0 % distance == 1 && $0 < 63 ? "old" : "new-\(round)-\($0)" }
            for row in Self.find(values, with: &memo).misses {
                Self.keep(1, for: Array(values[Int(row)].utf8), in: &memo)
            }
        }
        expect(memo.isUseless, equals: isUseless)
    }

    @Test func rowsThatAreCountedElsewhereAreLeftOut() {
        var memo = ValueMemo<Number>(limit: 10, instructions: .avx512)
        let rows = Self.rowsOfTwo
        var (found, misses) = ([Number](repeating: .nothing, count: 3), [Int32]())
        expect(memo.find(rows, 0..<3, column: 0, besides: 1, misses: &misses, into: &found), equals: 2)
        expect(misses, equals: [0, 2])
    }

    // The value `a` three times, the second time with another one beside it.
    private static var rowsOfTwo: ValueRows {
        var rows = ValueRows(width: 2)
        rows.bytes = Array("ab".utf8)
        for hasOther in [false, true, false] {
            rows.beginRow()
            rows[0] = ValueRange(0..<1)
            if hasOther { rows[1] = ValueRange(0..<2) }
            rows.keepRow(isUsual: true)
        }
        return rows
    }

    @Test func aSieveKeepsWhatMayBeWanted() {
        let values = Self.randomValues(seed: 1) + [[]]
        let rows = Self.rows(values)
        for wanted in [[], [[]], Array(values.prefix(3)), [Array("other".utf8)]] {
            var sieve = ValueSieve(wanted)
            var picked: [Int] = []
            for start in stride(from: 0, to: values.count, by: 64) {
                let range = start..<min(start + 64, values.count)
                picked += sieve.pick(rows, range, column: 0, besides: nil).map { start + Int($0) }
            }
            expect(picked, equals: picked.sorted())
            #expect(Set(picked).isSuperset(of: values.indices.filter { wanted.contains(values[$0]) }))
            // Values of another length are left out.
            #expect(picked.allSatisfy { row in wanted.contains { $0.count == values[row].count || $0.count > 62 } })
        }
        var sieve = ValueSieve([Array("a".utf8)])
        expect(sieve.pick(Self.rowsOfTwo, 0..<3, column: 0, besides: 1), equals: [0, 2])
        expect(sieve.pick(Self.rowsOfTwo, 1..<2, column: 1, besides: nil), equals: [])
    }
}
