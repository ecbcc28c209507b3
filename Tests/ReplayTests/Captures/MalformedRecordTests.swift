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

    private static func broken(_ second: Int) -> String {
        "--- \(id) 2020-07-23 12:00:\(second) UTC ---\nbroken\n"
    }

    private static let hint = "hint: a line of a record is `key: value`"

    @Test func theInputIsRefusedAndNothingReported() throws {
        let replayed = try ReplayBench.replay(Self.sound(10) + Self.broken(11) + Self.sound(12) + Self.broken(13))
        #expect(
            replayed.messages == [
                "1:4: error: line without a key; \(Self.hint)", "1:8: error: line without a key",
            ])
        #expect(replayed.isRefused)
        #expect(replayed.summary.fetches == nil)
        #expect(replayed.decisions == nil)
        #expect(replayed.files == ["kept"])
    }

    @Test func skippingReportsTheRest() throws {
        let replayed = try ReplayBench.replay(Self.sound(10) + Self.broken(11) + Self.sound(12)) {
            $0.skipsMalformed = true
        }
        #expect(replayed.messages == ["1:4: warning: line without a key; \(Self.hint)"])
        #expect(replayed.summary.figures?.attestations == 2)
        #expect(replayed.summary.figures?.malformed == 1)
        #expect(replayed.metric("fail-bad-request") == 1)
        #expect((replayed.metric("pass"), replayed.metric("fail")) == (2, 0))
        #expect(replayed.decisions?.map { $0.prefix(12) } == ["{\"index\":0,\"", "{\"index\":1,\""])
    }

    @Test(arguments: [false, true]) func twentyAreToldAndTheOthersCounted(skips: Bool) throws {
        let text = (10..<33).map(Self.broken).joined()
        let replayed = try ReplayBench.replay(text) { $0.skipsMalformed = skips }
        let severity = skips ? "warning" : "error"
        // The hint is given once.
        let lines = (0..<20).map {
            "1:\(2 * $0 + 2): \(severity): line without a key" + ($0 == 0 ? "; \(Self.hint)" : "")
        }
        #expect(replayed.messages.filter { $0.hasPrefix("1:") } == lines)
        #expect(replayed.messages.last == "scenario: \(severity): and 3 more malformed records")
        #expect(replayed.messages.count == 21)
        #expect(replayed.isRefused == !skips)
        #expect(replayed.metric("fail-bad-request") == (skips ? 23 : 0))
    }

    @Test func twentyOfAllCapturesTogetherAreTold() throws {
        let captures = [10..<25, 25..<40].map { Array($0.map(Self.broken).joined().utf8) }
        let told = try ReplayBench.replay(captures).messages
        #expect(told.count { $0.contains("line without a key") } == 20)
        #expect(told.count { $0.hasPrefix("2:") } == 5)
        #expect(told.last == "scenario: error: and 10 more malformed records")
    }

    @Test func theOthersAreCountedAlsoWhereReadingEndsEarly() throws {
        let captures = [(10..<33).map(Self.broken).joined(), "\(Self.id)\n"].map { Array($0.utf8) }
        let told = try ReplayBench.replay(captures).messages
        #expect(told.count { $0.contains("line without a key") } == 20)
        #expect(told.contains { $0.hasPrefix("2: error: a capture of fetches") })
        #expect(told.contains("scenario: error: and 3 more malformed records"))
    }

    @Test(arguments: [false, true]) func theirBytesAreKept(skips: Bool) throws {
        let bad = "--- \(Self.id) 2020-07-23 12:00:11 UTC ---\r\nnote: Ü\r\n is more\r\nbroken\r\n"
        let worse = "captured: never\n"
        let replayed = try ReplayBench.replay(Self.sound(10) + bad + Self.sound(12) + worse) {
            $0.skipsMalformed = skips
        }
        #expect(replayed.kept == Array((bad + worse).utf8))
    }

    @Test func linesOfJSONAreKept() throws {
        let good = "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(Self.id)\"}\n"
        let bytes = Array("\(good){x}\n\(good)[\"".utf8) + [0xFF] + Array("\"]\r\n".utf8)
        let kept = try ReplayBench.replay([bytes]) { $0.skipsMalformed = true }.kept
        #expect(kept == Array("{x}\n[\"".utf8) + [0xFF] + Array("\"]\r\n".utf8))
    }

    @Test func keptRecordsStayApart() throws {
        let first = "captured: never\nip: 1"
        let kept = try ReplayBench.replay([Array(first.utf8), Array(Self.broken(10).utf8)]) {
            $0.skipsMalformed = true
        }.kept
        #expect(kept == Array("\(first)\n\(Self.broken(10))".utf8))
    }

    @Test func nothingMalformedKeepsAnEmptyFile() throws {
        #expect(try ReplayBench.replay(Self.sound(10)).kept == [])
    }

    @Test func malformedRecordsBringNoFlagsAndNoDevices() throws {
        let text =
            "--- \(Self.id) 2020-07-23 12:00:10 UTC ---\npublic-flags: strange\nbroken\n"
            + "--- \(SampleDevice.nexus) 2020-07-23 12:00:11 UTC ---\npublic-flags: other\n"
        let replayed = try ReplayBench.replay(text) { $0.skipsMalformed = true }
        #expect(replayed.summary.figures?.devices.unique == 1)
        #expect(replayed.summary.figures?.metrics.keys.contains("pass-flag-strange") == false)
        #expect(replayed.decisions?.first?.contains("\"flags\":[\"new-did\",\"other\"]") == true)
    }

    @Test func aCutCaptureIsWarnedAbout() throws {
        let replayed = try ReplayBench.replay(Self.sound(10) + Self.sound(11).dropLast())
        #expect(replayed.messages == ["1: warning: the last line has no newline; the capture may have been cut"])
        #expect(replayed.metric("pass") == 2)
    }

    @Test func decisionsAreNotLeftInHalf() throws {
        let sound = try ReplayBench.replay(Self.sound(10))
        #expect(sound.files == ["decisions", "kept"])
        let refused = try ReplayBench.replay(Self.sound(10) + Self.broken(11))
        #expect(refused.files == ["kept"])
    }

    @Test func aPlaceThatCannotBeWrittenIsAnError() throws {
        let replayed = try ReplayBench.replay(Self.sound(10)) { $0.decisionsPath = "/nowhere/decisions" }
        #expect(replayed.messages == ["decisions: error: no such file or directory"])
        #expect(replayed.summary.figures == nil)
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
        #expect(replayed.summary.figures?.attestations == 20)
        #expect(replayed.summary.figures?.malformed == 1)
        #expect(replayed.messages.count == 1)
        #expect(replayed.messages.first?.contains("more than 4096 different keys in one record") == true)
    }

    @Test func aCaptureMayHaveAnyNumberOfKeys() throws {
        let text = (0..<50).map { record in
            Self.sound(10) + (0..<1000).map { "key\(record)-\($0): 1\n" }.joined()
        }
        let replayed = try ReplayBench.replay(text.joined())
        #expect(replayed.messages == [])
        #expect(replayed.summary.figures?.attestations == 50)
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
        #expect(replayed.messages.count(where: { $0.hasPrefix("2:1: ") && $0.contains("line outside a record") }) == 1)
        #expect(replayed.metric("fail-bad-request") == 1)
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
        #expect(replayed.messages == [])
        let decisions = try DecisionLine.read(try #require(replayed.decisions))
        // R10.6: a rooted device is a risky one.
        let flags = [["new-did", "risky-device", "rooted"], ["new-did"], ["risky-device", "rooted"]]
        #expect(decisions.map { $0.flags.sorted() } == flags)
    }
}

