/// The costs of wrong verdicts on a device on a day, in any unit.
package struct LabelCost: Hashable, Sendable {
    /// Of a bad device that is not rejected.
    package var missed = 0
    /// Of a good device that is rejected.
    package var blocked = 0
    /// Of a device without a label that is rejected.
    package var rejectedUnknown = 0

    /// The greatest cost of one day; sums over a capture must fit.
    package static let limit = 1_000_000

    package init() {}

    /// The cost of an account on the days of a capture.
    package func cost(of lane: LabelLane) -> Int { cost(of: lane, \.rejectedDays) }

    /// The cost that an account saves compared with the account as it is, on the same devices; less than 0 if it costs more.
    package func saving(of lane: LabelLane) -> Int { cost(of: lane, \.rejectedDaysBefore) - cost(of: lane) }

    private func cost(of lane: LabelLane, _ rejected: KeyPath<LabelCounts, Int>) -> Int {
        missed * (lane.bad.days - lane.bad[keyPath: rejected]) + blocked * lane.good[keyPath: rejected]
            + rejectedUnknown * lane.unknown[keyPath: rejected]
    }
}

extension LabelFigures {
    /// The numbers of the lanes on the efficient frontier: no other catches at least as many bad devices while blocking at most
    /// as many good ones and rejecting at most as many unknown ones, and does better in one of the three.
    ///
    /// A device that is not evaluated counts as missed, as blocked, or as rejected. The account as it is (lane 0) takes part, so
    /// that an edit is not efficient if doing nothing is better.
    ///
    /// - Complexity: O(*n*²) in the number of lanes.
    package static func frontier(of lanes: [LabelLane]) -> Set<Int> {
        Set(lanes.filter { lane in !lanes.contains { $0.isBetter(than: lane) } }.map(\.number))
    }
}

extension LabelLane {
    // True if it is at least as good in all figures, and better in one.
    fileprivate func isBetter(than other: LabelLane) -> Bool {
        let pairs = [
            (bad.rejected, other.bad.rejected), (other.blockedAtMost, blockedAtMost),
            (other.unknown.rejectedAtMost, unknown.rejectedAtMost),
        ]
        return pairs.allSatisfy { $0 >= $1 } && pairs.contains { $0 > $1 }
    }
}
