internal import Columns
internal import PolicyEngine

/// The sets of flags by the text that lists them: few different lists make up most captures.
struct FlagListTable {
    private var catalogue: FlagCatalogue
    private let spelling = FlagSpelling()
    private var lists: ValueMemo<Entry>
    // Of the current records.
    private var entries: [Entry] = []
    private var misses: [Int32] = []
    private var column = 0
    // The lists of a dictionary by their keys.
    private var dictionary: ColumnDictionary?
    private var keys = NumberedFindings<Entry>(count: 0)
    private let instructions: VectorInstructions

    // The data that are kept of a list.
    private struct Entry: Finding {
        var flags = FlagSet.empty
        var kind: Kind

        enum Kind { case absent, known, unknown, malformed }

        static var nothing: Entry { Entry(kind: .absent) }
        // A record has one list.
        mutating func formUnion(_ other: Entry) { if other.kind != .absent { self = other } }
    }

    /// The result of reading a text as a list.
    enum List {
        case known
        /// A list with names that the catalogue lacks.
        case new(String)
        case malformed(FlagListError)
    }

    /// - Parameters:
    ///   - catalogue: The flags that are known.
    ///   - instructions: The instructions that texts are hashed and compared with; the processor may have less.
    init(_ catalogue: FlagCatalogue, instructions: VectorInstructions) {
        (self.catalogue, self.instructions) = (catalogue, instructions)
        lists = Self.noLists(instructions)
    }

    private static func noLists(_ instructions: VectorInstructions) -> ValueMemo<Entry> {
        ValueMemo(limit: CaptureLimits.keptFlagLists, instructions: instructions)
    }

    /// Takes a catalogue that has grown, as it does a few times at most, and forgets all lists: some have flags that are known
    /// from now on.
    mutating func adopt(_ catalogue: FlagCatalogue) {
        guard catalogue.flags.count > self.catalogue.flags.count else { return }
        self.catalogue = catalogue
        lists = Self.noLists(instructions)
        dictionary = nil
    }

    /// Looks for the lists of some records.
    ///
    /// - Parameters:
    ///   - rows: The values of the records.
    ///   - column: The one that lists flags.
    ///   - flags: Takes the flags of each record, as far as they are known.
    /// - Returns: The records of whose lists there is more to say.
    mutating func read(_ rows: borrowing ValueRows, column: Int, into flags: inout [FlagSet]) -> [Int] {
        self.column = column
        entries.removeAll(keepingCapacity: true)
        entries.append(contentsOf: repeatElement(.nothing, count: rows.count))
        readEntries(rows)
        flags.removeAll(keepingCapacity: true)
        flags.append(contentsOf: entries.lazy.map { $0.flags })
        return entries.indices.filter { entries[$0].kind != .known }
    }

    private mutating func readEntries(_ rows: borrowing ValueRows) {
        if !rows.columns.isEmpty {
            let values = rows.columns[column]
            if let dictionary = values.dictionary { return read(values.keys, of: dictionary) }
            guard !values.ranges.isEmpty else { return }
        }
        var start = 0
        while start < rows.count {
            let range = start..<min(start + ValueSlots.rowsAtOnce, rows.count)
            misses.removeAll(keepingCapacity: true)
            lists.find(rows, range, column: column, misses: &misses, into: &entries)
            for row in misses.map(Int.init) {
                let value = rows[row, column]
                entries[row] = rows.withBytes(of: value) { entry(of: $0.text($1)) }
                guard !value.range.isEmpty else { continue }
                rows.withBytes(of: value) { lists.keep(entries[row], for: $0, range: $1) }
            }
            start = range.upperBound
        }
    }

    private mutating func read(_ rowKeys: [Int32], of dictionary: ColumnDictionary) {
        if self.dictionary != dictionary { keys = NumberedFindings(count: dictionary.values.count) }
        self.dictionary = dictionary
        for (row, key) in rowKeys.enumerated() {
            if let known = keys[Int(key)] {
                entries[row] = known
            } else {
                let new = dictionary.withText(ofKey: key) { entry(of: $0.text($1)) } ?? .nothing
                keys.note(new, at: Int(key))
                entries[row] = new
            }
        }
    }

    /// The list of a record among those that were looked for.
    func list(ofRow row: Int, in rows: borrowing ValueRows) -> List {
        switch entries[row].kind {
        case .absent, .known: .known
        case .unknown: .new(rows.text(row, column) ?? "")
        case .malformed: malformed(rows.text(row, column) ?? "")
        }
    }

    /// The probable mistake in a record's list.
    func mistake(ofRow row: Int) -> CaptureMistake.Kind? {
        entries[row].kind == .absent ? .noFlags : nil
    }

    private func malformed(_ text: String) -> List {
        do throws(FlagListError) {
            _ = try FlagList.known(text, in: catalogue, spelling: spelling)
            return .new(text)
        } catch {
            return .malformed(error)
        }
    }

    // An empty list has no names, whatever its form.
    private func entry(of text: String) -> Entry {
        guard !text.isEmpty else { return Entry(kind: .known) }
        do throws(FlagListError) {
            let flags = try FlagList.known(text, in: catalogue, spelling: spelling)
            return flags.map { Entry(flags: $0, kind: .known) } ?? Entry(kind: .unknown)
        } catch {
            return Entry(kind: .malformed)
        }
    }
}
