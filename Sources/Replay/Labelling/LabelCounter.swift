internal import Figures
internal import PolicyEngine

/// Counts the verdicts of a shard by the labels of devices.
struct LabelCounter {
    private let labels: Labels
    // By attribute of the labels, its index among those that are carried along.
    private let carriedIndices: [Int]
    private var notes: LabelNotes
    private var days: DeviceDays
    // By number of the device: that of the labels of its ID.
    private var groups: [UInt32] = []

    /// - Parameters:
    ///   - labels: The labels.
    ///   - lanes: The number of accounts.
    ///   - index: The index of an attribute among those that are carried along with records.
    init(_ labels: Labels, lanes: Int, index: (String) -> Int) {
        self.labels = labels
        carriedIndices = labels.keys.map(index)
        (notes, days) = (LabelNotes(labels), DeviceDays(lanes: lanes))
    }

    /// Counts the verdicts on a record.
    ///
    /// - Parameters:
    ///   - row: Its index in the batch that was evaluated last.
    ///   - decision: The decision on it.
    ///   - evaluator: The evaluator that made it.
    ///   - carried: The values of the record that are carried along.
    ///   - symbols: The numbering of devices.
    mutating func count(
        _ row: Int, _ decision: Decision, of evaluator: borrowing some LaneVerdicts, carried: CarriedValues?,
        symbols: borrowing SymbolTable
    ) {
        let (device, time) = (decision.device.offset, decision.time)
        while groups.count <= device {
            groups.append(labels.group(of: symbols.devices[DeviceIndex(offset: groups.count)]))
        }
        notes.note(groups[device], of: device, at: time)
        for (key, index) in carriedIndices.enumerated() {
            let group = carried?.withValue(of: index) { labels.group(of: $0, range: $1, key: key) }
            if let group { notes.note(group, of: device, at: time) }
        }
        let isExempt = if decision.passed { evaluator.engine.isExempt(decision) } else { false }
        let outcome = evaluator.outcome(row) << 1 | (isExempt ? 1 : 0)
        let number = if let known = days.number(of: outcome) { known } else { addRow(of: outcome, by: evaluator) }
        days.count(number, of: device, at: time)
    }

    private mutating func addRow(of outcome: UInt64, by evaluator: borrowing some LaneVerdicts) -> Int {
        var row = LaneRow(lanes: evaluator.laneCount)
        evaluator.write(outcome >> 1, to: &row)
        row.isExempt = outcome & 1 != 0
        return days.add(outcome, row)
    }

    /// The labels and the verdicts counted so far.
    ///
    /// - Parameters:
    ///   - isDoubtful: True if what depends on new devices is left out.
    ///   - evaluator: The evaluator that made the verdicts.
    ///   - symbols: The numbering of devices.
    func figures(
        isDoubtful: Bool, of evaluator: borrowing some LaneVerdicts, symbols: borrowing SymbolTable
    ) -> LabelFigures {
        var figures = notes.figures { symbols.devices[DeviceIndex(offset: $0)] }
        days.count(
            in: &figures, isDoubtful: isDoubtful, labels: notes,
            unsearched: evaluator.unsearchedLanes(isDoubtful: isDoubtful))
        return figures
    }
}

extension Engine {
    // True if a decision was made by another policy than the account's own: that of an entry, or the filtered one.
    fileprivate func isExempt(_ decision: Decision) -> Bool {
        policy(of: decision) != policies(ofRevision: decision.revision)[0]
    }
}
