import PolicyEngine
import Testing

@testable import Figures
@testable import TestSupport

/// Counts by name and by minute, and levels of confidence, worked out by hand.
@Suite struct CountTests {
    @Test("names that look alike are counted apart, and walked through in the order of their bytes") func names() {
        var counts: NamedCounts = ["b": 2, "e\u{301}": 3, "\u{E9}": 4]
        counts["a", default: 10] += 1
        counts["b", default: 10] += 1
        #expect(counts.keys == ["a", "b", "e\u{301}", "\u{E9}"])
        #expect(counts.map(\.value) == [11, 3, 3, 4])
        #expect(counts["c"] == nil && counts["c", default: 7] == 7)
        #expect(counts.filter { $0.value == 3 }.keys == ["b", "e\u{301}"])
        counts.add(["b": 1, "z": 5])
        #expect(counts["b"] == 4 && counts["z"] == 5)
    }

    @Test("minutes have what both streams counted, and always passes and failures") func series() {
        var (first, second) = (MetricSeries(), MetricSeries())
        let rooted = first.number(of: "fail-flag-rooted")
        first.add(2, of: rooted, inMinute: 5)
        first.add(1, of: first.number(of: "fail-flag-rooted"), inMinute: 5)
        first.add(["pass": 4], inMinuteOf: Instant(secondsSinceEpoch: 119))
        second.add(["billing": 1, "fail-flag-rooted": 7], inMinuteOf: Instant(secondsSinceEpoch: 300))
        first.add(second)
        let minutes = Array(first.inOrder)
        #expect(minutes.map(\.start.secondsSinceEpoch) == [60, 300])
        #expect(minutes[0].metrics == ["pass": 4, "fail": 0])
        #expect(minutes[1].metrics == ["pass": 0, "fail": 0, "billing": 1, "fail-flag-rooted": 10])
    }

    static let levels: [Case<String, String?>] = [
        Case("95", gives: "95 %"), Case("99.9", gives: "99.9 %"), Case("50", gives: "50 %"),
        Case("90.05", gives: "90.05 %"), Case("49.999999999", gives: nil), Case("100", gives: nil),
    ]

    @Test("a level is from half of the samples to less than all", arguments: levels) func level(
        _ row: Case<String, String?>
    ) throws {
        let level = ConfidenceLevel(try #require(Percentage(row.input)))
        #expect(level?.text == row.expected)
        #expect(level?.name == row.expected?.replacing(" ", with: ""))
    }

    @Test("ten devices fetch most, and equal ones go by their ID") func most() {
        func device(_ number: Int, _ fetches: Int) -> FetchFigures.Device {
            .init { ($0.id, $0.fetches) = (DeviceID(first: UInt64(number) << 56, second: 0), fetches) }
        }
        let first = FetchFigures.first(of: (0..<12).map { device($0, $0 % 3) })
        #expect(first.map(\.fetches) == [2, 2, 2, 2, 1, 1, 1, 1, 0, 0])
        #expect(first.prefix(4).map(\.id) == [2, 5, 8, 11].map { device($0, 0).id })
        #expect(first.suffix(2).map(\.id) == [0, 3].map { device($0, 0).id })
    }

    @Test("a call ends by the name of the SDK, and reads it back") func results() {
        #expect(CallResult.all.map(\.name).count == Set(CallResult.all.map(\.name)).count)
        #expect(CallResult.fetches.count == 8 && CallResult.fetches.contains("UNPROTECTED_URL"))
        let network = ["SUCCESS", "NO_NETWORK", "POOR_NETWORK", "MITM_DETECTED", "NO_APPROOV_SERVICE"]
        #expect(CallResult.secureStrings == network + ["REJECTED", "DISABLED", "UNKNOWN_KEY", "BAD_KEY"])
        #expect(CallResult.customTokens == network + ["REJECTED", "DISABLED", "BAD_PAYLOAD"])
    }
}
