import Documents
import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// R7.2: the searches of a filter have a budget for the whole run. The records that it does not reach depend on the capture
/// alone.
@Suite("R7.2 floods of costly searches") struct SearchFloodTests {
    private static let pattern = "needle$"

    // Longer than what is searched quickly.
    private static func value(_ number: Int) -> String { String(repeating: "hay ", count: 1100) + "\(number) needle" }

    // Each device has two values, and each value comes twice.
    private static func capture(values: Int) -> String {
        var lines = ""
        for round in 0..<2 {
            for number in 0..<values {
                let id = Sample.device(number / 2)
                lines +=
                    #"{"time":"2020-07-23T11:1\#(round):00Z","device-id":"\#(id)","flags":"","x":"\#(value(number))"}"#
                lines += "\n"
            }
        }
        return lines
    }

    private static func replay(
        values: Int, budget: Int, _ edit: (inout ReplayRequest) -> Void = { _ in }
    ) throws -> Replayed {
        let account = try AccountText.account("filters: [{name: slow, key: x, regex: '\(pattern)', reject: true}]")
        return try ReplayBench.replay(capture(values: values), account: account) {
            $0.searchBudget = budget
            edit(&$0)
        }
    }

    // The cost of one of the searches: the smallest budget that is enough, to a hundredth.
    private static func cost() throws -> Int {
        var (least, most) = (0, 10_000_000)
        while most - least > most / 100 {
            let middle = (least + most) / 2
            if try replay(values: 1, budget: middle).metric("filter-slow") == 2 {
                most = middle
            } else {
                least = middle
            }
        }
        return most
    }

    @Test("a value is searched once, and the first values of the capture get the budget") func firstComeFirst() throws {
        let cost = try Self.cost()
        for enough in 0...4 {
            let replayed = try Self.replay(values: 4, budget: cost * enough + cost / 4)
            expect(replayed.metric("filter-slow"), equals: 2 * enough, "budget for \(enough)")
            expect(replayed.metric("fail"), equals: 2 * enough)
            let figures = try #require(replayed.summary.figures)
            expect(figures.filters.map(\.limitHits), equals: [8 - 2 * enough])
            // Values 0 and 1 belong to one device, 2 and 3 to another.
            expect(figures.unevaluated.devices, equals: [2, 2, 1, 1, 0][enough])
            expect(figures.unevaluated.unsearched, equals: figures.unevaluated.devices)
            expect(
                figures.unevaluated.filters.map(\.devices), equals: (enough == 4 ? [] : [figures.unevaluated.devices]))
        }
    }

    @Test("the result does not depend on workers and blocks", arguments: [1, 2, 3, 8]) func workers(jobs: Int) throws {
        let budget = try Self.cost() * 5 / 2
        let alone = try Self.replay(values: 6, budget: budget)
        expect(alone.metric("filter-slow"), equals: 4)
        for blockBytes in [1, 5000, 20_000] {
            let replayed = try Self.replay(values: 6, budget: budget) {
                ($0.jobs, $0.blockBytes) = (jobs, blockBytes)
            }
            expect(replayed.decisions, equals: alone.decisions)
            expect(replayed.messages, equals: alone.messages)
            expect(replayed.summary.figures?.unevaluated, equals: alone.summary.figures?.unevaluated)
        }
    }

    @Test("what a filter without effect does not find leaves every device evaluated") func noEffect() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(Self.pattern)'}]")
        let replayed = try ReplayBench.replay(Self.capture(values: 1), account: account) { $0.searchBudget = 1 }
        expect(replayed.summary.figures?.unevaluated.devices, equals: 0)
        expect(replayed.summary.figures?.filters.map(\.limitHits), equals: [2])
    }

    @Test("an input of a conjunction that rejects counts") func conjunction() throws {
        let account = try AccountText.account(
            "filters: [{name: slow, key: x, regex: '\(Self.pattern)'}, {name: c, conjunction: [slow], reject: true}]")
        let replayed = try ReplayBench.replay(Self.capture(values: 1), account: account) { $0.searchBudget = 1 }
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
                var replay = CaptureReplay(
                    request, work: AccountWork(request.account, apps: AppRegistry(limit: 2)))
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
        var replay = CaptureReplay(request, work: AccountWork(request.account, apps: AppRegistry(limit: 2)))
        let window = try #require(replay.run().figures?.windows[.hourly]?.first)
        expect(window.passed, equals: 3)
        expect(
            window.counts.map { "\($0.key.name) \($0.value)" }.sorted(),
            equals: [
                "pass-app-other 1", "pass-app-unknown-a 1", "pass-app-unknown-b 1",
            ])
    }
}
