import PolicyEngine
import Testing

@testable import Columns
@testable import Documents
@testable import Replay
@testable import TestSupport

/// Captures as columns, by rows that were worked out by hand.
@Suite struct PackedRecordsTests {
    private static let lines = """
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted,xposed","ip":"1.2.3.4"}

        {"time":"2020-07-23T13:10:44+02:00","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","public-flags":"","ip":null,"n":5,"b":true}
        {"time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["rooted"],"é \\"":"\\u00e9\\n","rejection-flags":""}

        """

    private static let evening = """
        --- AAAAAAAAAAAAAAAAAAAAAQ== 2020-07-23 20:00:00 BST ---
        ip: 1.2.3.4
        probe-result:
          one
          two

        """

    @Test("each record is a row with its values, wherever its keys came first") func rowsByHand() throws {
        let packed = try #require(try PackedFile([Array(Self.lines.utf8), Array(Self.evening.utf8)]))
        // 11:10:43Z is second 1595502643; the bytes are those of the base64 text.
        let (first, second) = ("c389a6185664a73e683f3eb0ea09750b", "00000000000000000000000000000001")
        try expect(
            packed.rows,
            equals: [
                [
                    "time": "1595502643", "device-id": first, "flags": "rooted,xposed", "ip": "1.2.3.4",
                    "origin-line": "1", "origin-capture": "1",
                ],
                [
                    "time": "1595502644", "device-id": second, "flags": "", "n": "5", "b": "true", "origin-line": "3",
                    "origin-capture": "1",
                ],
                [
                    "time": "1595502644", "device-id": first, "flags": "rooted", "é \"": "é\n", "rejection-flags": "",
                    "origin-line": "4", "origin-capture": "1",
                ],
                [
                    "time": "1595530800", "device-id": second, "ip": "1.2.3.4", "probe-result": "\n  one\n  two",
                    "origin-line": "1", "origin-capture": "2",
                ],
            ])
        #expect(packed.summary.records == 4 && packed.summary.devices == 2 && packed.summary.malformed == 0)
        let names = try ColumnReader(ColumnBytes(packed.bytes)).schema.fields.map(\.name)
        expect(
            names,
            equals: [
                "time", "device-id", "flags", "rejection-flags", "ip", "probe-result", "b", "n", "é \"", "origin-line",
                "origin-capture",
            ])
        let fields = try packed.fields
        expect(fields["time"]?.type, equals: .time(.seconds, zone: "UTC"))
        #expect(fields["device-id"]?.type == .fixedBytes(16) && fields["device-id"]?.keys?.bits == 8)
        #expect(fields["n"]?.type == .text(.small) && fields["n"]?.keys?.isSigned == true)
        let metadata = try packed.metadata
        #expect(metadata["scenario.version"] == "1" && metadata["scenario.records"] == "4")
        expect(metadata["scenario.first"], equals: "2020-07-23T11:10:43Z")
        expect(metadata["scenario.last"], equals: "2020-07-23T19:00:00Z")
    }

    // Records whose app's fields mostly come together, and have more combinations and values later; some lack one, have their keys in
    // another order, or have to be written with an escape.
    private static func togetherRecords(_ chance: inout Chance, _ count: Int) -> [[(key: String, value: String)]] {
        (0..<count).map { number in
            let app = chance.below(number < 8000 ? 40 : 90)
            var fields = [
                ("ip", "10.0.0.\(chance.below(200))"), ("app-name", app % 9 == 0 ? "a \"\(app)\"" : "name \(app)"),
                ("app-version", "\(app % 7).0"), ("appid", "com.\(app)"), ("app-sig", "s\(app % 3)"),
            ]
            if chance.happens(1) { fields.remove(at: chance.below(5)) }
            if chance.happens(1) { fields = chance.shuffled(fields) }
            if number > 9000, chance.happens(30) { fields.append(("late", "\(number)")) }
            return fields.map { (key: $0.0, value: $0.1) }
        }
    }

