import Testing

@testable import Columns
@testable import TestSupport

/// Files and streams with errors: each gives a sentence with its place, and none ends the process.
@Suite struct DamagedColumnsTests {
    private static let magic = Array("ARROW1".utf8)

    // A small table of each kind of column that we write.
    private static func small(_ form: ColumnWriter.Form, level: Int? = nil) -> [UInt8] {
        let schema = ColumnSchema([
            ColumnField("device-id", .fixedBytes(16), keys: DictionaryKeys(dictionary: 0, bits: 8)),
            ColumnField("time", .time(.seconds, zone: "UTC")), ColumnField("ip", .text(.small)),
        ])
        var bytes: [UInt8] = []
        var writer = ColumnWriter(schema, as: form, level: level, to: &bytes)
        writer.dictionaries[0]?.append(([UInt8](repeating: 7, count: 16)).span)
        for _ in 0..<2 {
            var addresses = ValueList()
            for text in ["1.2.3.4", nil, "ü"] { addresses.append(text) }
            writer.write([.keys([0, 0, -1]), .numbers([1, 2, Column.absentNumber]), .values(addresses)], to: &bytes)
        }
        writer.finish(to: &bytes)
        return bytes
    }

    @Test(arguments: [ColumnWriter.Form.file, .stream], [nil, 1])
    func eachTruncationIsNoticed(_ form: ColumnWriter.Form, _ level: Int?) throws {
        let bytes = Self.small(form, level: level)
        try expect(ColumnLines.read(bytes).count, equals: 7)
        for count in bytes.indices {
            for isPipe in [false, true] {
                do throws(ColumnFailure) {
                    _ = try ColumnLines.read(Array(bytes[..<count]), isPipe: isPipe)
                    Issue.record("\(count) of \(bytes.count) bytes were read")
                } catch {
                    #expect(error.offset <= count, "\(error)")
                }
            }
        }
    }

    @Test("a changed byte gives other values, or a failure inside the input") func changedBytes() throws {
        var failures = 0
        for (form, level) in [(ColumnWriter.Form.file, Int?.none), (.stream, nil), (.file, 1), (.stream, 1)] {
            let bytes = Self.small(form, level: level)
            for index in bytes.indices {
                for change in Exhaustive.choice([255], whole: [1, 2, 4, 8, 16, 32, 64, 128, 255]) as [UInt8] {
                    var damaged = bytes
                    damaged[index] ^= change
                    do throws(ColumnFailure) {
                        _ = try ColumnLines.read(damaged)
                    } catch {
                        failures += 1
                        #expect(0...bytes.count ~= error.offset, "\(error)")
                    }
                }
            }
        }
        #expect(failures > 1000)
    }

    // MARK: Handmade ones

    private static func message(
        _ kind: Int8, _ header: [FlatValue?], body: [UInt8] = [], version: Int16 = 4
    ) -> [UInt8] {
        let metadata = FlatBuilder.bytes(root: [
            .int16(version), .int8(kind), .table(header), .int64(Int64(body.count)),
        ])
        var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        bytes.append(number: Int32(metadata.count))
        return bytes + metadata + body
    }

    private static func batch(
        _ rows: Int64, _ nodes: [Int64], _ buffers: [Int64], codec: Int8? = nil, views: [Int64]? = nil
    ) -> [FlatValue?] {
        [
            .int64(rows), .structures(nodes, each: 2), .structures(buffers, each: 2),
            codec.map { .table([.int8($0), .int8(0)]) }, views.map { .structures($0, each: 1) },
        ]
    }

