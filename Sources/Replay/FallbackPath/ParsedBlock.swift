internal import Columns
internal import PolicyEngine

/// The records of a block.
struct ParsedBlock: Sendable {
    /// The valid ones.
    private(set) var records = ParsedRecords()
    /// The others.
    var malformed: [MalformedRecord] = []
    /// The valid ones whose lists of flags have names that nobody knew when they were read.
    private(set) var newFlags: [NewFlags] = []
    /// The apps in them, in their order, before it is decided which are kept; some may be there twice.
    var apps: [AppNumbers] = []
    /// The values of the records by numbers, the malformed ones among them; `nil` if nobody asked for that.
    var numbered: NumberedValues?
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
        apps.removeAll(keepingCapacity: true)
        numbered = nil
        mistakes.clear()
        devices = nil
        isInOrder = true
    }

    /// Takes the valid records; the caller gets memory to use again.
    mutating func take(_ heads: inout [RecordHead], _ flags: inout [FlagSet], _ found: inout FoundColumns) {
        numbered = found.numbered
        records.exchange(&heads, &flags, &found)
        isInOrder = records.areInOrder
    }

    /// Notes that the list of a record has names that nobody knew.
    mutating func note(newFlags text: String, ofRecordAt index: Int) {
        newFlags.append(NewFlags(index: index, text: text))
    }

    /// Sets the flags of a record, once their names are known.
    mutating func setFlags(_ flags: FlagSet, ofRecordAt index: Int) { records.set(flags, at: index) }

    /// Takes which apps are kept.
    mutating func setApps(_ admit: (AppNumbers) -> AppNumbers) {
        for index in records.indices { records.setApp(admit(records.findings(index).app), at: index) }
    }

    /// Makes valid records malformed.
    ///
    /// - Parameter problems: The problem of each one's list of flags, by its index.
    mutating func refuse(_ problems: [Int: FlagListError]) {
        for (index, error) in problems {
            let head = records.head(index)
            let problem = RecordProblem(line: head.line, message: error.description, hint: error.hint)
            malformed.append(MalformedRecord(problem: problem, range: head.range))
        }
        malformed.sort { $0.problem.line < $1.problem.line }
        keep(records.indices.filter { problems[$0] == nil })
    }

    /// Leaves out valid records, with the apps that no other has.
    ///
    /// - Parameter isTaken: Returns true for a record that is kept.
    mutating func keep(where isTaken: (RecordHead) -> Bool) {
        let indices = records.indices.filter { isTaken(records.head($0)) }
        guard indices.count < records.count else { return }
        keep(indices)
        apps = records.indices.map { records.findings($0).app }
        isInOrder = records.areInOrder
    }

    private mutating func keep(_ indices: [Int]) {
        let newIndices = Dictionary(uniqueKeysWithValues: indices.enumerated().map { ($1, $0) })
        newFlags = newFlags.compactMap { new in
            newIndices[new.index].map { NewFlags(index: $0, text: new.text) }
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

/// Records in their order, by columns: so each part of them is handed on as it was made.
struct ParsedRecords: RandomAccessCollection, Sendable {
    private var heads: [RecordHead] = []
    private var flags: [FlagSet] = []
    private var findings: [RecordFindings] = []
    // Empty if no values of keys are numbered.
    private var keyed: [KeyedNumbers] = []
    // Empty if nothing is carried along.
    private var carried: [CarriedValues?] = []
    // Empty if nothing is packed.
    private var numbered: [NumberedRecord] = []

    var startIndex: Int { 0 }
    var endIndex: Int { heads.count }

    /// A record.
    @inline(__always)
    subscript(index: Int) -> ParsedRecord {
        ParsedRecord(head: heads[index], flags: flags[index], findings: findings[index])
    }

    /// The head of a record.
    @inline(__always)
    func head(_ index: Int) -> RecordHead { heads[index] }

    /// The flags of a record.
    @inline(__always)
    func flags(_ index: Int) -> FlagSet { flags[index] }

    /// The findings in a record's attributes.
    @inline(__always)
    func findings(_ index: Int) -> RecordFindings { findings[index] }

    /// The values of keys of a record; none where these are not numbered.
    func keyed(_ index: Int) -> KeyedNumbers { keyed.isEmpty ? .nothing : keyed[index] }

    /// The values that are carried along with a record; `nil` if none are.
    func carried(_ index: Int) -> CarriedValues? { carried.isEmpty ? nil : carried[index] }

    /// The values of a record by numbers; `nil` where nothing is packed.
    func numbered(_ index: Int) -> NumberedRecord? { numbered.isEmpty ? nil : numbered[index] }

    /// Takes records in place of its own, which the caller gets: their memory is used again.
    mutating func exchange(_ heads: inout [RecordHead], _ flags: inout [FlagSet], _ found: inout FoundColumns) {
        precondition(heads.count == flags.count && heads.count == found.records.count, "each record has all parts")
        swap(&heads, &self.heads)
        swap(&flags, &self.flags)
        swap(&found.records, &findings)
        swap(&found.keyed, &keyed)
        swap(&found.carried, &carried)
        if let rows = found.numbered { numbered = indices.map { NumberedRecord(rows: rows, row: Int32($0)) } }
    }

    /// Forgets the records, and keeps the memory.
    mutating func removeAll() {
        heads.removeAll(keepingCapacity: true)
        flags.removeAll(keepingCapacity: true)
        findings.removeAll(keepingCapacity: true)
        keyed.removeAll(keepingCapacity: true)
        carried.removeAll(keepingCapacity: true)
        numbered.removeAll(keepingCapacity: true)
    }

    /// Takes further records.
    mutating func append(_ others: Self) {
        heads += others.heads
        flags += others.flags
        findings += others.findings
        keyed += others.keyed
        carried += others.carried
        numbered += others.numbered
    }

    /// Some of the records, by their indices.
    func selecting(_ indices: [Int]) -> Self {
        var selected = Self()
        selected.heads = indices.map { heads[$0] }
        selected.flags = indices.map { flags[$0] }
        selected.findings = indices.map { findings[$0] }
        if !keyed.isEmpty { selected.keyed = indices.map { keyed[$0] } }
        if !carried.isEmpty { selected.carried = indices.map { carried[$0] } }
        if !numbered.isEmpty { selected.numbered = indices.map { numbered[$0] } }
        return selected
    }

    /// Sets the flags of a record.
    mutating func set(_ flags: FlagSet, at index: Int) { self.flags[index] = flags }

    /// Sets the app of a record.
    mutating func setApp(_ app: AppNumbers, at index: Int) { findings[index].app = app }

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
struct ParsedRecord: Sendable {
    let head: RecordHead
    let flags: FlagSet
    /// The findings in its attributes.
    let findings: RecordFindings
}

/// The values of one record by numbers.
struct NumberedRecord: Sendable {
    /// The values of the block that the record was read from.
    let rows: NumberedValues
    /// The record, by its index in that block.
    let row: Int32
}

/// The devices of some records by their keys in a dictionary.
struct DeviceKeys: Sendable {
    let dictionary: ColumnDictionary
    /// For each record the key of its device.
    var keys: [Int32]
}

/// The numbers that the devices of a dictionary have in one shard, so that a device is looked for once.
struct DeviceNumbers {
    private var dictionary: ColumnDictionary?
    // By key.
    private var numbers: [DeviceIndex] = []

    // Of a device that was not looked for; no device has this number.
    private static let unknown = DeviceIndex(offset: Int(UInt32.max))

    /// Finds the devices of some records.
    ///
    /// - Parameters:
    ///   - keys: The devices of all records.
    ///   - rows: Which records.
    ///   - devices: Takes the numbers, in that order.
    ///   - intern: Numbers the devices of some of the records.
    mutating func find(
        _ keys: DeviceKeys, at rows: [Int], into devices: inout [DeviceIndex],
        _ intern: (_ rows: [Int]) -> [DeviceIndex]
    ) {
        if dictionary != keys.dictionary {
            dictionary = keys.dictionary
            numbers = Array(repeating: Self.unknown, count: keys.dictionary.values.count)
        }
        devices.removeAll(keepingCapacity: true)
        // In a loop that does nothing else, so that waiting for memory overlaps.
        for row in rows { devices.append(numbers[Int(keys.keys[row])]) }
        let unknown = devices.indices.filter { devices[$0] == Self.unknown }
        if unknown.isEmpty { return }
        for (index, device) in zip(unknown, intern(unknown.map { rows[$0] })) {
            devices[index] = device
            numbers[Int(keys.keys[rows[index]])] = device
        }
    }
}