    @Test("values that come together are those of their records, in the order of first sight") func together() throws {
        var chance = Chance(seed: 12)
        let records = Self.togetherRecords(&chance, 12_000)
        let lines = records.map { fields in
            let head: [(key: String, value: JSONValue)] = [
                ("time", .string("2020-07-23T11:10:43Z")), ("device-id", .string("AAAAAAAAAAAAAAAAAAAAAQ==")),
            ]
            return JSONValue.ordered(head + fields.map { ($0.key, .string($0.value)) }).line
        }
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(lines.joined()), to: "1")
        let packed = try #require(try PackedFile(paths: [path]) { $0.reading.blockBytes = 3000 })
        let own: Set = ["time", "device-id", "origin-line", "origin-capture"]
        let expected = records.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.key, $0.value) }) }
        try expect(packed.rows.map { $0.filter { !own.contains($0.key) } }, equals: expected)
        for key in ["app-name", "app-version", "appid", "app-sig", "late"] {
            var order: [String] = []
            for value in expected.compactMap({ $0[key] }) where !order.contains(value) { order.append(value) }
            try expect(packed.dictionary(of: key), equals: order, "\(key)")
        }
        for (jobs, blockBytes) in [(1, 1 << 18), (2, 3000), (3, 40_000), (7, 9000)] {
            let other = try PackedFile(paths: [path]) {
                ($0.reading.jobs, $0.reading.blockBytes) = (jobs, blockBytes)
            }
            expect(other?.bytes, equals: packed.bytes, "\(jobs) workers, blocks of \(blockBytes)")
        }
    }

    @Test("a device ID that is not canonical makes texts of all") func otherIDs() throws {
        let line = #"{"time":"2020-07-23T11:10:43Z","device-id":"ExampleApproovTokenDID==","flags":""}"# + "\n"
        let packed = try #require(try PackedFile([Array(line.utf8), Array(Self.evening.utf8)]))
        try expect(packed.fields["device-id"]?.type, equals: .text(.small))
        try expect(
            packed.rows.map { $0["device-id"] }, equals: ["ExampleApproovTokenDID==", "AAAAAAAAAAAAAAAAAAAAAQ=="])
    }

    private static func lines(_ count: Int, _ value: (Int) -> String) -> [UInt8] {
        Array(
            (0..<count).map { number in
                #"{"time":"2020-07-23T11:10:43Z","device-id":"\#(TestSupport.Sample.device(number % 3))","k":"\#(value(number))"}"#
                    + "\n"
            }.joined().utf8)
    }

    @Test("keys have the fewest bits", arguments: [(128, 8), (129, 16), (32_768, 16), (32_769, 32)])
    func keyBits(_ count: Int, _ bits: Int) throws {
        let packed = try #require(try PackedFile([Self.lines(count) { "\($0)" }]) { $0.limits.rows = 1000 })
        try expect(packed.fields["k"]?.keys?.bits, equals: bits)
        try expect(packed.rows.map { $0["k"] }, equals: (0..<count).map { "\($0)" })
    }

    @Test("a column with more values than a dictionary may have is plain text", arguments: [1, 7], [90, 5000])
    func manyValues(jobs: Int, blockBytes: Int) throws {
        let capture = Self.lines(1000) { $0 < 400 ? "\($0 % 50)" : "v\($0)" }
        for limit in [50, 300, 649, 650] {
            let packed = try #require(
                try PackedFile([capture]) { request in
                    (request.limits.values, request.limits.rows) = (limit, 64)
                    (request.reading.jobs, request.reading.blockBytes) = (jobs, blockBytes)
                })
            // 50 values and 600.
            try expect((packed.fields["k"]?.keys == nil), equals: (limit < 650), "\(limit)")
            try expect(packed.rows.map { $0["k"] }, equals: (0..<1000).map { $0 < 400 ? "\($0 % 50)" : "v\($0)" })
        }
    }

    @Test("a batch ends at the bytes of its records, too") func batches() throws {
        let packed = try #require(try PackedFile([Self.lines(10) { "\($0)" }]) { $0.limits.bytes = 250 })
        let reader = try ColumnReader(ColumnBytes(packed.bytes))
        var (batch, counts) = (ColumnBatch(), [Int]())
        while try reader.read(&batch) { counts.append(batch.count) }
        // A line has 81 bytes.
        expect(counts, equals: [4, 4, 2])
    }

    @Test("a key that cannot be a column is refused", arguments: ["origin-line", String(repeating: "k", count: 1025)])
    func refusedKeys(_ key: String) throws {
        let head = #"{"time":"2020-07-23T11:10:43Z","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","flags":"","#
        let line = head + #""\#(key)":"x"}"# + "\n"
        let folder = try TemporaryFolder(["c": line])
        let (summary, diagnostics) = CapturePacker(
            PackRequest(
                reading: ReplayRequest(captures: [folder.path("c")], account: Account()), output: folder.path("out"),
                form: .lines, version: "1")
        ).run()
        #expect(summary == nil && diagnostics.all.count == 1)
        expect(diagnostics.all.first?.message.hasPrefix("the key `\(key.prefix(60))"), equals: true)
    }

    @Test("records in the order of time come from captures that are not") func sorted() throws {
        let records = [("12", "b"), ("11", "a"), ("13", "c")].map { hour, value in
            #"{"time":"2020-07-23T\#(hour):00:00Z","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","k":"\#(value)"}"# + "\n"
        }
        let capture = Array(records.joined().utf8)
        #expect(try PackedFile([capture]) == nil)
        for jobs in [1, 3] {
            let packed = try #require(
                try PackedFile([capture]) { ($0.reading.sorts, $0.reading.jobs) = (true, jobs) })
            try expect(
                packed.rows.map { [$0["k"], $0["origin-line"]] }, equals: [["a", "2"], ["b", "1"], ["c", "3"]])
        }
    }

    @Test("malformed records refuse a capture, or are counted and left out") func malformed() throws {
        let capture = Array(("{}\n" + Self.lines).utf8)
        #expect(try PackedFile([capture]) == nil)
        let packed = try #require(try PackedFile([capture]) { $0.reading.skipsMalformed = true })
        #expect(packed.summary.records == 3 && packed.summary.malformed == 1)
        try expect(packed.rows.map { $0["origin-line"] }, equals: ["2", "4", "5"])
        try expect(packed.metadata["scenario.malformed"], equals: "1")
    }

    @Test("a key that is not UTF-8 makes its record malformed") func damagedKey() throws {
        let head = "--- AAAAAAAAAAAAAAAAAAAAAQ== 2020-07-23 20:00:01 BST ---\n"
        let damaged = Array(head.utf8) + [0xFF, 0x3A, 0x20, 0x0A]
        let packed = try #require(
            try PackedFile([Array(Self.evening.utf8) + damaged]) { $0.reading.skipsMalformed = true })
        #expect(packed.summary.records == 1 && packed.summary.malformed == 1)
    }

    @Test func jsonLines() throws {
        let packed = try #require(try PackedFile([Array(Self.lines.utf8)], form: .lines))
        expect(
            String(decoding: packed.bytes, as: UTF8.self),
            equals: """
                {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted,xposed","ip":"1.2.3.4"}
                {"time":"2020-07-23T11:10:44Z","device-id":"AAAAAAAAAAAAAAAAAAAAAQ==","flags":"","b":"true","n":"5"}
                {"time":"2020-07-23T11:10:44Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":"rooted","rejection-flags":"","é \\"":"é\\n"}

                """)
    }
}

