import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// R7.2: whether a search reaches its limit depends on pattern and value; a pattern that reaches it on too many values ends the
/// replay, whatever their order and the number of workers.
@Suite("R7.2 floods of costly searches") struct SearchFloodTests {
    // A step of its search counts for thousands, so that the limit is reached soon.
    private static let pattern = "a[^a]|y{60000}"

    // Longer than what is searched quickly.
    private static func value(_ number: Int) -> String {
        "\(number + 1_000_000)" + String(repeating: "a", count: 4100)
    }

    // Each device has two values.
    private static func capture(_ values: some Sequence<Int>) -> String {
        values.map { number in
            #"{"time":"2020-07-23T11:10:00Z","device-id":"\#(Sample.device(number / 2))","flags":"","x":""#
                + value(number) + "\"}\n"
        }.joined()
    }

    private static func replay(_ capture: String, _ edit: (inout ReplayRequest) -> Void = { _ in }) throws -> Replayed {
        let account = try AccountText.account("filters: [{name: slow, key: x, regex: '\(pattern)', reject: true}]")
        return try ReplayBench.replay(capture, account: account, edit)
    }

    @Test("a device with a value on which the limit is reached is not evaluated") func isNotEvaluated() throws {
        let other = Self.capture([0, 1, 4]).replacing(Self.value(4), with: "ab")
        let replayed = try Self.replay(Self.capture([0, 1]) + other)
        expect(replayed.metric("filter-slow"), equals: 1)
        let figures = try #require(replayed.summary.figures)
        expect(figures.filters.map(\.limitHits), equals: [4])
        #expect(figures.unevaluated.devices == 1 && figures.unevaluated.unsearched == 1)
        expect(figures.unevaluated.filters.map(\.devices), equals: [1])
    }

    @Test("as many values as may reach the limit have figures, for any number of workers", arguments: [1, 3])
    func mostValues(jobs: Int) throws {
        let replayed = try Self.replay(Self.capture(0..<1000) + Self.capture(0..<1000)) { $0.jobs = jobs }
        expect(replayed.summary.figures?.filters.map(\.limitHits), equals: [2000])
        expect(replayed.summary.figures?.unevaluated.devices, equals: 500)
    }

    @Test("one value more ends the replay, with the same words in any order and for any number of workers")
    func isEnded() throws {
        var captures = [Self.capture(0..<1001), Self.capture((0..<1001).reversed())]
        captures.append(Self.capture(500..<1800) + Self.capture(0..<500))
        let shown = "\(Self.value(0).prefix(DocumentLimits.quotationLength))…"
        for capture in captures {
            for (jobs, blockBytes) in [(1, CaptureLimits.blockBytes), (2, 50_000), (4, 5000)] {
                let replayed = try Self.replay(capture) { ($0.jobs, $0.blockBytes) = (jobs, blockBytes) }
                #expect(replayed.isRefused && replayed.decisions == nil)
                expect(
                    replayed.messages,
                    equals: [
                        "filter slow: error: the regex `\(Self.pattern)` hits its match limit in more than 1,000 values, "
                            + "such as `\(shown)`; hint: a pattern without nested repetition does not"
                    ])
            }
        }
    }

    @Test("what a filter without effect does not find leaves every device evaluated") func noEffect() throws {
        let account = try AccountText.account("filters: [{name: slow, key: x, regex: '\(Self.pattern)'}]")
        let replayed = try ReplayBench.replay(Self.capture([0]), account: account)
        expect(replayed.summary.figures?.unevaluated.devices, equals: 0)
        expect(replayed.summary.figures?.filters.map(\.limitHits), equals: [1])
    }

    @Test("an input of a conjunction that rejects counts") func conjunction() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(Self.pattern)'}, "
                + "{name: c, conjunction: [slow], reject: true}]")
        let replayed = try ReplayBench.replay(Self.capture([0]), account: account)
        expect(replayed.summary.figures?.unevaluated.filters.map(\.name), equals: ["slow"])
    }
}

