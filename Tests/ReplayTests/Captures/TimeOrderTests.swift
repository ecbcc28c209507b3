import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Captures out of time order are sorted, or refused with the line (formats: Captures).
@Suite struct TimeOrderTests {
    private static let (nexus, iphone, bob) = (SampleDevice.nexus, SampleDevice.iphone, SampleDevice.bob)

    private static func record(_ id: String, _ time: String, flags: String = "") -> String {
        "--- \(id) 2020-07-23 \(time) UTC ---\npublic-flags: \(flags)\n"
    }

    private static let hint = "; hint: --sort puts records into the order of time"

    private static func refusal(_ line: Int, _ time: String, after latest: String) -> String {
        "1:\(line): error: record of 2020-07-23T\(time)Z after one of 2020-07-23T\(latest)Z"
    }

    @Test func equalTimesAreInOrder() throws {
        let text = Self.record(Self.bob, "12:00:00") + Self.record(Self.nexus, "12:00:00")
        #expect(try ReplayBench.replay(text).messages == [])
    }

    @Test func theLineOfEachIsTold() throws {
        let text =
            Self.record(Self.bob, "12:00:05") + Self.record(Self.bob, "12:00:04") + Self.record(Self.bob, "12:00:06")
            + Self.record(Self.bob, "12:00:05")
        let replayed = try ReplayBench.replay(text)
        #expect(
            replayed.messages == [
                Self.refusal(3, "12:00:04", after: "12:00:05") + Self.hint,
                Self.refusal(7, "12:00:05", after: "12:00:06"),
            ])
        #expect(replayed.isRefused)
        #expect(replayed.decisions == nil)
    }

    // The line is that of the record, not of what scripts print before it.
    @Test func linesBetweenDoNotMoveTheLine() throws {
        let text = "getting new devices\n\n" + Self.record(Self.bob, "12:00:04")
        let earlier = Self.record(Self.bob, "12:00:05")
        let replayed = try ReplayBench.replay([Array(earlier.utf8), Array(text.utf8)])
        let refusal = Self.refusal(3, "12:00:04", after: "12:00:05").replacing("1:3", with: "2:3")
        #expect(replayed.messages == [refusal + Self.hint])
    }

    @Test func skippingMalformedRecordsDoesNotHelp() throws {
        let text = Self.record(Self.bob, "12:00:05") + Self.record(Self.bob, "12:00:04")
        let replayed = try ReplayBench.replay(text) { $0.skipsMalformed = true }
        #expect(replayed.messages == [Self.refusal(3, "12:00:04", after: "12:00:05") + Self.hint])
        #expect(replayed.isRefused)
    }

    @Test func twentyAreToldAndTheOthersCounted() throws {
        let text = Self.record(Self.bob, "13:00:00") + (10..<35).map { Self.record(Self.bob, "12:00:\($0)") }.joined()
        let told = try ReplayBench.replay(text).messages
        #expect(told.count == 21)
        #expect(told.last == "scenario: error: and 5 more records out of order")
    }

    @Test func severalCapturesAreOneStream() throws {
        let captures = [Self.record(Self.bob, "12:00:05"), Self.record(Self.bob, "12:00:04")].map { Array($0.utf8) }
        #expect(try ReplayBench.replay(captures).isRefused)
        #expect(try ReplayBench.replay(Array(captures.reversed())).metric("pass") == 2)
        #expect(try ReplayBench.replay(captures) { $0.sorts = true }.metric("pass") == 2)
    }

    @Test func sortedRecordsAreEvaluatedByTimeAndWrittenAsTheyCame() throws {
        let account = try AccountText.account("filters: [{name: banning, key: flags-all, match: cloned, ban: true}]")
        let captures = [
            Self.record(Self.bob, "12:00:09") + Self.record(Self.nexus, "12:00:07", flags: "xposed"),
            Self.record(Self.bob, "12:00:08", flags: "cloned") + Self.record(Self.bob, "12:00:06"),
        ]
        .map { Array($0.utf8) }
        let replayed = try ReplayBench.replay(captures, account: account) { $0.sorts = true }
        let summary = try #require(replayed.decisions).map { line in
            let verdict = line.contains("\"pass\"") ? "pass" : "fail"
            return line.prefix(39).suffix(9) + verdict + (line.contains("new-did") ? " new" : "")
        }
        // Bob is new at 12:00:06, is banned at 12:00:08, and fails from then on.
        #expect(summary == ["12:00:09Zfail", "12:00:07Zfail new", "12:00:08Zfail", "12:00:06Zpass new"])
        #expect(replayed.decisions?.map { $0.prefix(10) } == (0..<4).map { "{\"index\":\($0)" })
        #expect(replayed.decisions?.first?.contains("\"rejections\":[\"did-ban\"]") == true)
        #expect(replayed.messages == [])
    }

    @Test func sortingKeepsTheOrderOfEqualTimes() throws {
        let text =
            Self.record(Self.bob, "12:00:01") + Self.record(Self.bob, "12:00:00", flags: "rooted")
            + Self.record(Self.bob, "12:00:00", flags: "frida")
        let decisions = try #require(try ReplayBench.replay(text) { $0.sorts = true }.decisions)
        #expect(decisions[1].contains("\"flags\":[\"rooted\",\"new-did\",\"risky-device\"]"))
        #expect(decisions[2].contains("\"flags\":[\"frida\",\"risky-device\"]"))
        #expect(decisions[0].contains("\"flags\":[]"))
    }

    @Test func sortingASortedCaptureChangesNothing() throws {
        let text =
            Self.record(Self.nexus, "12:00:01", flags: "rooted") + Self.record(Self.iphone, "12:00:02")
            + Self.record(Self.nexus, "12:00:02")
        let plain = try ReplayBench.replay(text)
        let sorted = try ReplayBench.replay(text) { $0.sorts = true }
        #expect(plain.decisions == sorted.decisions)
        #expect(plain.summary.figures?.metrics == sorted.summary.figures?.metrics)
    }

    @Test func malformedRecordsRefuseASortedReplayToo() throws {
        let text = Self.record(Self.bob, "12:00:05") + "captured: x\n" + Self.record(Self.bob, "12:00:04")
        let refused = try ReplayBench.replay(text) { $0.sorts = true }
        #expect(refused.isRefused)
        #expect(refused.decisions == nil)
        let skipped = try ReplayBench.replay(text) {
            $0.sorts = true
            $0.skipsMalformed = true
        }
        #expect(skipped.decisions?.count == 2)
        #expect(skipped.metric("fail-bad-request") == 1)
    }
}
