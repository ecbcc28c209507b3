import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// The number of devices, and the number that each filter matched (formats: Report; R6.5, R7).
@Suite struct DeviceFiguresTests {
    private static let start = Instant(secondsSinceEpoch: 1_595_462_400)

    private static let noon = "2020-07-23T12:00:00Z"

    // R6.5: cleared devices are new again; the counts of unique devices are not touched.
    @Test func clearedDevicesAreNotCountedAnew() {
        var bench = MetricsBench(Account())
        bench.attest("a", at: Self.start)
        bench.engine.clearDeviceState()
        bench.attest("a", at: Self.start + 1)
        let figures = bench.figures
        expect(figures.devices, equals: Figures.Devices { ($0.unique, $0.new, $0.banned) = (1, 1, 0) })
        expect(figures.metrics["pass-flag-new-did"], equals: 2)
        expect(figures.windows[.daily]?.map(\.passed), equals: [1])
    }

    @Test func filtersCountDevicesByNameOverRevisions() throws {
        var account = Account()
        account.propagation = 0
        try account.set(Filter(name: "a", test: .exact(key: "ip", value: "1"), options: []))
        try account.set(Filter(name: "b", test: .exact(key: "ip", value: "2")))
        var bench = MetricsBench(account)
        bench.attest("x", at: Self.start, ip: "1")
        bench.attest("y", at: Self.start, ip: "2")
        // `a` now looks for another value and comes behind `b`; `c` is new.
        try account.removeFilter(named: "a")
        try account.set(Filter(name: "a", test: .exact(key: "ip", value: "3")))
        try account.set(Filter(name: "c", test: .exact(key: "ip", value: "3")))
        bench.change(to: account, at: Self.start + 10)
        bench.attest("x", at: Self.start + 10, ip: "3")
        bench.attest("z", at: Self.start + 11, ip: "3")
        bench.attest("y", at: Self.start + 12, ip: "1")
        let figures = bench.figures
        expect(figures.filters.map(\.name), equals: ["a", "b", "c"])
        expect(figures.filters.map(\.matched), equals: [3, 1, 2])
        expect(figures.filters.map(\.devices), equals: [2, 1, 2])
        #expect((figures.metrics["filter-a"], figures.metrics["filter-b"], figures.metrics["filter-c"]) == (3, 1, 2))
    }

    // More filters over the revisions than fit into 64 bits.
    @Test func filtersOfManyRevisionsAreKeptApart() throws {
        var account = Account()
        account.propagation = 0
        for number in 0..<25 {
            try account.set(Filter(name: "f\(number)", test: .exact(key: "ip", value: "\(number)")))
        }
        var bench = MetricsBench(account)
        for revision in 0..<6 {
            if revision > 0 { bench.change(to: account, at: Self.start + revision) }
            for number in 0..<25 {
                // Filter n matches n % 4 + 1 devices, each in every second revision or so.
                let device = Character(Unicode.Scalar(UInt8(97 + (number + revision) % (number % 4 + 1))))
                bench.attest(device, at: Self.start + revision, ip: "\(number)")
            }
        }
        expect(bench.figures.filters.map(\.matched), equals: Array(repeating: 6, count: 25))
        expect(bench.figures.filters.map(\.devices), equals: (0..<25).map { $0 % 4 + 1 })
    }

    @Test func aChangeIsInForceAfterItsPropagation() throws {
        var account = Account()
        var bench = MetricsBench(account)
        account.policy = try account.securityPolicy("default,blacklist,default")
        bench.change(to: account, at: Self.start)
        for second in [0, 29, 30, 31] { bench.attest("a", at: Self.start + second) }
        #expect((bench.figures.metrics["policy-default"], bench.figures.metrics["policy-blacklist"]) == (2, 2))
        #expect((bench.figures.metrics["pass"], bench.figures.metrics["fail"]) == (2, 2))
    }
}

/// Texts that look alike and differ in their bytes are different texts (R7.2, R13.1).
@Suite struct LookAlikeTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    private static let noon = "2020-07-23T12:00:00Z"

    private static func replay(_ rules: String = "{}") throws -> Replayed {
        let events = [
            Event(noon, "a", system: "and", app: composed, version: "1"),
            Event(noon, "b", system: "and", app: decomposed, version: "1"),
            Event(noon, "c", flags: "frida", system: "and", app: decomposed, version: "1"),
        ]
        return try ReplayBench.replay(Event.capture(events), account: try AccountText.account(rules))
    }

    @Test("R13.1 each text has its metrics") func metricsAreKeptApart() throws {
        let figures = try #require(try Self.replay().summary.figures)
        for (app, passed, failed) in [(Self.composed, 1, nil), (Self.decomposed, 1, 1)] as [(String, Int, Int?)] {
            for name in ["app-and-\(app)", "appver-and-\(app)-1"] {
                expect(figures.metrics["pass-\(name)"], equals: passed)
                expect(figures.metrics["fail-\(name)"], equals: failed)
            }
            for kind in WindowKind.allCases {
                let counts = figures.windows[kind]?.first?.counts ?? [:]
                expect(counts["pass-app-and-\(app)"], equals: passed)
                expect(counts["fail-app-and-\(app)"], equals: failed)
            }
        }
    }

    @Test("merging keeps them apart") func mergingKeepsApart() {
        var counts: NamedCounts = [Self.composed: 1, "z": 1]
        counts.add([Self.decomposed: 2, Self.composed: 3])
        expect(counts.map(\.value), equals: [2, 4, 1])
        expect(counts[Self.composed], equals: 4)
        expect(counts[Self.decomposed, default: 0], equals: 2)
        expect(counts.keys.map { $0.utf8.count }, equals: [6, 5, 1])
    }

    @Test("keys of a document differ by their bytes") func keysAreKeptApart() {
        let document = YAMLParser.parse(
            SourceFile(path: "x.yaml", text: "\(Self.composed): 1\n\(Self.decomposed): 2\n"))
        #expect(document.diagnostics.isEmpty)
        guard case .mapping(let entries)? = document.root?.content else {
            Issue.record("no mapping")
            return
        }
        expect(entries.map { $0.key.utf8.count }, equals: [5, 6])
    }

    @Test("R7.2 filters look at the attribute of their key's bytes") func attributesAreKeptApart() throws {
        let record = #""time":"\#(Self.noon)","device-id":"\#(SampleDevice.bob)""#
        let line = #"{\#(record),"\#(Self.composed)":"x","\#(Self.decomposed)":"y"}"# + "\n"
        let read = try ReadCapture(line, attributes: [Self.composed, Self.decomposed])
        expect(read.lines, equals: ["1: \(Self.noon) \(SampleDevice.bob) \(Self.composed)=x \(Self.decomposed)=y"])
    }
}
