import Testing

@testable import Columns
@testable import TestSupport

/// Batches and dictionaries as a reader hands them over.
@Suite struct ColumnReaderTests {
    private static let keyed = ColumnField(
        "c", .text(.small), keys: DictionaryKeys(dictionary: 7, bits: 8))

    @Test("an absent key is that of the absent value behind the dictionary") func absentKeys() throws {
        var bytes: [UInt8] = []
        var writer = ColumnWriter(ColumnSchema([Self.keyed]), as: .file, to: &bytes)
        for text in ["x", nil, "z"] { writer.dictionaries[7]?.append(text) }
        writer.write([.keys([2, -1, 1, 0])], to: &bytes)
        writer.finish(to: &bytes)
        let column = try Self.columns(bytes)[0]
        expect(column.keys, equals: [2, 3, 1, 0])
        let dictionary = try #require(column.dictionary)
        expect(dictionary.count, equals: 3)
        expect(dictionary.values.map(\.isAbsent), equals: [false, true, false, true])
        expect(dictionary.values.map { Array(dictionary.bytes[$0.range]) }, equals: [[120], [], [122], []])
    }

    @Test("a dictionary that a stream repeats is the same object, one that has grown is another") func repeated() throws
    {
        var (parts, bytes): ([[UInt8]], [UInt8]) = ([], [])
        func cut() {
            parts.append(bytes)
            bytes = []
        }
        var writer = ColumnWriter(ColumnSchema([Self.keyed]), as: .stream, level: 1, to: &bytes)
        cut()
        writer.dictionaries[7]?.append("x")
        writer.write([.keys([0])], to: &bytes)
        cut()
        writer.write([.keys([0, 0])], to: &bytes)
        cut()
        writer.dictionaries[7]?.append("y")
        writer.write([.keys([1])], to: &bytes)
        writer.finish(to: &bytes)
        cut()
        // The second part, dictionary and batch, comes twice, as polars writes it.
        let found = try Self.columns(parts[0] + parts[1] + parts[2] + parts[1] + parts[3])
        let dictionaries = try found.map { try #require($0.dictionary) }
        expect(dictionaries.map(\.count), equals: [1, 1, 1, 2])
        #expect(dictionaries[0] === dictionaries[1] && dictionaries[0] === dictionaries[2])
        #expect(dictionaries[0] != dictionaries[3])
        // Another reader has equal ones.
        let other = try #require(try Self.columns(parts[0] + parts[1] + parts[3])[0].dictionary)
        #expect(other !== dictionaries[0] && other == dictionaries[0])
    }

    @Test func smallestKeysThatFit() throws {
        for (count, bits) in [(0, 8), (1, 8), (128, 8), (129, 16), (32768, 16), (32769, 32)] {
            let keys = DictionaryKeys(dictionary: 0, count: count)
            #expect(keys.bits == bits && keys.isSigned, "\(count) values")
            let field = ColumnField("c", .text(.small), keys: keys)
            var bytes: [UInt8] = []
            var writer = ColumnWriter(ColumnSchema([field]), as: .file, level: 1, to: &bytes)
            for number in 0..<count { writer.dictionaries[0]?.append("\(number)") }
            writer.write([.keys((0..<Int32(count)).reversed())], to: &bytes)
            writer.finish(to: &bytes)
            let column = try Self.columns(bytes)[0]
            expect(column.keys, equals: (0..<Int32(count)).reversed())
            expect(column.dictionary?.count, equals: count)
        }
    }

    @Test func numbersAreNumbersWhereTheyAreWanted() throws {
        let schema = ColumnSchema([
            ColumnField("line", .integer(bits: 64, isSigned: true)), ColumnField("t", .time(.seconds, zone: nil)),
        ])
        var bytes: [UInt8] = []
        var writer = ColumnWriter(schema, as: .stream, to: &bytes)
        writer.write([.numbers([-5, Column.absentNumber]), .numbers([Column.absentNumber, 9])], to: &bytes)
        writer.finish(to: &bytes)
        let reader = try ColumnReader(ColumnBytes(bytes)) { _ in ColumnChoice(numbers: ["line"]) }
        expect(reader.schema, equals: schema)
        var (batch, columns) = (ColumnBatch(), [Column]())
        #expect(try reader.read(&batch))
        try batch.decode(0..<2, into: &columns)
        #expect(columns[0].numbers == [-5, .min] && columns[1].numbers == [.min, 9])
        try batch.decode(1..<2, into: &columns)
        #expect(columns[0].numbers == [.min] && columns[1].numbers == [9])
        #expect(try !reader.read(&batch))
        let texts = try Self.columns(bytes)[0]
        #expect(texts.bytes(in: batch)[texts.values[0].range].elementsEqual("-5".utf8))
        #expect(texts.values[1].isAbsent)
    }

    @Test func metadataAndSchemaComeBack() throws {
        let schema = ColumnSchema(
            [
                ColumnField("device-id", .fixedBytes(16), keys: DictionaryKeys(dictionary: 1, bits: 32)),
                ColumnField("time", .time(.milliseconds, zone: "UTC")), ColumnField("ip", .text(.small)),
                ColumnField("", .bytes(.small)),
            ], metadata: [ColumnNote("scenario", "1"), ColumnNote("", "ü")])
        for form in [ColumnWriter.Form.file, .stream] {
            var bytes: [UInt8] = []
            var writer = ColumnWriter(schema, as: form, to: &bytes)
            writer.finish(to: &bytes)
            let reader = try ColumnReader(ColumnBytes(bytes))
            #expect(reader.schema == schema && reader.isFile == (form == .file))
        }
    }

    @Test("the memory of a batch is used again") func memory() throws {
        var bytes: [UInt8] = []
        var writer = ColumnWriter(ColumnSchema([ColumnField("c", .text(.small))]), as: .file, level: 1, to: &bytes)
        for _ in 0..<3 {
            var values = ValueList()
            for number in 0..<1000 { values.append("value \(number)") }
            writer.write([.values(values)], to: &bytes)
        }
        writer.finish(to: &bytes)
        let reader = try ColumnReader(ColumnBytes(bytes))
        var (batch, columns, capacities) = (ColumnBatch(), [Column](), Set<[Int]>())
        while try reader.read(&batch) {
            try batch.decode(0..<batch.count, into: &columns)
            if batch.number > 1 { capacities.insert([batch.bytes.capacity, columns[0].values.capacity]) }
        }
        #expect(batch.number == 3 && capacities.count == 1)
    }

    // The first column of each batch.
    private static func columns(_ bytes: [UInt8]) throws -> [Column] {
        let reader = try ColumnReader(ColumnBytes(bytes))
        var (batch, all) = (ColumnBatch(), [Column]())
        while try reader.read(&batch) {
            var column = Column()
            try batch.decode(0..<batch.count, ofColumn: 0, into: &column)
            all.append(column)
        }
        return all
    }
}
