package import PolicyEngine

/// The records of a block.
package struct ParsedBlock<Matches: Sendable>: Sendable {
    /// The valid ones.
    package private(set) var records: [ParsedRecord<Matches>] = []
    /// The others.
    package var malformed: [MalformedRecord] = []
    /// The valid ones whose lists of flags have names that nobody knew when they were read.
    package private(set) var newFlags: [NewFlags] = []
    /// Searches in the valid ones that are deferred.
    package var deferred: [DeferredSearch] = []
    /// The apps in them, in their order, before it is decided which are kept; some may be there twice.
    package var apps: [AppNumbers] = []
    /// The probable mistakes in the records.
    var mistakes = CaptureMistakes()
    /// Newlines, and the line that lacks its own.
    package var lineCount = 0

    package init() {}
    /// True if the records are in the order of time.
    private(set) var isInOrder = true

    /// A list of flags with names that nobody knew.
    package struct NewFlags: Sendable {
        /// The index of the record that has it.
        package var index: Int
        package let text: String
    }

    /// Forgets what it holds, and keeps the memory.
    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        malformed.removeAll(keepingCapacity: true)
        newFlags.removeAll(keepingCapacity: true)
        deferred.removeAll(keepingCapacity: true)
        apps.removeAll(keepingCapacity: true)
        mistakes.clear()
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
    package mutating func setFlags(_ flags: FlagSet, ofRecordAt index: Int) { records[index].flags = flags }

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
    package mutating func refuse(_ problems: [Int: String]) {
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
    }
}

/// A record of a capture on its way to the device that it is about.
package struct ParsedRecord<Matches: Sendable>: Sendable {
    package let head: RecordHead
    package var flags: FlagSet
    /// The findings in its attributes.
    package var matches: Matches
}

/// A record that makes no sense.
package struct MalformedRecord: Sendable {
    /// Why; its line is counted from the start of the block.
    package let problem: RecordProblem
    /// The range of the record in the block.
    let range: Range<Int>
}

/// An error in one record of a capture.
package struct RecordProblem: Hashable, Sendable {
    /// The line, counted from 1.
    package let line: Int
    /// The error message, for people.
    package let message: String
    /// Advice on what to do about it, where there is some.
    package let hint: String?

    init(line: Int, message: String, hint: String? = nil) {
        self.line = line
        self.message = message
        self.hint = hint
    }

    /// The same error, a number of lines further down.
    package func moved(by lines: Int) -> RecordProblem {
        RecordProblem(line: line + lines, message: message, hint: hint)
    }
}
