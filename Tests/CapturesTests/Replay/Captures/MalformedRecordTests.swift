import PolicyEngine
import Testing

@testable import Columns
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The handling of malformed records (formats: Captures).
@Suite struct MalformedRecordTests {
    private static let id = SampleDevice.bob

    private static func sound(_ second: Int) -> String {
        "--- \(id) 2020-07-23 12:00:\(second) UTC ---\npublic-flags:\n"
    }

    @Test(arguments: [false, true]) func theirBytesAreKept(skips: Bool) throws {
        let bad = "--- \(Self.id) 2020-07-23 12:00:11 UTC ---\r\nnote: Ü\r\n is more\r\nbroken\r\n"
        let worse = "captured: never\n"
        let replayed = try ReplayBench.replay(Self.sound(10) + bad + Self.sound(12) + worse) {
            $0.skipsMalformed = skips
        }
        expect(replayed.kept, equals: Array((bad + worse).utf8))
    }

    @Test func linesOfJSONAreKept() throws {
        let good = "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(Self.id)\"}\n"
        let bytes = Array("\(good){x}\n\(good)[\"".utf8) + [0xFF] + Array("\"]\r\n".utf8)
        let kept = try ReplayBench.replay([bytes]) { $0.skipsMalformed = true }.kept
        expect(kept, equals: Array("{x}\n[\"".utf8) + [0xFF] + Array("\"]\r\n".utf8))
    }

    // Ten valid records, one with 30 000 keys, ten valid ones.
    private static func manyKeys(as kind: String) -> String {
        guard kind == "jsonl" else {
            let keys = (0..<30_000).map { "key\($0): 1\n" }.joined()
            let many = "--- \(id) 2020-07-23 12:00:20 UTC ---\n" + keys
            return (10..<20).map(sound).joined() + many + (30..<40).map { sound($0) + "ip: 1\n" }.joined()
        }
        func line(_ second: Int, _ rest: String = "") -> String {
            "{\"time\":\"2020-07-23T12:00:\(second)Z\",\"device-id\":\"\(id)\",\"flags\":\"\"\(rest)}\n"
        }
        let keys = (0..<30_000).map { ",\"key\($0)\":1" }.joined()
        let (before, behind) = ((10..<20).map { line($0) }, (30..<40).map { line($0, ",\"ip\":\"1\"") })
        return before.joined() + line(20, keys) + behind.joined()
    }

    @Test(arguments: ["info", "jsonl"]) func aRecordOfTooManyKeysTakesNoneFromOthers(kind: String) throws {
        let replayed = try ReplayBench.replay(Self.manyKeys(as: kind)) { $0.skipsMalformed = true }
        expect(replayed.summary.figures?.attestations, equals: 20)
        expect(replayed.summary.figures?.malformed, equals: 1)
        expect(replayed.messages.count, equals: 1)
        expect(replayed.messages.first?.contains("more than 4096 different keys in one record"), equals: true)
    }

    @Test func aCaptureMayHaveAnyNumberOfKeys() throws {
        let text = (0..<50).map { record in
            Self.sound(10) + (0..<1000).map { "key\(record)-\($0): 1\n" }.joined()
        }
        let replayed = try ReplayBench.replay(text.joined())
        expect(replayed.messages, equals: [])
        expect(replayed.summary.figures?.attestations, equals: 50)
    }
}

/// Lines that look like those of a record and are in none, where records before had such lines.
@Suite struct StrayLineTests {
    private static let record = """
        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 10:51:26 UTC ---
        ip: 1.2.3.4
        public-flags: rooted

        """

    @Test(
        "a line before the first record of a second capture is in no record",
        arguments: [nil, VectorInstructions.avx512])
    func beforeTheFirst(instructions: VectorInstructions?) throws {
        let stray = "ip: 9.9.9.9\n" + Self.record
        let captures = [Self.record + Self.record, stray].map { Array($0.utf8) }
        let replayed = try ReplayBench.replay(captures) {
            $0.skipsMalformed = true
            $0.instructions = instructions
        }
        expect(
            replayed.messages.count(where: { $0.hasPrefix("2:1: ") && $0.contains("line outside a record") }), equals: 1
        )
        expect(replayed.metric("fail-bad-request"), equals: 1)
    }

    @Test("a record after one with other keys is read as it is", arguments: [nil, VectorInstructions.avx512])
    func otherKeys(instructions: VectorInstructions?) throws {
        let other = """
            --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 10:51:27 UTC ---
            public-flags:
            ip: 1.2.3.4
            device: Android

            """
        let replayed = try ReplayBench.replay(Self.record + other + Self.record.replacing(":26", with: ":28")) {
            $0.instructions = instructions
        }
        expect(replayed.messages, equals: [])
        let decisions = try DecisionLine.read(try #require(replayed.decisions))
        // R10.6: a rooted device is a risky one.
        let flags = [["new-did", "risky-device", "rooted"], ["new-did"], ["risky-device", "rooted"]]
        expect(decisions.map { $0.flags.sorted() }, equals: flags)
    }
}

/// Probable mistakes in a capture that can be read: reported once for each kind, with how many records have it.
@Suite struct CaptureMistakeTests {
    // Records of Bob, each with members of its own behind the time.
    private static func records(_ members: [String]) -> String {
        members.enumerated().map { number, members in
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"h4gubfCFzJu81j/U2BJsdg==",\#(members)}"# + "\n"
        }.joined()
    }

