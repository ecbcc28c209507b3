import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

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
                var replay = CaptureReplay(
                    request, work: AccountWork(request.account, apps: AppRegistry(limit: 2)))
                let outcome = replay.run()
                let figures = try #require(outcome.figures)
                let found = figures.metrics.filter { $0.key.name.hasPrefix("pass-app") }
                #expect(
                    Dictionary(uniqueKeysWithValues: found.map { ($0.key.name, $0.value) }) == row.metrics,
                    "\(jobs) workers, blocks of \(blockBytes)")
                let isMore = row.metrics.keys.contains { $0.hasSuffix("other") }
                #expect(outcome.diagnostics.all.map(\.message) == (isMore ? [Figures.otherApps] : []))
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
        #expect(replayed.metric("pass-app-unknown-a0") == 2)
        #expect(replayed.metric("pass-app-unknown-a9999") == 2)
        #expect(replayed.metric("pass-app-unknown-a10000") == 0)
        #expect(replayed.metric("pass-app-other") == 20_000)
    }

    @Test("a device counts once in a window for all other apps") func windows() throws {
        let row = Row(testDescription: "", records: [("a", nil), ("b", nil), ("c", nil), ("d", nil)], metrics: [:])
        let capture = Self.capture(row).replacing(Sample.device(3), with: Sample.device(2))
        let folder = try TemporaryFolder(["c.jsonl": capture])
        let request = ReplayRequest(captures: [folder.path("c.jsonl")], account: Account())
        var replay = CaptureReplay(request, work: AccountWork(request.account, apps: AppRegistry(limit: 2)))
        let window = try #require(replay.run().figures?.windows[.hourly]?.first)
        #expect(window.passed == 3)
        #expect(
            window.counts.map { "\($0.key.name) \($0.value)" }.sorted() == [
                "pass-app-other 1", "pass-app-unknown-a 1", "pass-app-unknown-b 1",
            ])
    }
}
