import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Captures of fetches (formats: Captures, 2).
@Suite struct FetchTests {
    private static let (nexus, iphone, bob) = (SampleDevice.nexus, SampleDevice.iphone, SampleDevice.bob)

    private static let timed = """
        \(nexus) 2020-07-23 12:10:45 BST
        \(nexus) 2020-07-23 16:27:12 BST
        \(iphone) 2020-07-23 16:27:20 BST

        """
    private static let untimed = """
        \(nexus)
        \(iphone)
        \(iphone)

        """

    private static func most(_ figures: FetchFigures?) -> [String]? {
        figures?.most.map { "\($0.id) \($0.fetches)" }
    }

    @Test func timedFetchesGiveFrequencyAndSpan() throws {
        let replayed = try ReplayBench.replay(Self.timed)
        let fetches = try #require(replayed.summary.fetches)
        #expect(replayed.messages == [])
        #expect((fetches.total, fetches.devices, fetches.malformed) == (3, 2, 0))
        #expect(fetches.span?.lowerBound.description == "2020-07-23T11:10:45Z")
        #expect(fetches.span?.upperBound.description == "2020-07-23T15:27:20Z")
        #expect(Self.most(fetches) == ["\(Self.nexus) 2", "\(Self.iphone) 1"])
        #expect(fetches.weights == nil)
        #expect(replayed.summary.figures?.attestations == 0)
    }

    @Test func untimedFetchesGiveFrequencyAlone() throws {
        let fetches = try #require(try ReplayBench.replay(Self.untimed).summary.fetches)
        #expect((fetches.total, fetches.devices) == (3, 2))
        #expect(fetches.span == nil)
        #expect(Self.most(fetches) == ["\(Self.iphone) 2", "\(Self.nexus) 1"])
    }

    @Test func bothFormsBlankLinesAndSeveralFilesGoTogether() throws {
        let mixed = "getting latest fetches\r\n\r\n\(Self.bob)\r\n\(Self.bob) 2020-07-23 12:00:00 +00:00\r\n\(Self.bob)"
        let captures = [Self.timed, mixed, Self.untimed].map { Array($0.utf8) }
        let fetches = try #require(try ReplayBench.replay(captures).summary.fetches)
        #expect((fetches.total, fetches.devices) == (9, 3))
        #expect(fetches.span?.lowerBound.description == "2020-07-23T11:10:45Z")
        // Equal counts go by the ID: `h`, `q`, `w`.
        #expect(Self.most(fetches) == ["\(Self.bob) 3", "\(Self.nexus) 3", "\(Self.iphone) 3"])
    }

