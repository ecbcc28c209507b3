internal import PolicyEngine

/// The keys of records that somebody needs, and the columns that their values go to.
struct CaptureFields: Sendable {
    /// The keys; several may go to one column.
    private(set) var keys: [(name: String, column: Int)]
    /// The number of columns.
    private(set) var count: Int
    /// The instructions that their values are hashed and compared with.
    let instructions: VectorInstructions
    private var columns: [ExactText: Int]

    /// Of what every record says of itself (``RecordField``).
    ///
    /// - Parameter instructions: The instructions that values are hashed and compared with; the processor may have less.
    init(instructions: VectorInstructions = .avx512) {
        self.instructions = instructions
        keys = RecordField.names.map { ($0.name, $0.field) }
        columns = Dictionary(uniqueKeysWithValues: keys.map { (ExactText($0.name), $0.column) })
        count = RecordField.count
    }

    /// The column of a key, which gets one when it is asked for the first time.
    mutating func column(of name: String) -> Int {
        if let known = columns[ExactText(name)] { return known }
        keys.append((name, count))
        columns[ExactText(name)] = count
        count += 1
        return count - 1
    }
}
