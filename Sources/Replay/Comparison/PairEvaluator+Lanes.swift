internal import Figures
internal import PolicyEngine

extension PairEvaluator: LanedEvaluator {
    // The account before, and the one after.
    var laneCount: Int { 2 }

    func outcome(of decision: Decision) -> UInt64 { verdicts(decision) }

    func write(_ outcome: UInt64, to row: inout LaneRow) {
        for lane in 0..<laneCount {
            let bits = outcome >> UInt64(2 * lane)
            row.set(lane, fails: bits & 1 != 0, doubtful: bits & 2 != 0)
        }
    }

    func unsearchedLanes(isDoubtful: Bool) -> (_ device: Int) -> BitRow? {
        var row = BitRow(count: laneCount)
        row.fill(true)
        return { [row] device in isUnsearched(device, isDoubtful: isDoubtful) ? row : nil }
    }
}

extension PairResult: LabelledResult {
    mutating func take(_ labels: LabelFigures, doubtful: LabelFigures?) {
        counted.value.changes.labels = labels
        counted.doubtful?.changes.labels = doubtful
    }
}
