import Replay
import Testing

@testable import TestSupport

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