/// Random captures, compared with what a replay keeps of their records.
@Suite struct RandomPackTests {
    private static let keys = [
        "flags", "rejection-flags", "ip", "device", "appid", "app-version", "user-property", "note",
    ]

    @Test(arguments: 0..<UInt64(Exhaustive.count(20, whole: 1000))) func recordsAreThoseOfAReplay(seed: UInt64) throws {
        var (drawn, chance) = (DisorderlyCapture(seed: seed), Chance(seed: seed))
        let captures = [drawn.bytesInOrder(40), drawn.bytesInOrder(40)].filter { !$0.isEmpty }
        let folder = try TemporaryFolder()
        var request = ReplayRequest(captures: [], account: Account())
        for (number, bytes) in captures.enumerated() {
            request.captures.append(try folder.write(bytes, to: "\(number)"))
        }
        (request.skipsMalformed, request.sorts) = (true, chance.happens(50))
        let kept = CaptureRecords(request, keys: Self.keys).read()
        let alone = try Self.pack(request)
        expect((alone == nil), equals: kept.diagnostics.hasErrors)
        guard let alone else { return }
        expect(alone.summary.records, equals: kept.records.count)
        guard !kept.records.isEmpty else { return }
        let rows = try alone.rows
        try #require(rows.count == kept.records.count)
        for (row, record) in zip(rows, kept.records) {
            var expected = Dictionary(uniqueKeysWithValues: record.attributes.map { ($0.key, $0.value) })
            expected["time"] = "\(record.time.secondsSinceEpoch)"
            // A byte that was changed may make another key.
            expect(row.filter { $0.key == "time" || Self.keys.contains($0.key) }, equals: expected)
        }
        // A stream is read as well as a file, and lines give the same file again, but for the lines that they are at.
        let lines = try #require(try Self.pack(request, form: .lines))
        let again = try #require(try PackedFile([lines.bytes]))
        let values = { (rows: [[String: String]]) in
            rows.map { $0.filter { $0.key != "origin-line" && $0.key != "origin-capture" } }
        }
        try expect(values(again.rows), equals: values(rows))
        // A packed capture is a capture: packed again, unpacked, and replayed.
        for (jobs, blockBytes) in [(1, 1), (3, 5000)] {
            let read = { (request: inout PackRequest) in
                (request.reading.jobs, request.reading.blockBytes) = (jobs, blockBytes)
            }
            try expect(PackedFile([alone.bytes], read)?.rows, equals: rows)
            try expect(PackedFile([alone.bytes], form: .lines, read)?.bytes, equals: lines.bytes)
        }
        if !request.sorts {
            let replayed = try ReplayBench.replay(captures) { $0.skipsMalformed = true }
            try expect(ReplayBench.replay([alone.bytes]).decisions, equals: replayed.decisions)
        }
        for (jobs, blockBytes) in [(1, 1), (2, 90), (3, 5000), (7, 300)] {
            let other = try Self.pack(request, jobs: jobs, blockBytes: blockBytes)
            expect(other?.bytes, equals: alone.bytes, "\(jobs) workers, blocks of \(blockBytes)")
        }
    }

