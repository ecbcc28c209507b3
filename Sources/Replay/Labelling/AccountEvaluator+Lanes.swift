internal import Figures
internal import PolicyEngine

extension AccountEvaluator {
    var laneCount: Int { 1 }

    func outcome(of decision: Decision) -> UInt64 {
        let doubtful = doubtfulDecision ?? decision
        return (decision.passed ? 0 : 1) | (doubtful.passed ? 0 : 2)
    }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        row.set(0, fails: outcome & 1 != 0, doubtful: outcome & 2 != 0)
    }

    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        let devices = unsearchedDevices(isDoubtful: isDoubtful)
        var row = BitRow(count: laneCount)
        row.fill(true)
        return { [row] device in devices.contains(device) ? row : nil }
    }
}

extension DoubtedFigures<Figures> {
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        value.labels = labels
        self.doubtful?.labels = doubtful
    }
}
