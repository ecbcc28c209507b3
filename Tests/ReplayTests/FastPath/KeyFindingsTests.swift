import Testing

@testable import Columns
@testable import Replay
@testable import TestSupport

/// Findings in the values of a dictionary are kept by key, however many different ones there are.
@Suite struct KeyFindingsTests {
    private struct Number: Finding {
        var value: Int
        static var nothing: Number { Number(value: 0) }
        mutating func formUnion(_ other: Number) { value += other.value }
        // Every tenth is forgotten.
        var isLasting: Bool { value % 10 != 9 }
    }

    // A dictionary with the values "0", "1" and so on.
    private static func dictionary(_ count: Int, seed: Int = 0) throws -> ColumnDictionary {
        let field = ColumnField("c", .text(.small), keys: DictionaryKeys(dictionary: 0, bits: 32))
        var bytes: [UInt8] = []
        var writer = ColumnWriter(ColumnSchema([field]), as: .file, to: &bytes)
        for number in 0..<count { writer.dictionaries[0]?.append("\(number + seed)") }
        writer.write([.keys([])], to: &bytes)
        writer.finish(to: &bytes)
        let reader = try ColumnReader(ColumnBytes(bytes))
        var batch = ColumnBatch()
        #expect(try reader.read(&batch))
        return try #require(batch.dictionary(ofColumn: 0))
    }

    private static func number(_ value: Span<UInt8>) -> Number {
        Number(value: value.indices.reduce(0) { $0 * 10 + Int(value[$1] - UInt8(ascii: "0")) })
    }

    // The findings for some keys, by key, besides 1000 that is there, and the values that were looked at.
    private static func find(
        _ keys: [Int32], of dictionary: ColumnDictionary, with findings: inout KeyFindings<Number>
    ) -> (found: [Int], seen: [Int]) {
        var (found, seen) = ([Number](repeating: Number(value: 1000), count: keys.count), [Int]())
        findings.add(keys, of: dictionary, to: &found) { value in
            let number = number(value)
            seen.append(number.value)
            return number
        }
        return (found.map(\.value), seen)
    }

    // A byte has room for 254 numbers of findings, of which one is nothing.
    @Test("fewer and more findings than a byte has numbers for", arguments: [1, 253, 254, 255, 256, 257, 700])
    func findings(count: Int) throws {
        let (dictionary, absent) = (try Self.dictionary(count), Int32(count))
        var findings = KeyFindings<Number>()
        var chance = SplitMix64(seed: UInt64(count))
        let all = chance.shuffled(Array(0..<count))
        // Each once, then each with others before and behind it, and with a row without a value.
        let first = Self.find(all.map(Int32.init), of: dictionary, with: &findings)
        #expect(first.found == all.map { 1000 + $0 } && first.seen == all)
        for value in all {
            let keys = [absent, Int32(value), 0, Int32(count - 1), Int32(value)]
            let again = Self.find(keys, of: dictionary, with: &findings)
            #expect(again.found == [1000, 1000 + value, 1000, 999 + count, 1000 + value])
            #expect(again.seen == [value, count - 1, value].filter { $0 % 10 == 9 }, "\(value)")
        }
    }

    @Test("another dictionary has findings of its own, one with the same content has the same")
    func dictionaries() throws {
        var findings = KeyFindings<Number>()
        let keys: [Int32] = [0, 299, 258]
        #expect(Self.find(keys, of: try Self.dictionary(300), with: &findings).found == [1000, 1299, 1258])
        #expect(Self.find(keys, of: try Self.dictionary(300), with: &findings).seen == [299])
        let other = Self.find(keys, of: try Self.dictionary(300, seed: 500), with: &findings)
        #expect(other.found == [1500, 1799, 1758] && other.seen == [500, 799, 758])
    }

    @Test("a value that a worker looked at is looked at by no other") func workers() throws {
        let (dictionary, other) = (try Self.dictionary(300), try Self.dictionary(300, seed: 500))
        let exchange = FindingsExchange()
        var (one, two) = (
            KeyFindings<Number>(shared: exchange.findings(ofField: 3)),
            KeyFindings<Number>(shared: exchange.findings(ofField: 3))
        )
        let keys = (Int32(0)..<300).map(\.self)
        #expect(Self.find(Array(keys[..<280]), of: dictionary, with: &one).seen == Array(0..<280))
        let both = Self.find(keys, of: dictionary, with: &two)
        #expect(both.found == (1000..<1300).map(\.self))
        #expect(both.seen == (0..<300).filter { $0 >= 280 || $0 % 10 == 9 })
        #expect(Self.find([285, 299], of: dictionary, with: &one).seen == [299])
        // A worker that is still at the dictionary before works by itself, and so does the first at the next one.
        #expect(Self.find([7], of: other, with: &one).found == [1507])
        #expect(Self.find([3, 290], of: dictionary, with: &two).found == [1003, 1290])
        #expect(Self.find([7, 8], of: other, with: &two).seen == [508])
        // Other fields have findings of their own.
        var third = KeyFindings<Number>(shared: exchange.findings(ofField: 4))
        #expect(Self.find([1], of: other, with: &third).seen == [501])
    }
}
