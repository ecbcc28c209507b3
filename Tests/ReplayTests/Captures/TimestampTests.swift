import Testing

@testable import Figures
@testable import PolicyEngine
@testable import Replay
@testable import TestSupport

/// Times of text captures and their zones (formats: Captures; R1.4).
@Suite struct TimestampTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let time: String
        var fallback: Int?
        let result: String
        var testDescription: String { fallback.map { "\(time), else \($0) s" } ?? time }

        init(_ time: String, fallback: Int? = nil, _ result: String) {
            (self.time, self.fallback, self.result) = (time, fallback, result)
        }
    }

    static let zones = [
        Row("2020-07-23 12:00:00 UTC", "2020-07-23T12:00:00Z"), Row("2020-07-23 12:00:00 GMT", "2020-07-23T12:00:00Z"),
        Row("2020-07-23 12:00:00 Z", "2020-07-23T12:00:00Z"), Row("2020-07-23 12:00:00 BST", "2020-07-23T11:00:00Z"),
        Row("2020-07-23 12:00:00 CET", "2020-07-23T11:00:00Z"), Row("2020-07-23 12:00:00 CEST", "2020-07-23T10:00:00Z"),
        Row("2020-07-23 12:00:00 EST", "2020-07-23T17:00:00Z"), Row("2020-07-23 12:00:00 EDT", "2020-07-23T16:00:00Z"),
        Row("2020-07-23 12:00:00 CST", "2020-07-23T18:00:00Z"), Row("2020-07-23 12:00:00 CDT", "2020-07-23T17:00:00Z"),
        Row("2020-07-23 12:00:00 MST", "2020-07-23T19:00:00Z"), Row("2020-07-23 12:00:00 MDT", "2020-07-23T18:00:00Z"),
        Row("2020-07-23 12:00:00 PST", "2020-07-23T20:00:00Z"), Row("2020-07-23 12:00:00 PDT", "2020-07-23T19:00:00Z"),
        Row("2020-07-23 12:00:00 JST", "2020-07-23T03:00:00Z"),
        Row("2020-07-23 12:00:00 +00:00", "2020-07-23T12:00:00Z"),
        Row("2020-07-23 12:00:00 +05:45", "2020-07-23T06:15:00Z"),
        Row("2020-07-23 12:00:00 -09:30", "2020-07-23T21:30:00Z"),
        Row("2020-07-23 12:00:00 +14:00", "2020-07-22T22:00:00Z"),
        Row("2020-07-23 23:59:59 -00:01", "2020-07-24T00:00:59Z"),
    ]

    // A name means one offset all the year round.
    static let seasons = [
        Row("2020-01-15 12:00:00 BST", "2020-01-15T11:00:00Z"), Row("2020-07-15 12:00:00 GMT", "2020-07-15T12:00:00Z"),
        Row("2020-01-15 12:00:00 PDT", "2020-01-15T19:00:00Z"), Row("2020-07-15 12:00:00 PST", "2020-07-15T20:00:00Z"),
        Row("2020-03-29 01:30:00 BST", "2020-03-29T00:30:00Z"), Row("2020-10-25 01:30:00 CET", "2020-10-25T00:30:00Z"),
    ]

    static let dates = [
        Row("2020-02-29 00:00:00 UTC", "2020-02-29T00:00:00Z"), Row("2000-02-29 00:00:00 UTC", "2000-02-29T00:00:00Z"),
        Row("2020-01-01 00:30:00 CET", "2019-12-31T23:30:00Z"), Row("1969-12-31 23:59:59 UTC", "1969-12-31T23:59:59Z"),
        Row("2020-12-31 23:59:59 EST", "2021-01-01T04:59:59Z"),
    ]

    static let fallbacks = [
        Row("2020-07-23 12:00:00 AEST", fallback: 36_000, "2020-07-23T02:00:00Z"),
        Row("2020-07-23 12:00:00 IST", fallback: 19_800, "2020-07-23T06:30:00Z"),
        Row("2020-07-23 12:00:00", fallback: -3600, "2020-07-23T13:00:00Z"),
        Row("2020-07-23 12:00:00 BST", fallback: 36_000, "2020-07-23T11:00:00Z"),
        Row("2020-07-23 12:00:00 +01:00", fallback: 36_000, "2020-07-23T11:00:00Z"),
    ]

    private static let hint = "; hint: give its offset from UTC with --timezone ±hh:mm"

    private static let offsetHint = "; hint: an offset from UTC is `±hh:mm`, such as +01:00"
    private static let noTime = "is not a time `YYYY-MM-DD hh:mm:ss ZZZ`"
    private static let fractionHint = "; hint: times are whole seconds, without a fraction"

    static let refusals =
        [
            ("2020-07-23 12:00:00 AEST", "unknown time zone `AEST`\(hint)"),
            ("2020-07-23 12:00:00 bst", "unknown time zone `bst`\(hint)"),
            ("2020-07-23 12:00:00 BS", "unknown time zone `BS`\(hint)"),
            ("2020-07-23 12:00:00", "time without a time zone\(hint)"),
        ].map { Row($0.0, $0.1) }
        // The option helps names only.
        + ["UTC+1", "GMT+1", "+1:00", "+0100", "+24:00", "+01:60", "America/New_York", "B ST", "2"].map {
            Row("2020-07-23 12:00:00 \($0)", "unknown time zone `\($0)`\(offsetHint)")
        }
        + [".5 UTC", ".123 UTC", ".123456Z", "."].map {
            Row("2020-07-23 12:00:00\($0)", "`2020-07-23 12:00:00\($0)` \(noTime)\(fractionHint)")
        }
        + [
            "2020-02-30 12:00:00 UTC", "2019-02-29 12:00:00 UTC", "1900-02-29 12:00:00 UTC", "2020-04-31 12:00:00 UTC",
            "2020-13-01 12:00:00 UTC", "2020-00-01 12:00:00 UTC", "2020-01-00 12:00:00 UTC", "0000-01-01 12:00:00 UTC",
            "2020-07-23 24:00:00 UTC", "2020-07-23 12:60:00 UTC", "2020-07-23 12:00:60 UTC", "2020-7-23 12:00:00 UTC",
            "23-07-2020 12:00:00 UTC", "2020-07-23 12:00 UTC", "now",
        ].map { Row($0, "`\($0)` \(noTime)") }
        + [
            Row(
                "2016-12-31 23:59:60 UTC",
                "`2016-12-31 23:59:60 UTC` \(noTime); hint: a leap second is not counted since 1970; "
                    + "write the second after it")
        ]

    @Test(arguments: zones + seasons + dates + fallbacks) func readsTheTime(_ row: Row) throws {
        let id = SampleDevice.bob
        let texts = ["--- \(id) \(row.time) ---\n", "captured: \(row.time)\ndevice-id: \(id)\n"]
        for text in texts {
            #expect(try ReadCapture(text, fallback: row.fallback).lines == ["1: \(row.result) \(id)"])
        }
    }

    @Test(arguments: refusals) func refuses(_ row: Row) throws {
        #expect(try ReadCapture("--- \(SampleDevice.bob) \(row.time) ---\n").lines == ["1! \(row.result)"])
        #expect(
            try ReadCapture("captured: \(row.time)\ndevice-id: \(SampleDevice.bob)\n").lines == ["1! \(row.result)"])
    }

    @Test func everyListedZoneIsTested() {
        let tested = Set(Self.zones.compactMap { $0.time.split(separator: " ").last.map(String.init) })
        #expect(ClockZone.hoursByName.allSatisfy { tested.contains("\($0.name)") })
        #expect(ClockZone.hoursByName.count == 15)
    }

    @Test func offsetsForTheOptionAreRead() {
        #expect(ClockZone.offset("+01:00") == 3600)
        #expect(ClockZone.offset("-09:30") == -34_200)
        for text in ["", "+", "01:00", "Z", "UTC", "+1:00", "+01:00 ", "+24:00", "+01:60", "+0100"] {
            #expect(ClockZone.offset(text) == nil, "\(text)")
        }
    }
}

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