    @Test func tenDevicesAreNamed() throws {
        let ids = (1...12).map { DeviceID(first: 0, second: UInt64($0) << 4) }
        let text = ids.enumerated().flatMap { offset, id in Array(repeating: "\(id)\n", count: offset + 1) }.joined()
        let fetches = try #require(try ReplayBench.replay(text).summary.fetches)
        #expect((fetches.total, fetches.devices) == (78, 12))
        #expect(fetches.most.map(\.id) == Array(ids.reversed().prefix(10)))
        #expect(fetches.most.map(\.fetches) == [12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    }

    struct Row: LabelledRow {
        let line, problem: String
    }

    private static let hint = "hint: a line is `<device-id>` or `<device-id> <timestamp>`"

    static let malformed = [
        Row(line: "x", problem: "this is not a fetch; \(hint)"),
        Row(line: "\(bob)x", problem: "this is not a fetch; \(hint)"),
        Row(line: " \(bob)", problem: "this is not a fetch; \(hint)"),
        Row(line: "\(bob) ", problem: "`` is not a time `YYYY-MM-DD hh:mm:ss ZZZ`"),
        Row(line: "\(bob) noon", problem: "`noon` is not a time `YYYY-MM-DD hh:mm:ss ZZZ`"),
        Row(
            line: "\(bob) 2020-07-23 12:00:00",
            problem: "time without a time zone; hint: give its offset from UTC "
                + "with --timezone ±hh:mm"),
        Row(
            line: "\(bob) 2020-07-23 12:00:00 XYZ",
            problem: "unknown time zone `XYZ`; hint: give its offset from UTC "
                + "with --timezone ±hh:mm"),
        Row(line: "++FilteredSecPolicy++w==", problem: "`++FilteredSecPolicy++w==` is not a device"),
    ]

    @Test(arguments: malformed) func malformedLinesRefuseTheCapture(_ row: Row) throws {
        let replayed = try ReplayBench.replay("\(Self.bob)\n\(row.line)\n\(Self.bob)\n")
        #expect(replayed.isRefused)
        #expect(replayed.summary.fetches == nil)
        #expect(replayed.messages == ["1:2: error: \(row.problem)"])
    }

    @Test(arguments: malformed) func malformedLinesCanBeSkipped(_ row: Row) throws {
        let replayed = try ReplayBench.replay("\(Self.bob)\n\(row.line)\n\(Self.bob)\n") { $0.skipsMalformed = true }
        #expect(replayed.summary.fetches?.total == 2)
        #expect(replayed.summary.fetches?.malformed == 1)
        // formats: "counts them as `fail-bad-request`".
        #expect(replayed.summary.figures?.malformed == 1)
        #expect(replayed.metric("fail-bad-request") == 1)
        #expect(replayed.summary.figures?.attestations == 0)
        #expect(replayed.messages == ["1:2: warning: \(row.problem)"])
    }

    // formats: "`--malformed FILE` keeps them".
    @Test(arguments: [false, true]) func malformedLinesAreKept(skips: Bool) throws {
        let replayed = try ReplayBench.replay("\(Self.bob)\nx\n\(Self.bob) noon\r\n") { $0.skipsMalformed = skips }
        #expect(replayed.kept.map { String(decoding: $0, as: UTF8.self) } == "x\n\(Self.bob) noon\r\n")
    }

    @Test func theTimeZoneOptionBearsOnFetches() throws {
        let replayed = try ReplayBench.replay("\(Self.bob) 2020-07-23 12:00:00 XYZ\n") {
            $0.zones = TimeZones(fallback: 7200)
        }
        #expect(replayed.summary.fetches?.span?.lowerBound.description == "2020-07-23T10:00:00Z")
    }

    // Nexus fails and later passes, the iPhone fails; Bob is not captured.
    private static let attestations = [
        "{\"time\":\"2020-07-23T11:00:00Z\",\"device-id\":\"\(nexus)\",\"flags\":\"rooted\"}\n",
        "{\"time\":\"2020-07-23T11:00:01Z\",\"device-id\":\"\(iphone)\",\"flags\":\"frida\"}\n",
        "{\"time\":\"2020-07-23T11:00:02Z\",\"device-id\":\"\(nexus)\",\"flags\":[]}\n",
    ]
    private static let weighing = "\(nexus)\n\(nexus)\n\(iphone)\n\(bob)\n\(nexus)\n"

    @Test func fetchesAreWeighedByTheLatestVerdict() throws {
        let replayed = try ReplayBench.replay([Array(Self.attestations.joined().utf8)], fetches: Self.weighing)
        #expect(
            replayed.summary.fetches?.weights == FetchFigures.Weights { ($0.passed, $0.failed, $0.unknown) = (3, 1, 1) }
        )
        #expect(replayed.summary.fetches?.total == 5)
        #expect(replayed.summary.figures?.attestations == 3)
        #expect(replayed.messages == [])
    }

    @Test func theLatestVerdictIsThatOfTimeNotOfTheFile() throws {
        let text = Self.attestations.reversed().joined()
        let replayed = try ReplayBench.replay([Array(text.utf8)], fetches: Self.weighing) { $0.sorts = true }
        #expect(
            replayed.summary.fetches?.weights == FetchFigures.Weights { ($0.passed, $0.failed, $0.unknown) = (3, 1, 1) }
        )
    }

    @Test func entriesOfTheAccountAreNoAttestations() throws {
        let account = try AccountText.account("devices: [{id: \"\(Self.bob)\", label: x}]")
        let replayed = try ReplayBench.replay(
            [Array(Self.attestations.joined().utf8)], account: account, fetches: Self.weighing)
        #expect(
            replayed.summary.fetches?.weights == FetchFigures.Weights { ($0.passed, $0.failed, $0.unknown) = (3, 1, 1) }
        )
    }

    // formats: "A malformed record: the default … exits 2 with nothing reported".
    @Test func malformedFetchesThatWeighRefuseEverything() throws {
        let replayed = try ReplayBench.replay([Array(Self.attestations.joined().utf8)], fetches: "\(Self.bob)\nx\n")
        #expect(replayed.messages == ["fetches:2: error: this is not a fetch; \(Self.hint)"])
        #expect(replayed.summary.figures == nil)
        #expect(replayed.summary.fetches == nil)
        #expect(replayed.decisions == nil)
    }

    @Test func malformedFetchesThatWeighCanBeSkipped() throws {
        let replayed = try ReplayBench.replay(
            [Array(Self.attestations.joined().utf8)], fetches: "\(Self.bob)\nx\n\(Self.nexus)\n"
        ) { $0.skipsMalformed = true }
        #expect(replayed.messages == ["fetches:2: warning: this is not a fetch; \(Self.hint)"])
        #expect(replayed.summary.fetches?.malformed == 1)
        // They are none of the capture that is evaluated.
        #expect(replayed.summary.figures?.malformed == 0)
        #expect(
            replayed.summary.fetches?.weights == FetchFigures.Weights { ($0.passed, $0.failed, $0.unknown) = (1, 0, 1) }
        )
    }

    @Test func attestationsCannotWeigh() throws {
        let replayed = try ReplayBench.replay(
            [Array(Self.attestations.joined().utf8)], fetches: Self.attestations.joined())
        #expect(replayed.messages == ["fetches: error: not a capture of fetches"])
        #expect(replayed.isRefused)
    }
}