/// Probable mistakes in a capture that can be read: reported once for each kind, with how many records have it.
@Suite struct CaptureMistakeTests {
    struct Row: LabelledRow {
        let name: String
        let capture: String
        /// As ``Replayed/messages`` writes it.
        let messages: [String]
    }

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
    private static let noFlags =
        " no list of flags, which counts as an empty list; "
        + "hint: `public-flags`, `flags-all` or `flags` holds it, empty where none is set"

    static let rows = [
        Row(
            name: "all as it should be",
            capture: records([
                #""public-flags":"rooted","archid":"x","note":"y""#, #""flags":[],"app-version":"1""#,
                #""flags-all":"","matched-filters":"a""#,
            ]), messages: []),
        Row(
            name: "keys that differ by case or separators",
            capture: records([
                #""flags":"","App_Version":"1""#, #""flags":"","appVersion":"1","archid":"x""#,
                #""flags":"","App_Version":"2","app-version":"1""#, #""flags":"","IP":"1.2.3.4""#,
            ]),
            messages: [
                "1:1: warning: " + key("2 records have", "App_Version", "app-version"),
                "1:2: warning: " + key("1 record has", "appVersion", "app-version"),
                "1:4: warning: " + key("1 record has", "IP", "ip"),
            ]),
        Row(
            name: "a key that says nothing", capture: records([#""flags":"","App_Version":null"#]), messages: []),
        Row(
            name: "a list of flags under another name",
            capture: records([#""Public-Flags":"rooted""#, #""public-flags":"""#]),
            messages: [
                "1:1: warning: " + key("1 record has", "Public-Flags", "public-flags"),
                "1:1: warning: 1 record has" + noFlags,
            ]),
        Row(
            name: "each line twice",
            capture: records([#""flags":"rooted""#, #""flags":"""#]).split(separator: "\n").map { "\($0)\n\($0)\n" }
                .joined(),
            messages: ["1:2: warning: " + repeated("2 records have")]),
        Row(
            name: "a line of before within its second, and one that differs in a key that nobody needs",
            capture: [
                #""flags":"","note":"a""#, #""flags":"","note":"b""#, #""flags":"rooted""#, #""flags":"","note":"b""#,
                #""flags":"","note":"a""#,
            ].map { records([$0]) }.joined(),
            messages: ["1:4: warning: " + repeated("2 records have")]),
        Row(
            name: "no flags",
            capture: records([#""flags":"""#, #""ip":"1.2.3.4""#, #""flags":null"#]),
            messages: ["1:2: warning: 2 records have" + noFlags]),
        Row(
            name: "device information",
            capture: """
                --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 10:00:00 UTC ---
                public-flags: rooted
                --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 10:00:00 UTC ---
                public-flags: rooted

                --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 10:00:01 UTC ---
                Device: Android 7
                App Id: x

                """,
            messages: [
                "1:3: warning: " + repeated("1 record has"),
                "1:6: warning: " + key("1 record has", "Device", "device"),
                "1:6: warning: " + key("1 record has", "App Id", "appid"),
                "1:6: warning: 1 record has" + noFlags,
            ]),
    ]

    @Test("R2.2 formats: Captures: mistakes are messages once, with a count", arguments: rows)
    func tells(_ row: Row) throws {
        let replayed = try ReplayBench.replay(row.capture)
        #expect(replayed.messages.sorted() == row.messages.sorted())
        #expect(replayed.summary.figures != nil)
    }

    @Test(arguments: rows) func tellsTheSameForAnyJobsAndBlocks(_ row: Row) throws {
        let alone = try ReplayBench.replay(row.capture).messages
        for (jobs, blockBytes) in [(1, 1), (2, 90), (3, 1), (8, 200)] {
            let replayed = try ReplayBench.replay(row.capture) { ($0.jobs, $0.blockBytes) = (jobs, blockBytes) }
            #expect(replayed.messages == alone, "\(jobs) workers, blocks of \(blockBytes)")
        }
    }

    @Test(arguments: [1, 100_000]) func tellsOfTwentyKeysAndOfAllElse(blockBytes: Int) throws {
        let names = (0..<30).map { "app" + String(repeating: "_", count: $0 + 1) + "version" }
        let members = names.map { "\"\($0)\":\"1\"" }.joined(separator: ",")
        let capture = Self.records([#""flags":"",\#(members)"#, #""ip":"1""#])
        let messages = try ReplayBench.replay(capture) { $0.blockBytes = blockBytes }.messages
        #expect(messages.count(where: { $0.contains("list of flags") }) == 1)
        #expect(messages.count(where: { $0.contains("the unknown key") }) == MistakeLog.limit)
        #expect(
            messages.last
                == "scenario: warning: more than 20 unknown keys look like known ones; the others are not shown")
    }

    // A coincidence: of 20 records one is there twice, of 21 one fewer than a twentieth.
    @Test(arguments: [(records: 19, isSaid: true), (records: 20, isSaid: false)])
    func fewRepeatedRecordsAreNotSaid(_ row: (records: Int, isSaid: Bool)) throws {
        let lines = (0..<row.records).map { number in
            #"{"time":"2020-07-23T10:\#(10 + number):00Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","flags":""}"# + "\n"
        }
        let replayed = try ReplayBench.replay(lines.joined() + lines[row.records - 1])
        #expect(replayed.messages.isEmpty != row.isSaid)
        #expect(replayed.summary.figures?.attestations == row.records + 1)
    }

    // Sorted, the second half is among the first.
    @Test("a whole capture twice is said, wherever its copy is", arguments: [1, 200, 100_000])
    func joinedTwice(blockBytes: Int) throws {
        let capture = Self.records([#""flags":"rooted""#, #""flags":"""#, #""flags":"frida""#])
        for text in [capture + capture, capture + capture.dropLast()] {
            let replayed = try ReplayBench.replay(text) { request in
                (request.sorts, request.blockBytes, request.jobs) = (true, blockBytes, 3)
            }
            #expect(replayed.messages == ["1:4: warning: " + Self.repeated("3 records have")])
            #expect(replayed.summary.figures?.attestations == 6)
        }
        let twice = try ReplayBench.replay([Array(capture.utf8), Array(capture.utf8)]) { $0.sorts = true }
        #expect(twice.messages == ["2:1: warning: " + Self.repeated("3 records have")])
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
        #expect(replayed.messages == ["1:1: warning: " + Self.key("2 records have", "App_Version", "app-version")])
        #expect(replayed.summary.attributes.contains("shop"))
    }
}

/// Flags of the catalogue in another spelling: taken as flags of their own, no policy would reject them (R2.2).
@Suite struct FlagSpellingTests {
    struct Row: LabelledRow {
        /// The value of `public-flags` in JSON.
        let list: String
        /// The name as messages show it, and the flag that it means; `nil` for flags of somebody else.
        let found: (name: String, meant: String)?
        var name: String { list }
    }

    private static func row(_ list: String, _ name: String, _ meant: String = "rooted") -> Row {
        Row(list: list, found: (name, meant))
    }

    static let rows =
        [
            row(#"[\"rooted\"]"#, #"["rooted"]"#), row("['rooted']", "['rooted']"), row("ROOTED", "ROOTED"),
            row("{rooted,xposed}", "{rooted"), row("rooted|xposed", "rooted|xposed"),
            row("rooted;xposed", "rooted;xposed"), row("x,frida;debug", "frida;debug", "frida"),
            row("did_ban", "did_ban", "did-ban"), row("appNotRegistered", "appNotRegistered", "app-not-registered"),
            row("rooted=true", "rooted=true"), row("rooted:1", "rooted:1"),
            row("frida/rooted", "frida/rooted", "frida"), row("rooted\u{200B}", "rooted<U+200B>"),
            row("roo\u{200B}ted", "roo<U+200B>ted"), row("rooted.", "rooted."),
            row("xposed,Devicecheck-Complated", "Devicecheck-Complated", "devicecheck-complated"),
        ]
        + ["a;b", "vendor:rooted", "rotted", "[x]", "none", "Lab-One", "lab/rooted"].map { Row(list: $0, found: nil) }

    private static func messages(_ row: Row, at place: String) -> [String] {
        guard let (name, meant) = row.found else { return [] }
        return [
            "\(place)`\(name)` in the list of flags is not read as `\(meant)`; flags are written as in the catalogue, and "
                + "joined by commas alone; hint: did you mean `\(meant)`?"
        ]
    }

    @Test("R2.2 a known flag in another spelling makes the record malformed, in every form", arguments: rows)
    func isMalformed(_ row: Row) throws {
        let (id, list) = (SampleDevice.bob, row.list.replacing(#"\""#, with: "\""))
        let account = try AccountText.account("flags: [{name: lab-one}]\n")
        let lines = #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(id)","public-flags":"\#(row.list)"}"# + "\n"
        let info = "--- \(id) 2020-07-23 10:00:00 UTC ---\npublic-flags: \(list)\n"
        for text in [lines, info] {
            let replayed = try ReplayBench.replay(text, account: account)
            #expect(replayed.messages == Self.messages(row, at: "1:1: error: "))
            #expect(replayed.isRefused == (row.found != nil))
        }
        let columns = try ReplayBench.replay([Self.columns(list)], account: account)
        #expect(columns.messages == Self.messages(row, at: "1: error: batch 1, row 1: "))
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

    @Test("where malformed records are skipped, it is counted as one, and passes no device") func isCounted() throws {
        let lines = (0..<3).map { number in
            #"{"time":"2020-07-23T10:00:0\#(number)Z","device-id":"\#(SampleDevice.bob)","flags":"ROOTED"}"# + "\n"
        }
        let replayed = try ReplayBench.replay(lines.joined()) { $0.skipsMalformed = true }
        #expect((replayed.metric("pass"), replayed.metric("fail-bad-request")) == (0, 3))
    }
}
