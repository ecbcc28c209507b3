import Testing

@testable import Figures
@testable import Replay
@testable import Reports
@testable import TestSupport

/// The JSON of a comparison has its figures.
@Suite struct JSONComparisonTests {
    @Test(arguments: Exhaustive.seeds(1...80, each: 16)) func hasTheFigures(seed: UInt64) throws {
        var before = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        var after = RandomAccount(seed: ~seed, flags: [.init(name: "extra-two", isRisk: false)])
        var capture = RandomCapture(seed: seed << 16, flags: ["extra-one", "extra-two", "zz-unknown"])
        let summary = try ComparisonBench.compare(
            capture.records(40).map(\.line).joined(), before: before.text(), after: after.text())
        let comparison = try #require(summary.comparison)
        #expect(try JSONComparisonLines.read(JSONComparison.bytes(of: comparison)) == comparison.changes.lines)
    }
}
