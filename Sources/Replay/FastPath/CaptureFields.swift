internal import PolicyEngine

/// The keys of records that somebody needs, and the columns that their values go to.
struct CaptureFields: Sendable {
    /// The keys; several may go to one column.
    private(set) var keys: [(name: String, column: Int)]
    /// The number of columns.
    private(set) var count: Int
    /// The instructions that their values are hashed and compared with.
    let instructions: VectorInstructions
    /// When searches in their values give up; `nil` for never.
    let deadline: ContinuousClock.Instant?
    /// The names of the keys in the capture.
    var names = RecordNames()
    /// True if keys that nobody asked for are listed (``RecordFields/unneededKeys``).
    var listsOthers = false
    private var columns: [ExactText: Int]
    /// The columns whose values somebody reads as text, beside the parser.
    private(set) var asked: Set<Int> = []

    /// Of what every record says of itself (``RecordField``).
    ///
    /// - Parameters:
    ///   - instructions: The instructions that values are hashed and compared with; the processor may have less.
    ///   - deadline: When searches in their values give up.
    init(
        instructions: VectorInstructions = .avx512, deadline: ContinuousClock.Instant? = nil
    ) {
        (self.instructions, self.deadline) = (instructions, deadline)
        keys = RecordField.names.map { ($0.name, $0.field) }
        columns = Dictionary(uniqueKeysWithValues: keys.map { (ExactText($0.name), $0.column) })
        count = RecordField.count
    }

    /// The column of a key, which gets one when it is asked for the first time.
    mutating func column(of name: String) -> Int {
        let column = columns[ExactText(name)] ?? count
        asked.insert(column)
        guard column == count else { return column }
        keys.append((name, count))
        columns[ExactText(name)] = count
        count += 1
        return column
    }
}