    private static func little(_ numbers: some Sequence<Int32>) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in numbers { bytes.append(number: number) }
        return bytes
    }

    private static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

    // A stream with one batch of a column.
    private static func stream(_ field: ColumnField, _ header: [FlatValue?], body: [UInt8]) -> [UInt8] {
        message(1, ColumnSchema([field]).table) + message(3, header, body: body) + end
    }

    private static func failure(_ bytes: [UInt8], isPipe: Bool = false) -> ColumnFailure? {
        do throws(ColumnFailure) {
            _ = try ColumnLines.read(bytes, isPipe: isPipe)
            return nil
        } catch {
            return error
        }
    }

    // The failure of a column that is the only one of a batch.
    private static func failure(of field: ColumnField, _ header: [FlatValue?], body: [UInt8]) -> ColumnFailure? {
        do throws(ColumnFailure) {
            let table = try FlatTable(root: FlatBuilder.bytes(root: header), at: 0)
            var stored = BatchBody(
                body, try BatchHeader(table, bodyLength: body.count, limit: ColumnLimits.values), at: 100)
            var column = Column()
            let found = try stored.column(field)
            try stored.checkEnd()
            try found.decode(0..<found.count, from: stored.bytes, into: &column)
            return nil
        } catch {
            return error
        }
    }

    private static let text = ColumnField("ip", .text(.small))

    @Test(
        "a version that is not read is named, whatever its number is",
        arguments: [(.min, -32_767), (-1, 0), (2, 3), (5, 6), (.max, 32_768)] as [(Int16, Int)])
    func versions(_ version: Int16, _ name: Int) {
        let bytes = Self.message(1, ColumnSchema([Self.text]).table, version: version)
        let message = "version \(name) of Arrow's format is not read; versions 4 and 5 are"
        expect(Self.failure(bytes)?.message, equals: message)
    }

    // MARK: Rows of a batch

    @Test(
        "offsets have to increase and to stay in the data",
        arguments: [
            ([0, 4, 2], "row 2 is from 4 to 2, of 4", 8), ([0, 2, 5], "row 2 is from 2 to 5, of 4", 8),
            ([-1, 0, 4], "the first offset is -1, of 4", 0), ([5, 5, 5], "the first offset is 5, of 4", 0),
            ([0, .min, 4], "row 1 is from 0 to -2147483648, of 4", 4),
            ([0, .max, 4], "row 1 is from 0 to 2147483647, of 4", 4),
        ] as [([Int32], String, Int)])
    func offsets(_ offsets: [Int32], _ message: String, _ byte: Int) throws {
        let body = Self.little(offsets) + [0, 0, 0, 0] + Array("abcd".utf8)
        let bytes = Self.stream(Self.text, Self.batch(2, [2, 0], [0, 0, 0, 12, 16, 4]), body: body)
        let failure = try #require(Self.failure(bytes))
        expect(failure.message, equals: message)
        #expect((failure.batch, failure.column) == (1, "ip"))
        expect(failure.offset, equals: bytes.count - Self.end.count - body.count + byte)
        expect(failure.description, equals: "byte \(failure.offset), batch 1, column `ip`: \(message)")
    }

    @Test("a key has to be in the dictionary", arguments: [1, -1, 127, -128] as [Int8]) func keys(_ key: Int8) throws {
        let field = ColumnField("ip", .text(.small), keys: DictionaryKeys(dictionary: 3, bits: 8))
        let dictionary = Self.message(
            2, [.int64(3), .table(Self.batch(1, [1, 0], [0, 0, 0, 8, 8, 4]))],
            body: Self.little([0, 4]) + Array("abcd".utf8))
        let batch = Self.message(3, Self.batch(2, [2, 0], [0, 0, 0, 2]), body: [0, UInt8(bitPattern: key)])
        let start = Self.message(1, ColumnSchema([field]).table) + dictionary
        let failure = try #require(Self.failure(start + batch + Self.end))
        expect(failure.message, equals: "key \(key) of row 2 is not in the dictionary, which has 1 values")
        expect(failure.offset, equals: start.count + batch.count - 1)
        // The dictionary was never sent.
        let missing = try #require(Self.failure(Self.message(1, ColumnSchema([field]).table) + batch + Self.end))
        expect(missing.message, equals: "key 0 of row 1 is not in the dictionary, which has 0 values")
        // A row without a value needs none, whatever its key.
        let absent = Self.message(3, Self.batch(2, [2, 2], [0, 1, 1, 2]), body: [0, 0, UInt8(bitPattern: key)])
        try expect(ColumnLines.read(start + absent + Self.end), equals: ["ip", "-", "-"])
    }

    @Test("what is no UTF-8 is refused, also where only the cut is wrong") func text() throws {
        let buffers: [Int64] = [0, 0, 0, 12, 12, 4]
        for (offsets, data, row) in [
            ([0, 2, 4], [97, 98, 0xC3, 0x28], 2), ([0, 3, 4], [97, 98, 0xC3, 0xBC], 1),
            ([0, 4, 4], [0xF5, 98, 99, 100], 1),
        ] as [([Int32], [UInt8], Int)] {
            let bytes = Self.stream(Self.text, Self.batch(2, [2, 0], buffers), body: Self.little(offsets) + data)
            expect(Self.failure(bytes)?.message, equals: "the text of row \(row) is not UTF-8")
        }
        let valid = Self.stream(
            Self.text, Self.batch(2, [2, 0], buffers), body: Self.little([0, 2, 4]) + [97, 98, 0xC3, 0xBC])
        try expect(ColumnLines.read(valid), equals: ["ip", "t6162", "tc3bc"])
        // Bytes may be anything.
        let bytes = Self.stream(
            ColumnField("ip", .bytes(.small)), Self.batch(2, [2, 0], buffers),
            body: Self.little([0, 3, 4]) + [97, 98, 0xC3, 0xBC])
        try expect(ColumnLines.read(bytes), equals: ["ip", "b6162c3", "bbc"])
    }

    @Test("parts have to be in the body, and as long as the rows need") func parts() throws {
        let body = Self.little([0, 2, 4, 0]) + Array("abcd".utf8)
        for (buffers, message) in [
            ([0, 0, 0, 8, 16, 4], "8 bytes are there, but the column needs 12"),
            ([0, 0, 0, 12, 16, 5], "5 bytes from byte 16 are not in a body of 20 bytes"),
            ([0, 0, -8, 12, 16, 4], "12 bytes from byte -8 are not in a body of 20 bytes"),
            ([0, 0, 0, .max, 16, 4], "9223372036854775807 bytes from byte 0 are not in a body of 20 bytes"),
            ([0, 0, .max, 12, 16, 4], "12 bytes from byte 9223372036854775807 are not in a body of 20 bytes"),
            ([0, 0, 0, 12], "the batch has fewer parts than its columns need"),
            ([0, 0, 0, 12, 16, 4, 0, 0], "the batch has more columns or parts than the schema"),
        ] as [([Int64], String)] {
            expect(
                Self.failure(Self.stream(Self.text, Self.batch(2, [2, 0], buffers), body: body))?.message,
                equals: message)
        }
        let buffers: [Int64] = [0, 0, 0, 12, 16, 4]
        for (rows, nodes, message) in [
            (2, [1, 0], "the column has 1 values, and the batch 2 records"),
            (2, [], "the batch has fewer columns than the schema"),
            (2, [2, 1], "0 bytes are there, but the column needs 1"),
            (-1, [2, 0], "a batch of -1 values is refused; the limit is 1048576"),
            (1_048_577, [1_048_577, 0], "a batch of 1048577 values is refused; the limit is 1048576"),
            (4_294_967_296, [2, 0], "a batch of 4294967296 values is refused; the limit is 1048576"),
            (2, [.max, 0], "a batch of 9223372036854775807 values is refused; the limit is 67108864"),
        ] as [(Int64, [Int64], String)] {
            expect(
                Self.failure(Self.stream(Self.text, Self.batch(rows, nodes, buffers), body: body))?.message,
                equals: message)
        }
    }

    @Test("the length of what is unpacked is not believed", arguments: [0, 1] as [Int8]) func unpacking(_ codec: Int8)
        throws
    {
        for (length, message) in [
            (.max, "the batch would have more than 1 GiB"), (-2, "the batch would have more than 1 GiB"),
            (16, "a compressed part is damaged, or has not the length of 16 bytes"),
        ] as [(Int64, String)] {
            var body: [UInt8] = []
            body.append(number: length)
            body += Array("no frame of any codec".utf8)
            let field = ColumnField("n", .integer(bits: 64, isSigned: true))
            let bytes = Self.stream(
                field, Self.batch(2, [2, 0], [0, 0, 0, Int64(body.count)], codec: codec), body: body)
            expect(Self.failure(bytes)?.message, equals: message)
        }
        let codecs = Self.stream(Self.text, Self.batch(0, [0, 0], [], codec: 2), body: [])
        expect(Self.failure(codecs)?.message, equals: "compression 2 with method 0 is unknown")
    }

    @Test("views have to be in their parts") func views() throws {
        let data = Array("a text of twenty byt".utf8)
        let views = ColumnField("v", .text(.view))
        // The type of the schema is changed, since we write no views: text has the number 5, its views 24.
        func read(_ view: [Int32], views count: Int64 = 1, buffers: [Int64] = [0, 0, 0, 16, 16, 20]) -> ColumnFailure? {
            Self.failure(of: views, Self.batch(1, [1, 0], buffers, views: [count]), body: Self.little(view) + data)
        }
        #expect(read([20, 0, 0, 0]) == nil)
        expect(read([20, 0, 1, 0])?.message, equals: "20 bytes from byte 0 of part 1 of row 1 are not there")
        expect(read([20, 0, -1, 0])?.message, equals: "20 bytes from byte 0 of part -1 of row 1 are not there")
        expect(read([20, 0, 0, 1])?.message, equals: "20 bytes from byte 1 of part 0 of row 1 are not there")
        expect(read([20, 0, 0, -1])?.message, equals: "20 bytes from byte -1 of part 0 of row 1 are not there")
        expect(read([.max, 0, 0, 0])?.message, equals: "2147483647 bytes from byte 0 of part 0 of row 1 are not there")
        expect(read([-1, 0, 0, 0])?.message, equals: "row 1 has -1 bytes")
        expect(read([20, 0, 0, 0], views: 2)?.message, equals: "the batch has fewer parts than its columns need")
        expect(read([20, 0, 0, 0], views: .max)?.message, equals: "a column of 9223372036854775807 parts is refused")
        expect(read([20, 0, 0, 0], views: 0)?.message, equals: "the batch has more columns or parts than the schema")
        let none = read([20, 0, 0, 0], views: 0, buffers: [0, 0, 0, 16])
        expect(none?.message, equals: "20 bytes from byte 0 of part 0 of row 1 are not there")
    }

    @Test("values that many rows share are counted for each of them") func sharedValues() throws {
        // Views of the same mebibyte.
        func views(_ count: Int64) -> ColumnFailure? {
            let (field, end) = (ColumnField("v", .text(.view)), 16 * count)
            let views = repeatElement([1 << 20, 0, 0, 0] as [Int32], count: Int(count)).joined()
            let header = Self.batch(count, [count, 0], [0, 0, 0, end, end, 1 << 20], views: [1])
            return Self.failure(of: field, header, body: Self.little(views) + repeatElement(97, count: 1 << 20))
        }
        #expect(views(1024) == nil)
        expect(views(1025)?.message, equals: "the values have more than 1 GiB")
        // Lists of the same element.
        func lists(_ sizes: [Int32]) -> ColumnFailure? {
            let field = ColumnField("l", .list(.view, ColumnField("item", .text(.small))))
            let header = Self.batch(2, [2, 0, 1, 0], [0, 0, 0, 8, 8, 8, 16, 0, 16, 8, 24, 1])
            return Self.failure(of: field, header, body: Self.little([0, 0] + sizes + [0, 1]) + [97])
        }
        #expect(lists([1, 1]) == nil)
        expect(lists([2, 1])?.message, equals: "row 1 has 2 elements from element 0, of 1")
        expect(lists([1 << 26, 1])?.message, equals: "the lists have too many elements")
    }

    // MARK: What describes a file

    private static func file(_ schema: ColumnSchema, _ messages: [UInt8] = [], dictionaries: [Int64], batches: [Int64])
        -> [UInt8]
    {
        var footer = FlatBuilder.bytes(root: [
            .int16(4), .table(schema.table), .structures(dictionaries, each: 3), .structures(batches, each: 3),
        ])
        footer.append(number: Int32(footer.count))
        return magic + [0, 0] + messages + footer + magic
    }

    @Test("the messages of a footer are where it says, one behind the other") func footers() throws {
        let schema = ColumnSchema([Self.text])
        let batch = Self.message(3, Self.batch(0, [0, 0], [0, 0, 0, 0, 0, 0]))
        let (start, count) = (Int64(8), Int64(batch.count))
        try expect(
            ColumnLines.read(Self.file(schema, batch, dictionaries: [], batches: [start, count, 0])), equals: ["ip"])
        for blocks in [
            [start, count, 0, start, count, 0], [start - 8, count, 0], [start, count, 1 << 40], [start, count, -1],
            [start, -1, 0], [.max, count, 0], [.min, count, 0], [start, count, .max],
        ] as [[Int64]] {
            let failure = try #require(Self.failure(Self.file(schema, batch, dictionaries: [], batches: blocks)))
            #expect(failure.message.hasSuffix("overlaps others, or the footer"), "\(failure)")
        }
        let short = try #require(
            Self.failure(Self.file(schema, batch, dictionaries: [], batches: [start, count - 8, 0])))
        #expect(short.message == "the message is not as long as the footer says" && short.offset == 8)
        let wrong = Self.file(schema, batch, dictionaries: [start, count, 0], batches: [])
        expect(Self.failure(wrong)?.message, equals: "the footer names a dictionary where there is none")
    }

    @Test("four billion batches, of which there are none") func fourBillion() throws {
        var bytes = Self.file(ColumnSchema([Self.text]), dictionaries: [], batches: [])
        // The vectors of the footer are empty: each count is made as large as it can be.
        let footer = 8..<bytes.count - 10
        var refused = 0
        for index in stride(from: footer.lowerBound, to: footer.upperBound, by: 4)
        where bytes[index..<index + 4].allSatisfy({ $0 == 0 }) {
            let saved = bytes
            bytes.replaceSubrange(index..<index + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            if let failure = Self.failure(bytes), failure.message.hasPrefix("a list of 4294967295 entries is longer") {
                refused += 1
            }
            bytes = saved
        }
        #expect(refused >= 2)
    }

    @Test("tables that contain themselves are read a fixed number of times") func cycles() throws {
        let schema = ColumnSchema([ColumnField("c", .time(.seconds, zone: "UTC"))])
        let bytes = Self.message(1, schema.table) + Self.end
        try expect(ColumnLines.read(bytes), equals: ["c:0:UTC"])
        // Each offset leads everywhere, also to where it came from.
        for index in stride(from: 8, to: bytes.count - 8, by: 4) {
            for target in stride(from: 8, to: bytes.count, by: 4) {
                var damaged = bytes
                var offset: [UInt8] = []
                offset.append(number: Int32(target - index))
                damaged.replaceSubrange(index..<index + 4, with: offset)
                if let failure = Self.failure(damaged) { #expect(0...bytes.count ~= failure.offset) }
            }
        }
    }

    @Test("a dictionary is replaced in a stream, not in a file; a delta may be in both") func dictionaries() throws {
        let field = ColumnField("c", .text(.small), keys: DictionaryKeys(dictionary: 3, bits: 8))
        let schema = ColumnSchema([field])
        func dictionary(_ text: String, isDelta: Bool, id: Int64 = 3) -> [UInt8] {
            Self.message(
                2, [.int64(id), .table(Self.batch(1, [1, 0], [0, 0, 0, 8, 8, 1])), .int8(isDelta ? 1 : 0)],
                body: Self.little([0, 1]) + Array(text.utf8) + [0, 0, 0, 0, 0, 0, 0])
        }
        func batch(_ keys: [UInt8]) -> [UInt8] {
            let count = Int64(keys.count)
            return Self.message(
                3, Self.batch(count, [count, 0], [0, 0, 0, count]),
                body: keys + Array(repeating: 0, count: 8 - keys.count))
        }
        let start = Self.message(1, schema.table)
        let (a, b, more) = (
            dictionary("a", isDelta: false), dictionary("b", isDelta: false), dictionary("b", isDelta: true)
        )
        try expect(ColumnLines.read(start + a + batch([0]) + b + batch([0]) + Self.end), equals: ["c", "t61", "t62"])
        try expect(
            ColumnLines.read(start + a + batch([0]) + more + batch([0, 1]) + Self.end),
            equals: [
                "c", "t61", "t61", "t62",
            ])
        func file(_ second: [UInt8]) -> [UInt8] {
            let messages = batch([0]) + a + second
            let (first, next) = (Int64(8 + batch([0]).count), Int64(8 + batch([0]).count + a.count))
            return Self.file(
                schema, messages, dictionaries: [first, Int64(a.count) - 16, 16, next, Int64(second.count) - 16, 16],
                batches: [8, Int64(batch([0]).count) - 8, 8])
        }
        try expect(ColumnLines.read(file(more)), equals: ["c", "t61"])
        expect(Self.failure(file(b))?.message, equals: "dictionary 3 is replaced, which a file must not do")
        let unknown = start + dictionary("a", isDelta: false, id: 4) + Self.end
        expect(Self.failure(unknown)?.message, equals: "dictionary 4 belongs to no column")
    }

    @Test("inputs of other kinds are refused with a sentence") func others() throws {
        let start = Self.message(1, ColumnSchema([Self.text]).table)
        expect(Self.failure([])?.message, equals: "the input ends here; at least 4 bytes more belong to it")
        expect(
            Self.failure(Array("FEA1 and more".utf8))?.message,
            equals: "the input does not begin with a schema of Arrow")
        expect(Self.failure(Self.small(.file), isPipe: true)?.message, equals: "a file of Arrow is read from its end")
        expect(Self.failure(start + Self.end + [0])?.message, equals: "bytes follow the end of the stream")
        expect(Self.failure(start + start + Self.end)?.message, equals: "a second schema follows")
        expect(Self.failure(start)?.message, equals: "the input ends here; at least 4 bytes more belong to it")
        let big = Self.message(1, [.int16(1), .tables([])]) + Self.end
        expect(Self.failure(big)?.message, equals: "the numbers have the big end first")
        let date = Self.message(1, [.int16(0), .tables([[.text("day"), .int8(1), .int8(8), .table([])]])])
        let failure = try #require(Self.failure(date + Self.end))
        #expect(failure.message == "a column of dates is not read" && failure.column == "day")
        expect(failure.hint, equals: "leave the column out, or write it as text")
        let shared = ColumnNote("k", String(repeating: "x", count: 9 << 20))
        let notes = Self.message(1, ColumnSchema([], metadata: [shared]).table) + Self.end
        #expect(Self.failure(notes) == nil)
        let zone = Self.message(
            1, ColumnSchema([ColumnField("t", .time(.seconds, zone: String(repeating: "x", count: 1025)))]).table)
        expect(Self.failure(zone + Self.end)?.message, equals: "a name has 1025 bytes; 1024 are the limit")
        expect(
            Self.failure(Self.message(1, ColumnSchema([ColumnField("b", .fixedBytes(0))]).table) + Self.end)?.message,
            equals: "values of 0 bytes each are not read")
        let none = Self.message(5, [])
        expect(Self.failure(start + none + Self.end)?.message, equals: "a message of kind 5 is not read")
    }
}
