internal import Figures
internal import PolicyEngine

/// Another work that counts its verdicts by the labels of devices besides.
///
/// It wraps the other, so that a replay without labels has none of it.
struct LabellingWork<Base: ExaminingWork>: WrappingWork, ExaminingWork where Base.Evaluator: LanedEvaluator {
    let base: Base
    private let labels: Labels

    init(_ base: Base, _ labels: Labels) { (self.base, self.labels) = (base, labels) }

    func makeExaminer(_ fields: inout CaptureFields) -> LabellingExaminer<Base.Examiner> {
        let examiner = base.makeExaminer(&fields)
        return LabellingExaminer(examiner, labels, columns: labels.keys.map { fields.column(of: $0) })
    }

    func makeEvaluator(_ symbols: inout SymbolTable) -> LabellingEvaluator<Base.Evaluator> {
        LabellingEvaluator(base.makeEvaluator(&symbols), labels)
    }
}

/// Another examiner, in whose records the labels of values are looked up.
struct LabellingExaminer<Base: RecordExaminer>: WrappingExaminer {
    var base: Base
    private let labels: Labels
    private let columns: [Int]
    // Of the current records.
    private var matched: [Base.Matches] = []

    init(_ base: Base, _ labels: Labels, columns: [Int]) {
        (self.base, self.labels, self.columns) = (base, labels, columns)
    }

    var fields: [ExaminedField] { base.fields }

    mutating func examine(_ value: Span<UInt8>, of field: Int) -> Base.Found { base.examine(value, of: field) }

    mutating func match(
        _ found: [Base.Found], in batch: borrowing RecordBatch, into matches: inout [LabelledMatches<Base.Matches>]
    ) {
        matched.removeAll(keepingCapacity: true)
        base.match(found, in: batch, into: &matched)
        for (row, base) in matched.enumerated() {
            var groups: [UInt32] = []
            for (key, column) in columns.enumerated() {
                let group = batch.rows.withValue(row, column) { labels.group(of: $0, range: $1, key: key) }
                if let group, group > 0 { groups.append(group) }
            }
            matches.append(LabelledMatches(base: base, groups: groups))
        }
    }
}

/// The findings of the other examiner in a record, and the labels of its values by their numbers.
struct LabelledMatches<Base: RecordMatches>: WrappingMatches {
    var base: Base
    let groups: [UInt32]
}

/// Another evaluator, whose verdicts are counted by the labels of devices.
struct LabellingEvaluator<Base: LanedEvaluator>: WrappingEvaluator {
    var base: Base
    private let labels: Labels
    private var notes: LabelNotes
    private var days: DeviceDays
    // By number of the device: that of the labels of its ID.
    private var groups: [UInt32] = []

    init(_ base: Base, _ labels: Labels) {
        (self.base, self.labels) = (base, labels)
        (notes, days) = (LabelNotes(labels), DeviceDays(lanes: base.laneCount))
    }

    mutating func finish(upTo index: Int) { base.finish(upTo: index) }

    mutating func evaluate(
        _ attestation: borrowing Attestation, of record: borrowing ParsedRecord<LabelledMatches<Base.Matches>>,
        index: Int, symbols: borrowing SymbolTable
    ) -> Decision {
        let matches = record.matches
        let decision = evaluateBase(attestation, of: record, index: index, symbols: symbols)
        let (device, time) = (attestation.device.offset, attestation.time)
        while groups.count <= device {
            groups.append(labels.group(of: symbols.devices[DeviceIndex(offset: groups.count)]))
        }
        notes.note(groups[device], of: device, at: time)
        for group in matches.groups { notes.note(group, of: device, at: time) }
        let isExempt = decision.passed && base.engine.isExempt(decision)
        let outcome = base.outcome(of: decision)
        days.count(outcome << 1 | (isExempt ? 1 : 0), of: device, at: time) { row in
            base.write(outcome, to: &row)
            row.isExempt = isExempt
        }
        return decision
    }

    func result(symbols: SymbolTable, fetches: FetchCounter?) -> Base.Result {
        var result = base.result(symbols: symbols, fetches: fetches)
        func figures(isDoubtful: Bool) -> LabelFigures {
            var figures = notes.figures { symbols.devices[DeviceIndex(offset: $0)] }
            days.count(
                in: &figures, isDoubtful: isDoubtful, labels: notes,
                unsearched: base.unsearchedLanes(isDoubtful: isDoubtful))
            return figures
        }
        result.take(figures(isDoubtful: false), doubtful: base.isInDoubt ? figures(isDoubtful: true) : nil)
        return result
    }
}

extension LabellingEvaluator: ProfiledEvaluator where Base: ProfiledEvaluator {
    static var sharesFlagNumbers: Bool { Base.sharesFlagNumbers }
    var outcomes: DoubtedOutcomes? { base.outcomes }
}

extension Engine {
    // True if a decision was made by another policy than the account's own: that of an entry, or the filtered one.
    fileprivate func isExempt(_ decision: Decision) -> Bool {
        policy(of: decision) != policies(ofRevision: decision.revision)[0]
    }
}
