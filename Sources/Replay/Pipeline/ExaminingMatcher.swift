/// An examiner of values whose findings become those of records.
protocol RecordExaminer: ValueExaminer {
    /// The findings in a record.
    associatedtype Matches: RecordMatches

    /// Makes the findings of records.
    ///
    /// - Parameters:
    ///   - found: The findings in the values of each record.
    ///   - batch: The records.
    ///   - matches: Takes the findings in each record, in their order.
    mutating func match(_ found: [Found], in batch: borrowing RecordBatch, into matches: inout [Matches])

    /// The apps of these records, in their order.
    var apps: [AppNumbers] { get }
}

/// A matcher that looks at each value of a record once, for everything that its examiner asks.
struct ExaminingMatcher<Examiner: RecordExaminer>: RecordMatcher {
    private var finder: ValueFinder<Examiner>
    // Of the current records.
    private var found: [Examiner.Found] = []

    /// - Parameters:
    ///   - examiner: The examiner of values.
    ///   - fields: The keys that are needed, and the means to look at their values.
    init(_ examiner: Examiner, _ fields: CaptureFields) {
        finder = ValueFinder(examiner, instructions: fields.instructions, exchange: fields.exchange)
    }

    var examinedColumns: [Int] { finder.columns }
    var apps: [AppNumbers] { finder.examiner.apps }

    mutating func match(_ batch: borrowing RecordBatch, into matches: inout [Examiner.Matches]) {
        finder.find(batch.rows, groups: batch.groups, into: &found)
        matches.removeAll(keepingCapacity: true)
        finder.examiner.match(found, in: batch, into: &matches)
    }
}

/// A work whose matcher has an examiner, so that another work can have it look for more.
protocol ExaminingWork: ReplayWork where Matcher == ExaminingMatcher<Examiner> {
    associatedtype Examiner: RecordExaminer

    /// Makes an examiner of values.
    ///
    /// - Parameter fields: Takes the keys that are needed.
    func makeExaminer(_ fields: inout CaptureFields) -> Examiner
}

extension ExaminingWork {
    func makeMatcher(_ fields: inout CaptureFields) -> ExaminingMatcher<Examiner> {
        let examiner = makeExaminer(&fields)
        return ExaminingMatcher(examiner, fields)
    }
}
