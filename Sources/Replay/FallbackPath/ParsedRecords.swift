internal import PolicyEngine

/// Records in their order, by columns: so each part of them is handed on as it was made.
struct ParsedRecords<Matches: Sendable>: RandomAccessCollection, Sendable {
    private var heads: [RecordHead] = []
    private var flags: [FlagSet] = []
    private var matches: [Matches] = []

    var startIndex: Int { 0 }
    var endIndex: Int { heads.count }

    /// A record.
    @inline(__always)
    subscript(index: Int) -> ParsedRecord<Matches> {
        ParsedRecord(head: heads[index], flags: flags[index], matches: matches[index])
    }

    /// The head of a record.
    @inline(__always)
    func head(_ index: Int) -> RecordHead { heads[index] }

    /// Takes records in place of its own, which the caller gets: their memory is used again.
    mutating func exchange(_ heads: inout [RecordHead], _ flags: inout [FlagSet], _ matches: inout [Matches]) {
        precondition(heads.count == flags.count && heads.count == matches.count, "each record has all parts")
        swap(&heads, &self.heads)
        swap(&flags, &self.flags)
        swap(&matches, &self.matches)
    }

    /// Forgets the records, and keeps the memory.
    mutating func removeAll() {
        heads.removeAll(keepingCapacity: true)
        flags.removeAll(keepingCapacity: true)
        matches.removeAll(keepingCapacity: true)
    }

    /// Takes further records.
    mutating func append(_ others: Self) {
        heads += others.heads
        flags += others.flags
        matches += others.matches
    }

    /// Some of the records, by their indices.
    func selecting(_ indices: [Int]) -> Self {
        var selected = Self()
        selected.heads = indices.map { heads[$0] }
        selected.flags = indices.map { flags[$0] }
        selected.matches = indices.map { matches[$0] }
        return selected
    }

    /// Sets the flags of a record.
    mutating func set(_ flags: FlagSet, at index: Int) { self.flags[index] = flags }

    /// Sets the findings in a record.
    mutating func set(_ matches: Matches, at index: Int) { self.matches[index] = matches }

    /// True if the records are in the order of time.
    var areInOrder: Bool {
        var latest: Instant?
        for head in heads {
            if let latest, head.time < latest { return false }
            latest = head.time
        }
        return true
    }
}

/// A record of a capture on its way to the device that it is about.
struct ParsedRecord<Matches: Sendable>: Sendable {
    let head: RecordHead
    let flags: FlagSet
    /// The findings in its attributes.
    let matches: Matches
}
