internal import PolicyEngine

/// The records of a block.
struct ParsedBlock<Findings: Sendable>: Sendable {
    /// The sound ones.
    var records: [ParsedRecord<Findings>] = []
    /// The others.
    var malformed: [MalformedRecord] = []
    /// The sound ones whose lists of flags have names that nobody knew when they were read, by their place.
    private(set) var newFlags: [NewFlags] = []
    /// Newlines, and the line that lacks its own.
    var lineCount = 0
    /// Whether the times of the records rise.
    private(set) var isInOrder = true

    /// A list of flags with names that nobody knew.
    struct NewFlags: Sendable {
        /// The place of the record that has it.
        let place: Int
        let text: String
    }

    /// Forgets what it holds, and keeps the memory.
    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        malformed.removeAll(keepingCapacity: true)
        newFlags.removeAll(keepingCapacity: true)
        isInOrder = true
    }

    mutating func add(_ record: borrowing CaptureRecord, findings: Findings, range: Range<Int>) {
        let time = record.attestation.time
        if let latest = records.last?.time, time < latest { isInOrder = false }
        if let text = record.newFlags { newFlags.append(NewFlags(place: records.count, text: text)) }
        records.append(
            ParsedRecord(
                id: record.id, time: time, flags: record.attestation.flags, findings: findings,
                capturedVerdict: record.capturedVerdict, line: record.line, range: range))
    }

    mutating func add(_ record: MalformedRecord) { malformed.append(record) }

    /// Makes sound records malformed.
    ///
    /// - Parameter problems: What is wrong with each, by its place.
    mutating func refuse(_ problems: [Int: String]) {
        for (place, message) in problems {
            let problem = RecordProblem(line: Int(records[place].line), message: message)
            malformed.append(MalformedRecord(problem: problem, range: records[place].range))
        }
        malformed.sort { $0.problem.line < $1.problem.line }
        records = records.enumerated().filter { problems[$0.offset] == nil }.map(\.element)
    }
}
