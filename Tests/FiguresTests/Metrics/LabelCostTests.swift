import Testing

@testable import Figures
@testable import TestSupport

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
        #expect(cost.cost(of: lane) == 101)
        #expect(cost.saving(of: lane) == 118 - 101)
    }

    @Test("the counts of a label are those of its member", arguments: DeviceLabel.allCases) func label(
        _ label: DeviceLabel
    ) {
        var (lane, exempted) = (LabelLane(), LabelFigures.Exempted())
        lane[label].devices = 5
        lane[label].rejected = 3
        exempted[label] = 7
        #expect([lane.bad, lane.good, lane.unknown].map(\.passed) == DeviceLabel.allCases.map { $0 == label ? 2 : 0 })
        #expect(
            [exempted.bad, exempted.good, exempted.unknown] == DeviceLabel.allCases.map { $0 == label ? 7 : 0 })
        lane[label].unevaluated = 1
        #expect(lane.isExact == (label == .unknown))
        #expect(lane.blockedAtMost == (label == .good ? 4 : 0))
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
        #expect(LabelFigures.frontier(of: lanes) == Set(efficient.map(\.number)))
    }
}
