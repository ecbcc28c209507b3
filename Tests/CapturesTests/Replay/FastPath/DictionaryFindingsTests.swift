import Documents
import Testing

@testable import Columns
@testable import Replay
@testable import TestSupport

/// Each value of a dictionary is looked at once, and its findings are kept by key, however many different ones there are.
@Suite struct DictionaryFindingsTests {
    private struct Number: Finding {
        var value: Int
        static var nothing: Number { Number(value: 0) }
        mutating func formUnion(_ other: Number) { value += other.value }
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

    // Notes each value that is looked at.
    private final class Examiner: Sendable {
        let seen = Lock([Int]())

        func examine(_ value: Span<UInt8>) -> Number {
            let number = value.indices.reduce(0) { $0 * 10 + Int(value[$1] - UInt8(ascii: "0")) }
            seen.withLock { $0.append(number) }
            return Number(value: number)
        }
    }

    private static func findings(
        _ dictionary: ColumnDictionary, _ examiner: Examiner, sought: [Int]? = nil, jobs: Int = 1
    ) -> DictionaryFindings<Number> {
        let sought = sought.map { $0.map { Array("\($0)".utf8) } }
        return DictionaryFindings(dictionary, sought: sought, jobs: jobs) { { examiner.examine($0) } }
    }

    // The findings for some keys, besides 1000 that is there.
    private static func find(_ keys: [Int32], in findings: DictionaryFindings<Number>) -> [Int] {
        var (found, memory) = ([Number](repeating: Number(value: 1000), count: keys.count), [UInt8]())
        findings.add(keys, to: &found, using: &memory)
        return found.map(\.value)
    }

    // A byte has room for 254 numbers of findings, of which one is nothing; workers take 16,384 values at a time.
    @Test(
        "fewer and more findings than a byte has numbers for", arguments: [1, 253, 254, 255, 256, 257, 700, 40_000],
        [1, 3])
    func findings(count: Int, jobs: Int) throws {
        let (dictionary, absent, examiner) = (try Self.dictionary(count), Int32(count), Examiner())
        let findings = Self.findings(dictionary, examiner, jobs: jobs)
        expect(examiner.seen.withLock { $0.sorted() }, equals: Array(0..<count))
        let all = (Int32(0)..<absent).map(\.self)
        expect(Self.find(all, in: findings), equals: (1000..<1000 + count).map(\.self))
        // With others before and behind it, and with a row without a value.
        for value in all.prefix(700) {
            let keys = [absent, value, 0, absent - 1, value]
            expect(
                Self.find(keys, in: findings),
                equals: [1000, 1000 + Int(value), 1000, 999 + count, 1000 + Int(value)])
        }
    }

    @Test("of a dictionary that grows only what is new is looked at, of another one everything")
    func dictionaries() throws {
        let (examiner, keys) = (Examiner(), [Int32(0), 299, 258, 300])
        var findings = Self.findings(try Self.dictionary(300), examiner)
        func take(_ dictionary: ColumnDictionary) -> [Int] {
            examiner.seen.withLock { $0 = [] }
            findings.take(dictionary, jobs: 2) { { examiner.examine($0) } }
            return examiner.seen.withLock { $0 }
        }
        expect(Self.find(keys, in: findings), equals: [1000, 1299, 1258, 1000])
        expect(take(try Self.dictionary(300)), equals: [])
        expect(Self.find(keys, in: findings), equals: [1000, 1299, 1258, 1000])
        expect(take(try Self.dictionary(302)), equals: [300, 301])
        expect(Self.find(keys, in: findings), equals: [1000, 1299, 1258, 1300])
        expect(take(try Self.dictionary(301, seed: 500)), equals: (500..<801).map(\.self))
        expect(Self.find(keys, in: findings), equals: [1500, 1799, 1758, 1800])
        // A dictionary that lost its last value is another one.
        expect(take(try Self.dictionary(2, seed: 500)), equals: [500, 501])
        expect(Self.find([0, 1, 2], in: findings), equals: [1500, 1501, 1000])
    }

    @Test(
        "where something can be found in a few values alone, these are looked at", arguments: [[], [7], Array(10..<20)])
    func sought(values: [Int]) throws {
        let examiner = Examiner()
        var findings = Self.findings(try Self.dictionary(15), examiner, sought: values)
        let all = (Int32(0)...15).map(\.self)
        expect(examiner.seen.withLock { $0 }, equals: values.filter { $0 < 15 })
        expect(Self.find(all, in: findings), equals: (0...15).map { $0 < 15 && values.contains($0) ? 1000 + $0 : 1000 })
        findings.take(try Self.dictionary(18), jobs: 1) { { examiner.examine($0) } }
        expect(
            Self.find([7, 16, 17, 18], in: findings),
            equals: [7, 16, 17, 18].map { $0 < 18 && values.contains($0) ? 1000 + $0 : 1000 })
    }
}
