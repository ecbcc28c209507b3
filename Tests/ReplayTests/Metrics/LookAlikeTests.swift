import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

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
                #expect(figures.metrics["pass-\(name)"] == passed)
                #expect(figures.metrics["fail-\(name)"] == failed)
            }
            for kind in WindowKind.allCases {
                let counts = figures.windows[kind]?.first?.counts ?? [:]
                #expect(counts["pass-app-and-\(app)"] == passed)
                #expect(counts["fail-app-and-\(app)"] == failed)
            }
        }
    }

    @Test("merging keeps them apart") func mergingKeepsApart() {
        var counts: NamedCounts = [Self.composed: 1, "z": 1]
        counts.add([Self.decomposed: 2, Self.composed: 3])
        #expect(counts.map(\.value) == [2, 4, 1])
        #expect(counts[Self.composed] == 4)
        #expect(counts[Self.decomposed, default: 0] == 2)
        #expect(counts.keys.map { $0.utf8.count } == [6, 5, 1])
    }

    @Test("keys of a document differ by their bytes") func keysAreKeptApart() {
        let document = YAMLParser.parse(
            SourceFile(path: "x.yaml", text: "\(Self.composed): 1\n\(Self.decomposed): 2\n"))
        #expect(document.diagnostics.isEmpty)
        guard case .mapping(let entries)? = document.root?.content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map { $0.key.utf8.count } == [5, 6])
    }

    @Test("R7.2 filters look at the attribute of their key's bytes") func attributesAreKeptApart() throws {
        let record = #""time":"\#(Self.noon)","device-id":"\#(SampleDevice.bob)""#
        let line = #"{\#(record),"\#(Self.composed)":"x","\#(Self.decomposed)":"y"}"# + "\n"
        let read = try ReadCapture(line, attributes: [Self.composed, Self.decomposed])
        #expect(read.lines == ["1: \(Self.noon) \(SampleDevice.bob) \(Self.composed)=x \(Self.decomposed)=y"])
    }
}
