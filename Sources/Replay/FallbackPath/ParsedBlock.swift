internal import PolicyEngine

/// The records of a block.
struct ParsedBlock<Matches: Sendable>: Sendable {
    /// The valid ones.
    private(set) var records: [ParsedRecord<Matches>] = []
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
        records.removeAll(keepingCapacity: true)
        malformed.removeAll(keepingCapacity: true)
        newFlags.removeAll(keepingCapacity: true)
        deferred.removeAll(keepingCapacity: true)
        apps.removeAll(keepingCapacity: true)
        numbered = nil
        mistakes.clear()
        devices = nil
        isInOrder = true
    }

    mutating func add(_ head: RecordHead, flags: FlagSet, matches: Matches) {
        if let latest = records.last?.head.time, head.time < latest { isInOrder = false }
        records.append(ParsedRecord(head: head, flags: flags, matches: matches))
    }

    mutating func add(_ head: RecordHead, newFlags text: String, matches: Matches) {
        newFlags.append(NewFlags(index: records.count, text: text))
        add(head, flags: .empty, matches: matches)
    }

    /// Sets the flags of a record, once their names are known.
    mutating func setFlags(_ flags: FlagSet, ofRecordAt index: Int) { records[index].flags = flags }

    /// Takes what was found since in a value of a record.
    mutating func setMatches(_ matches: AttributeMatches, of account: Int, ofRecordAt index: Int)
    where Matches: RecordMatches { records[index].matches[account] = matches }

    /// Takes which apps are kept.
    mutating func setApps(_ admit: (AppNumbers) -> AppNumbers) where Matches: RecordMatches {
        for index in records.indices { records[index].matches.app = admit(records[index].matches.app) }
    }

    /// Makes valid records malformed.
    ///
    /// - Parameter problems: The problem of each, by its index.
    mutating func refuse(_ problems: [Int: String]) {
        for (index, message) in problems {
            let head = records[index].head
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
        records = indices.map { records[$0] }
        if let keys = devices?.keys { devices?.keys = indices.map { keys[$0] } }
    }
}

/// A record of a capture on its way to the device that it is about.
struct ParsedRecord<Matches: Sendable>: Sendable {
    let head: RecordHead
    var flags: FlagSet
    /// The findings in its attributes.
    var matches: Matches
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
