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
    private var keys: KeyFindings<Entry>

    // The data that are kept of a list.
    private struct Entry: Finding {
        var flags = FlagSet.empty
        var kind: Kind

        enum Kind { case absent, known, unknown, malformed }

        static var nothing: Entry { Entry(kind: .absent) }
        // Flags that nobody knows yet will be known.
        var isLasting: Bool { kind == .known }

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
    ///   - exchange: Has what other workers find.
    init(_ catalogue: FlagCatalogue, instructions: VectorInstructions, exchange: FindingsExchange? = nil) {
        self.catalogue = catalogue
        keys = KeyFindings(shared: exchange?.findings(ofField: FindingsExchange.flags))
        lists = ValueMemo(limit: CaptureLimits.keptFlagLists, instructions: instructions)
    }

    /// Takes a catalogue that has grown.
    mutating func adopt(_ catalogue: FlagCatalogue) {
        guard catalogue.flags.count > self.catalogue.flags.count else { return }
        self.catalogue = catalogue
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
            let range = start..<min(start + ValueSlots.batch, rows.count)
            misses.removeAll(keepingCapacity: true)
            lists.find(rows, range, column: column, misses: &misses, into: &entries)
            for row in misses.map(Int.init) {
                let value = rows[row, column]
                entries[row] = rows.withBytes(of: value) { entry(of: $0.text($1)) }
                guard entries[row].isLasting, !value.range.isEmpty else { continue }
                rows.withBytes(of: value) { lists.keep(entries[row], for: $0, range: $1) }
            }
            start = range.upperBound
        }
    }

    private mutating func read(_ keys: [Int32], of dictionary: ColumnDictionary) {
        var (findings, entries) = (KeyFindings<Entry>(), [Entry]())
        swap(&findings, &self.keys)
        swap(&entries, &self.entries)
        findings.add(keys, of: dictionary, to: &entries) { entry(of: $0.text(0..<$0.count)) }
        swap(&entries, &self.entries)
        swap(&findings, &self.keys)
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
