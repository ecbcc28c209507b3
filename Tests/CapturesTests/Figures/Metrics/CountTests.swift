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
        expect(counts.keys, equals: ["a", "b", "e\u{301}", "\u{E9}"])
        expect(counts.map(\.value), equals: [11, 3, 3, 4])
        #expect(counts["c"] == nil && counts["c", default: 7] == 7)
        expect(counts.filter { $0.value == 3 }.keys, equals: ["b", "e\u{301}"])
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
        expect(minutes.map(\.start.secondsSinceEpoch), equals: [60, 300])
        expect(minutes[0].metrics, equals: ["pass": 4, "fail": 0])
        expect(minutes[1].metrics, equals: ["pass": 0, "fail": 0, "billing": 1, "fail-flag-rooted": 10])
    }

    static let levels: [Case<String, String?>] = [
        Case("95", gives: "95 %"), Case("99.9", gives: "99.9 %"), Case("50", gives: "50 %"),
        Case("90.05", gives: "90.05 %"), Case("49.999999999", gives: nil), Case("100", gives: nil),
    ]

    @Test("a level is from half of the samples to less than all", arguments: levels) func level(
        _ row: Case<String, String?>
    ) throws {
        let level = ConfidenceLevel(try #require(Percentage(row.input)))
        expect(level?.text, equals: row.expected)
        expect(level?.name, equals: row.expected?.replacing(" ", with: ""))
    }

    @Test("ten devices fetch most, and equal ones go by their ID") func most() {
        func device(_ number: Int, _ fetches: Int) -> FetchFigures.Device {
            .init { ($0.id, $0.fetches) = (DeviceID(first: UInt64(number) << 56, second: 0), fetches) }
        }
        let first = FetchFigures.first(of: (0..<12).map { device($0, $0 % 3) })
        expect(first.map(\.fetches), equals: [2, 2, 2, 2, 1, 1, 1, 1, 0, 0])
        expect(first.prefix(4).map(\.id), equals: [2, 5, 8, 11].map { device($0, 0).id })
        expect(first.suffix(2).map(\.id), equals: [0, 3].map { device($0, 0).id })
    }

    @Test("a call ends by the name of the SDK, and reads it back") func results() {
        expect(CallResult.all.map(\.name).count, equals: Set(CallResult.all.map(\.name)).count)
        #expect(CallResult.fetches.count == 8 && CallResult.fetches.contains("UNPROTECTED_URL"))
        let network = ["SUCCESS", "NO_NETWORK", "POOR_NETWORK", "MITM_DETECTED", "NO_APPROOV_SERVICE"]
        expect(CallResult.secureStrings, equals: network + ["REJECTED", "DISABLED", "UNKNOWN_KEY", "BAD_KEY"])
        expect(CallResult.customTokens, equals: network + ["REJECTED", "DISABLED", "BAD_PAYLOAD"])
    }
}

/// Costs of verdicts on labelled devices, and the edits that no other one beats.
@Suite struct LabelCostTests {
    @Test("a cost weighs the days of missed, blocked and unknown devices") func cost() {
        var lane = LabelLane()
        (lane.bad.days, lane.bad.rejectedDays, lane.bad.rejectedDaysBefore) = (10, 4, 1)
        (lane.good.days, lane.good.rejectedDays, lane.good.rejectedDaysBefore) = (20, 3, 5)
        (lane.unknown.days, lane.unknown.rejectedDays, lane.unknown.rejectedDaysBefore) = (9, 2, 0)
        var cost = LabelCost()
        (cost.missed, cost.blocked, cost.rejectedUnknown) = (7, 11, 13)
        // 7 · (10 - 4) + 11 · 3 + 13 · 2, and before the change 7 · (10 - 1) + 11 · 5.
        expect(cost.cost(of: lane), equals: 101)
        expect(cost.saving(of: lane), equals: 118 - 101)
    }

    @Test("the counts of a label are those of its member", arguments: DeviceLabel.allCases) func label(
        _ label: DeviceLabel
    ) {
        var (lane, exempted) = (LabelLane(), LabelFigures.Exempted())
        lane[label].devices = 5
        lane[label].rejected = 3
        exempted[label] = 7
        expect(
            [lane.bad, lane.good, lane.unknown].map(\.passed), equals: DeviceLabel.allCases.map { $0 == label ? 2 : 0 })
        expect(
            [exempted.bad, exempted.good, exempted.unknown], equals: DeviceLabel.allCases.map { $0 == label ? 7 : 0 })
        lane[label].unevaluated = 1
        expect(lane.isExact, equals: (label == .unknown))
        expect(lane.blockedAtMost, equals: (label == .good ? 4 : 0))
    }

    @Test("an edit is efficient if none catches as many at fewer blocked, or more at as few", arguments: 0..<100)
    func frontier(seed: UInt64) {
        var chance = Chance(seed: seed)
        let lanes = (0...chance.below(12)).map { number in
            LabelLane {
                ($0.number, $0.bad.rejected, $0.good.rejected) = (number, chance.below(5), chance.below(4))
                $0.good.unevaluated = chance.below(2)
            }
        }
        let efficient = lanes.filter { lane in
            !lanes.contains { other in
                let (caught, blocked) = (other.bad.rejected, other.blockedAtMost)
                return caught >= lane.bad.rejected && blocked < lane.blockedAtMost
                    || caught > lane.bad.rejected && blocked <= lane.blockedAtMost
            }
        }
        expect(LabelFigures.frontier(of: lanes), equals: Set(efficient.map(\.number)))
    }
}