    private static func pack(
        _ reading: ReplayRequest, form: GatheredForm = .columns(level: 1), jobs: Int = 1,
        blockBytes: Int = CaptureLimits.blockBytes
    ) throws -> PackedFile? {
        try PackedFile(paths: reading.captures, form: form) { request in
            request.reading = reading
            (request.reading.jobs, request.reading.blockBytes) = (jobs, blockBytes)
            request.limits.rows = 17
        }
    }
}

/// Texts that several workers give are numbered in the order in which they come, each once.
@Suite struct TextNumbersTests {
    @Test(arguments: UInt64(1)...60) func eachTextHasOneNumber(seed: UInt64) {
        var (chance, numbers, expected) = (Chance(seed: seed), TextNumbers(), [String]())
        // Each giver gives a text once. A later one may take the place of one that is not heard of any more.
        var given: [Set<String>] = [[]]
        for _ in 0..<chance.pick([5, 200, 600]) {
            if chance.happens(5) { given.append([]) }
            let giver = chance.happens(70) ? given.count - 1 : chance.below(given.count)
            let text = "t\(chance.below(150))"
            guard given[giver].insert(text).inserted else { continue }
            if !expected.contains(text) { expected.append(text) }
            let bytes = Array("<\(text)>".utf8)
            let number = numbers.number(of: bytes.span, 1..<bytes.count - 1, from: giver)
            expect(Int(number), equals: expected.firstIndex(of: text))
            if numbers.areOnly(from: giver) {
                #expect(giver == 0 && given[0].count == numbers.count)
            }
        }
        let list = numbers.list
        #expect((0..<list.count).map { String(decoding: list[$0], as: UTF8.self) } == expected)
        expect(list.byteCount, equals: expected.reduce(0) { $0 + $1.utf8.count })
    }
}
