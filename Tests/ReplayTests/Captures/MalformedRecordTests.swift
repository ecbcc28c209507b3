import Testing

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