    private static func key(_ count: String, _ name: String, _ meant: String) -> String {
        "\(count) the unknown key `\(name)`, which is not read as `\(meant)`; hint: did you mean `\(meant)`?"
    }

    private static func repeated(_ count: String) -> String {
        "\(count) all that a record before has, and each is counted once more; "
            + "hint: a capture that was joined or delivered twice holds its records twice"
    }

    // Among the keys are thirty that look like a known one, of which twenty are reported.
    static let captures = [
        [
            #""flags":"","App_Version":"1""#, #""flags":"","appVersion":"1""#, #""flags":"","App_Version":"2""#,
            #""IP":"1""#,
        ],
        [#""flags":"","note":"a""#, #""flags":"rooted""#, #""Public-Flags":"rooted""#, #""ip":"1.2.3.4""#],
        [#""flags":"""# + (1...30).map { ",\"app\(String(repeating: "_", count: $0))version\":\"1\"" }.joined()],
    ]

    @Test(arguments: captures) func areReportedTheSameForAnyJobsAndBlocks(_ members: [String]) throws {
        let capture = Self.records(members).split(separator: "\n").map { "\($0)\n\($0)\n" }.joined()
        let alone = try ReplayBench.replay(capture).messages
        expect(alone.count { $0.contains("all that a record before has") }, equals: 1)
        for (jobs, blockBytes) in [(1, 1), (2, 90), (3, 1), (8, 200), (8, 100_000)] {
            let replayed = try ReplayBench.replay(capture) { ($0.jobs, $0.blockBytes) = (jobs, blockBytes) }
            expect(replayed.messages, equals: alone, "\(jobs) workers, blocks of \(blockBytes)")
        }
    }

    // Sorted, the second half is among the first.
    @Test("a whole capture twice is said, wherever its copy is", arguments: [1, 200, 100_000])
    func joinedTwice(blockBytes: Int) throws {
        let capture = Self.records([#""flags":"rooted""#, #""flags":"""#, #""flags":"frida""#])
        for text in [capture + capture, capture + capture.dropLast()] {
            let replayed = try ReplayBench.replay(text) { request in
                (request.sorts, request.blockBytes, request.jobs) = (true, blockBytes, 3)
            }
            expect(replayed.messages, equals: ["1:4: warning: " + Self.repeated("3 records have")])
            expect(replayed.summary.figures?.attestations, equals: 6)
        }
        let twice = try ReplayBench.replay([Array(capture.utf8), Array(capture.utf8)]) { $0.sorts = true }
        expect(twice.messages, equals: ["2:1: warning: " + Self.repeated("3 records have")])
    }

    // Keys that nobody needs are forgotten after some thousands; what was seen, and what looks alike, is not.
    @Test func manyKeysMakeNothingForgotten() throws {
        let many = (0..<3000).map { #""key-\#($0)":"""# }.joined(separator: ",")
        let others = many.replacing("key-", with: "other-")
        let capture = Self.records([
            #""flags":"","shop":"x","App_Version":"1",\#(many)"#, #""flags":"",\#(others)"#,
            #""flags":"","App_Version":"1",\#(many)"#,
        ])
        let account = try AccountText.account("filters: [{name: lab, key: shop, match: y}]\n")
        let replayed = try ReplayBench.replay(capture, account: account)
        expect(replayed.messages, equals: ["1:1: warning: " + Self.key("2 records have", "App_Version", "app-version")])
        #expect(replayed.summary.attributes.contains("shop"))
    }
}

/// Flags of the catalogue in another spelling: taken as flags of their own, no policy would reject them (R2.2).
@Suite struct FlagSpellingTests {
    static let rows = [("ROOTED", "`ROOTED`"), ("x,frida;debug", "`frida;debug`"), ("Lab-One", nil), ("a;b", nil)]

    @Test("R2.2 a known flag in another spelling makes the record malformed, in columns too", arguments: rows)
    func isMalformed(list: String, found: String?) throws {
        let account = try AccountText.account("flags: [{name: lab-one}]\n")
        let columns = try ReplayBench.replay([Self.columns(list)], account: account)
        expect(columns.messages.count, equals: (found == nil ? 0 : 1))
        if let found {
            #expect(columns.messages[0].hasPrefix("1: error: batch 1, row 1: \(found) in the list of flags"))
        }
    }

    private static func columns(_ list: String) -> [UInt8] {
        func texts(_ text: String) -> ColumnData {
            var values = ValueList()
            values.append(text)
            return .values(values)
        }
        let fields = [
            ColumnField("time", .time(.seconds, zone: "UTC")), ColumnField("device-id", .text(.small)),
            ColumnField("flags", .text(.small)),
        ]
        var bytes: [UInt8] = []
        var writer = ColumnWriter(ColumnSchema(fields), as: .stream, to: &bytes)
        writer.write([.numbers([1_595_498_400]), texts("\(SampleDevice.bob)"), texts(list)], to: &bytes)
        writer.finish(to: &bytes)
        return bytes
    }
}
