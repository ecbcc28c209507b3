internal import Columns
internal import PolicyEngine

/// Examines the dictionaries of batches, each as a whole and once, before any record of the batch is looked at.
struct DictionaryExaminer {
    /// The findings in the dictionaries of the latest batch.
    private(set) var latest = ExaminedDictionaries()
    private let needs: RecordNeeds
    private let attributes: [ExaminedField]
    private let keyed: [ExaminedField]
    // By field, the columns of the capture.
    private let sources: [[Int]]
    private let jobs: Int
    private let deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - needs: What is looked for in records.
    ///   - fields: The keys of it.
    ///   - layout: The columns of the capture.
    ///   - jobs: The number of workers.
    ///   - deadline: When searches in values give up.
    init(
        _ needs: RecordNeeds, _ fields: CaptureFields, _ layout: ColumnLayout, jobs: Int,
        deadline: ContinuousClock.Instant?
    ) {
        (self.needs, self.jobs, self.deadline) = (needs, jobs, deadline)
        var others = CaptureFields()
        attributes = AttributeExaminer(needs, &others).fields
        keyed = needs.profile.map { KeyedValues($0, &others).fields } ?? []
        sources = layout.sources(of: fields)
        latest.attributes = attributes.map { _ in nil }
        latest.keyed = keyed.map { _ in nil }
    }

    /// Examines what is new in the dictionaries of a batch.
    mutating func examine(_ batch: borrowing ColumnBatch) {
        let (needs, deadline) = (needs, deadline)
        for (number, field) in attributes.enumerated() {
            examine(field.column, of: batch, sought: field.effort.exactValues, into: &latest.attributes[number]) {
                var fields = CaptureFields(deadline: deadline)
                var examiner = AttributeExaminer(needs, &fields)
                return { examiner.examine($0, of: number) }
            }
        }
        guard let profile = needs.profile else { return examineHeads(batch) }
        for (number, field) in keyed.enumerated() {
            examine(field.column, of: batch, into: &latest.keyed[number]) {
                var fields = CaptureFields()
                var values = KeyedValues(profile, &fields)
                return { values.examine($0, of: number) }
            }
        }
        examineHeads(batch)
    }

    private mutating func examineHeads(_ batch: borrowing ColumnBatch) {
        examine(RecordField.device, of: batch, into: &latest.systems) {
            { HeadFinding(system: OperatingSystem(deviceAttribute: $0)) }
        }
        examine(RecordField.rejections, of: batch, into: &latest.rejections) { { HeadFinding(rejections: $0) } }
    }

    private func examine<Found: Finding>(
        _ column: Int, of batch: borrowing ColumnBatch, sought: [[UInt8]]? = nil,
        into known: inout DictionaryFindings<Found>?,
        by makeExaminer: @escaping @Sendable () -> DictionaryFindings<Found>.Examine
    ) {
        guard sources[column].count == 1, let dictionary = batch.dictionary(ofColumn: sources[column][0]) else {
            known = nil
            return
        }
        if known == nil {
            known = DictionaryFindings(dictionary, sought: sought, jobs: jobs, by: makeExaminer)
        } else {
            known?.take(dictionary, jobs: jobs, by: makeExaminer)
        }
    }
}
