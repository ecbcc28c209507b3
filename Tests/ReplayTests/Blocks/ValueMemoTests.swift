import Testing

@testable import Replay
@testable import TestSupport

/// What is kept of a value is found by its bytes, wherever a hash puts it.
@Suite struct ValueMemoTests {
    private struct Number: Finding {
        var value: Int
        static var nothing: Number { Number(value: 0) }
        mutating func formUnion(_ other: Number) { value += other.value }
    }

    /// Every value collides with every other one.
    private struct SameHash: ValueHash {
        func hash(_ bytes: Span<UInt8>, range: Range<Int>) -> UInt64 { 42 }
    }

    /// All tags are the same, and few slots come first.
    private struct LengthHash: ValueHash {
        func hash(_ bytes: Span<UInt8>, range: Range<Int>) -> UInt64 { UInt64(range.count % 3) }
    }

    // Values of all lengths, among them the empty one and some that differ in one byte.
    private static let values: [String] =
        (0..<120).map { String(repeating: "x", count: $0) } + (0..<40).map { "value-\($0)" }
        + (0..<70).map { place in
            var bytes = [UInt8](repeating: UInt8(ascii: "y"), count: 70)
            bytes[place] = UInt8(ascii: "z")
            return String(decoding: bytes, as: UTF8.self)
        }

    private static func rows(_ values: [String]) -> ValueRows {
        var rows = ValueRows(width: 1)
        for value in values {
            let start = rows.bytes.count
            rows.bytes += Array(value.utf8)
            rows.beginRow()
            rows[0] = ValueRange(start..<rows.bytes.count)
            rows.keepRow(isUsual: false)
        }
        return rows
    }

    private static func find<Hash: ValueHash>(
        _ values: [String], with memo: inout ValueMemo<Number, Hash>
    ) -> (found: [Int], misses: [Int32]) {
        let rows = rows(values)
        var (found, misses) = ([Number](repeating: .nothing, count: values.count), [Int32]())
        var start = 0
        while start < values.count {
            let end = min(start + ValueMemo<Number, Hash>.batch, values.count)
            memo.find(rows, start..<end, column: 0, misses: &misses, into: &found)
            start = end
        }
        return (found.map(\.value), misses)
    }

    private static func checkAll<Hash: ValueHash>(_ hash: Hash.Type) {
        var memo = ValueMemo<Number, Hash>(limit: 1000)
        #expect(find(values, with: &memo).misses == values.indices.map(Int32.init))
        for (number, value) in values.enumerated() {
            let bytes = Array(value.utf8)
            memo.keep(Number(value: number + 1), for: bytes.span, range: 0..<bytes.count)
            // A second time changes nothing.
            memo.keep(Number(value: 9999), for: bytes.span, range: 0..<bytes.count)
        }
        let (found, misses) = find(values, with: &memo)
        #expect(misses.isEmpty)
        #expect(found == values.indices.map { $0 + 1 })
        #expect(find(["value", "value-400", "xy"], with: &memo).misses == [0, 1, 2])
    }

    @Test func valuesAreFoundByTheirBytes() { Self.checkAll(ProcessHash.self) }
    @Test func valuesThatCollideAreFound() { Self.checkAll(SameHash.self) }
    @Test func valuesWithTheSameTagAreFound() { Self.checkAll(LengthHash.self) }

    @Test func noMoreAreKeptThanMayBe() {
        var memo = ValueMemo<Number, ProcessHash>(limit: 3)
        for value in Self.values.prefix(10) {
            let bytes = Array(value.utf8)
            memo.keep(Number(value: 1), for: bytes.span, range: 0..<bytes.count)
        }
        #expect(Self.find(Array(Self.values.prefix(10)), with: &memo).found == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test(
        "a full memo that misses every eighth value is useless, one that misses fewer is not",
        arguments: [(7, true), (9, false)])
    func usefulness(distance: Int, isUseless: Bool) {
        var memo = ValueMemo<Number, ProcessHash>(limit: 1)
        var number = 0
        for _ in 0..<600 {
            // One value again and again, and each time a new one after so many. The last is no new one, so that the one
            // that comes again is the one that is kept.
            let values = (0..<64).map { $0 % distance == 1 ? "new-\(number + $0)" : "old" }
            number += 64
            for row in Self.find(values, with: &memo).misses.reversed() {
                let bytes = Array(values[Int(row)].utf8)
                memo.keep(Number(value: 1), for: bytes.span, range: 0..<bytes.count)
            }
        }
        #expect(memo.isUseless == isUseless)
    }

    @Test func rowsThatAreCountedElsewhereAreLeftOut() {
        var memo = ValueMemo<Number, ProcessHash>(limit: 10)
        var rows = ValueRows(width: 2)
        rows.bytes = Array("ab".utf8)
        for hasGroup in [false, true, false] {
            rows.beginRow()
            rows[0] = ValueRange(0..<1)
            if hasGroup { rows[1] = ValueRange(0..<2) }
            rows.keepRow(isUsual: true)
        }
        var (found, misses) = ([Number](repeating: .nothing, count: 3), [Int32]())
        memo.find(rows, 0..<3, column: 0, besides: 1, misses: &misses, into: &found)
        #expect(misses == [0, 2])
    }
}
