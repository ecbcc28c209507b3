package import PolicyEngine

/// The records of a block.
package struct ParsedBlock<Matches: Sendable>: Sendable {
    /// The sound ones.
    package private(set) var records: [ParsedRecord<Matches>] = []
    /// The others.
    package var malformed: [MalformedRecord] = []
    /// The sound ones whose lists of flags have names that nobody knew when they were read.
    package private(set) var newFlags: [NewFlags] = []
    /// What was hardly meant.
    var slips = CaptureSlips()
    /// Newlines, and the line that lacks its own.
    package var lineCount = 0

    package init() {}
    /// Whether the times of the records rise.
    private(set) var isInOrder = true

    /// A list of flags with names that nobody knew.
    package struct NewFlags: Sendable {
        /// The place of the record that has it.
        package var place: Int
        package let text: String
    }

    /// Forgets what it holds, and keeps the memory.
    mutating func clear() {
        records.removeAll(keepingCapacity: true)
        malformed.removeAll(keepingCapacity: true)
        newFlags.removeAll(keepingCapacity: true)
        slips.clear()
        isInOrder = true
    }

    mutating func add(_ head: RecordHead, flags: FlagSet, matches: Matches) {
        if let latest = records.last?.head.time, head.time < latest { isInOrder = false }
        records.append(ParsedRecord(head: head, flags: flags, matches: matches))
    }

    mutating func add(_ head: RecordHead, newFlags text: String, matches: Matches) {
        newFlags.append(NewFlags(place: records.count, text: text))
        add(head, flags: .empty, matches: matches)
    }

    /// Sets the flags of a record, once their names are known.
    package mutating func setFlags(_ flags: FlagSet, ofRecordAt place: Int) { records[place].flags = flags }

    /// Makes sound records malformed.
    ///
    /// - Parameter problems: What is wrong with each, by its place.
    package mutating func refuse(_ problems: [Int: String]) {
        for (place, message) in problems {
            let head = records[place].head
            malformed.append(
                MalformedRecord(problem: RecordProblem(line: head.line, message: message), range: head.range))
        }
        malformed.sort { $0.problem.line < $1.problem.line }
        let places = records.indices.filter { problems[$0] == nil }
        let newPlaces = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1, $0) })
        newFlags = newFlags.compactMap { new in
            newPlaces[new.place].map { NewFlags(place: $0, text: new.text) }
        }
        records = places.map { records[$0] }
    }
}
