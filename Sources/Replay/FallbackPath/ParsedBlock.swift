internal import PolicyEngine

/// The records of a block.
struct ParsedBlock<Matches: Sendable>: Sendable {
    /// The valid ones.
    private(set) var records = ParsedRecords<Matches>()
    /// The others.
    var malformed: [MalformedRecord] = []
    /// The valid ones whose lists of flags have names that nobody knew when they were read.
    private(set) var newFlags: [NewFlags] = []
    /// Searches in the valid ones that are deferred.
    var deferred: [DeferredSearch] = []
    /// The apps in them, in their order, before it is decided which are kept; some may be there twice.
    var apps: [AppNumbers] = []
    /// The values of the records by numbers, the malformed ones among them; `nil` if nobody asked for that.
    var numbered: NumberedRows?
    /// The probable mistakes in the records.
    var mistakes = CaptureMistakes()
    /// The devices of the valid records by their keys; `nil` where they have none.
    var devices: DeviceKeys?
    /// Newlines, and the line that lacks its own.
    var lineCount = 0

    init() {}
    /// True if the records are in the order of time.
    private(set) var isInOrder = true

    /// A list of flags with names that nobody knew.
    struct NewFlags: Sendable {
        /// The index of the record that has it.
        var index: Int
        let text: String
    }

    /// Forgets what it holds, and keeps the memory.
    mutating func clear() {
        records.removeAll()
        malformed.removeAll(keepingCapacity: true)
        newFlags.removeAll(keepingCapacity: true)
        deferred.removeAll(keepingCapacity: true)
        apps.removeAll(keepingCapacity: true)
        numbered = nil
        mistakes.clear()
        devices = nil
        isInOrder = true
    }

    /// Takes the valid records; the caller gets memory to use again.
    mutating func take(_ heads: inout [RecordHead], _ flags: inout [FlagSet], _ matches: inout [Matches]) {
        records.exchange(&heads, &flags, &matches)
        isInOrder = records.areInOrder
    }

    /// Notes that the list of a record has names that nobody knew.
    mutating func note(newFlags text: String, ofRecordAt index: Int) {
        newFlags.append(NewFlags(index: index, text: text))
    }

    /// Sets the flags of a record, once their names are known.
    mutating func setFlags(_ flags: FlagSet, ofRecordAt index: Int) { records.set(flags, at: index) }

    /// Takes what was found since in a value of a record.
    mutating func setMatches(_ matches: AttributeMatches, of account: Int, ofRecordAt index: Int)
    where Matches: RecordMatches {
        var all = records[index].matches
        all[account] = matches
        records.set(all, at: index)
    }

    /// Takes which apps are kept.
    mutating func setApps(_ admit: (AppNumbers) -> AppNumbers) where Matches: RecordMatches {
        for index in records.indices {
            var all = records[index].matches
            all.app = admit(all.app)
            records.set(all, at: index)
        }
    }

    /// Makes valid records malformed.
    ///
    /// - Parameter problems: The problem of each, by its index.
    mutating func refuse(_ problems: [Int: String]) {
        for (index, message) in problems {
            let head = records.head(index)
            malformed.append(
                MalformedRecord(problem: RecordProblem(line: head.line, message: message), range: head.range))
        }
        malformed.sort { $0.problem.line < $1.problem.line }
        let indices = records.indices.filter { problems[$0] == nil }
        let newIndices = Dictionary(uniqueKeysWithValues: indices.enumerated().map { ($1, $0) })
        newFlags = newFlags.compactMap { new in
            newIndices[new.index].map { NewFlags(index: $0, text: new.text) }
        }
        deferred = deferred.compactMap { search in
            newIndices[search.record].map { index in
                var moved = search
                moved.record = index
                return moved
            }
        }
        records = records.selecting(indices)
        if let keys = devices?.keys { devices?.keys = indices.map { keys[$0] } }
    }
}

/// A record that makes no sense.
struct MalformedRecord: Sendable {
    /// Why; its line is counted from the start of the block.
    let problem: RecordProblem
    /// The range of the record in the block.
    let range: Range<Int>
}

/// An error in one record of a capture.
struct RecordProblem: Hashable, Sendable {
    /// The line, counted from 1.
    let line: Int
    /// The error message, for people.
    let message: String
    /// Advice on what to do about it, where there is some.
    let hint: String?

    init(line: Int, message: String, hint: String? = nil) {
        self.line = line
        self.message = message
        self.hint = hint
    }

    /// The same error, a number of lines further down.
    func moved(by lines: Int) -> RecordProblem {
        RecordProblem(line: line + lines, message: message, hint: hint)
    }
}