/// R13.1: a number of apps is counted apart, in the order of the records; the others are counted together.
@Suite("R13.1 floods of apps") struct AppFloodTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// By record: the app, and its version where there is one.
        let records: [(app: String, version: String?)]
        /// Attestations by metric, all of them.
        let metrics: [String: Int]
    }

    static let rows = [
        Row(
            testDescription: "as many as are kept", records: [("a", nil), ("b", nil), ("a", nil), ("b", nil)],
            metrics: ["pass-app-unknown-a": 2, "pass-app-unknown-b": 2]),
        Row(
            testDescription: "more, which come between",
            records: [("a", nil), ("c", nil), ("b", nil), ("c", nil), ("d", nil), ("a", nil), ("b", nil)],
            metrics: ["pass-app-unknown-a": 2, "pass-app-unknown-c": 2, "pass-app-other": 3]),
        Row(
            testDescription: "versions of kept apps",
            records: [("a", "1"), ("b", "1"), ("a", "2"), ("b", "1"), ("a", nil)],
            metrics: [
                "pass-app-unknown-a": 3, "pass-app-unknown-b": 2, "pass-appver-unknown-a-1": 1,
                "pass-appver-unknown-b-1": 2, "pass-appver-other": 1,
            ]),
        Row(
            testDescription: "versions of other apps, which take no place",
            records: [("a", nil), ("b", nil), ("c", "1"), ("d", "1"), ("a", "1"), ("a", "2"), ("a", "3")],
            metrics: [
                "pass-app-unknown-a": 4, "pass-app-unknown-b": 1, "pass-app-other": 2, "pass-appver-unknown-a-1": 1,
                "pass-appver-unknown-a-2": 1, "pass-appver-other": 3,
            ]),
    ]

    private static func capture(_ row: Row) -> String {
        row.records.enumerated().map { number, record in
            let version = record.version.map { #","app-version":"\#($0)""# } ?? ""
            return #"{"time":"2020-07-23T11:10:43Z","device-id":"\#(Sample.device(number))","flags":"","#
                + #""appid":"\#(record.app)"\#(version)}"# + "\n"
        }.joined()
    }

    @Test("two are kept, whoever reads which record", arguments: rows) func areKept(_ row: Row) throws {
        let folder = try TemporaryFolder(["c.jsonl": Self.capture(row)])
        for jobs in [1, 2, 5] {
            for blockBytes in [1, 200, 100_000] {
                var request = ReplayRequest(captures: [folder.path("c.jsonl")], account: Account())
                (request.jobs, request.blockBytes) = (jobs, blockBytes)
                var replay = CaptureReplay<DoubtedFigures<Figures>>(
                    request, .account(request.account, apps: AppRegistry(limit: 2)))
                let outcome = replay.run()
                let figures = try #require(outcome.figures)
                let found = figures.metrics.filter { $0.key.name.hasPrefix("pass-app") }
                expect(
                    Dictionary(uniqueKeysWithValues: found.map { ($0.key.name, $0.value) }), equals: row.metrics,
                    "\(jobs) workers, blocks of \(blockBytes)")
                let isMore = row.metrics.keys.contains { $0.hasSuffix("other") }
                expect(outcome.diagnostics.all.map(\.message), equals: (isMore ? [Figures.otherApps] : []))
            }
        }
    }

    @Test("more values than get numbers of their own are counted all the same") func manyValues() throws {
        let count = 20_000
        let lines: [String] = (0..<(count * 2)).map { number -> String in
            let start = #"{"time":"2020-07-23T11:10:43Z","device-id":"\#(Sample.device(0))","flags":"","#
            return start + #""appid":"a\#(number % count)"}"# + "\n"
        }
        let replayed = try ReplayBench.replay(lines.joined()) { $0.decisionsPath = nil }
        expect(replayed.metric("pass-app-unknown-a0"), equals: 2)
        expect(replayed.metric("pass-app-unknown-a9999"), equals: 2)
        expect(replayed.metric("pass-app-unknown-a10000"), equals: 0)
        expect(replayed.metric("pass-app-other"), equals: 20_000)
    }

    @Test("a device counts once in a window for all other apps") func windows() throws {
        let row = Row(testDescription: "", records: [("a", nil), ("b", nil), ("c", nil), ("d", nil)], metrics: [:])
        let capture = Self.capture(row).replacing(Sample.device(3), with: Sample.device(2))
        let folder = try TemporaryFolder(["c.jsonl": capture])
        let request = ReplayRequest(captures: [folder.path("c.jsonl")], account: Account())
        var replay = CaptureReplay<DoubtedFigures<Figures>>(
            request, .account(request.account, apps: AppRegistry(limit: 2)))
        let window = try #require(replay.run().figures?.windows[.hourly]?.first)
        expect(window.passed, equals: 3)
        expect(
            window.counts.map { "\($0.key.name) \($0.value)" }.sorted(),
            equals: [
                "pass-app-other 1", "pass-app-unknown-a 1", "pass-app-unknown-b 1",
            ])
    }
}
