internal import PolicyEngine

/// The sets of flags by the text that lists them: few different lists make up most captures.
struct FlagListTable {
    private var catalogue: FlagCatalogue
    private var lists: ValueMemo<Entry>
    // Of the current records.
    private var entries: [Entry] = []
    private var misses: [Int32] = []
    private var column = 0

    // The data that are kept of a list.
    private struct Entry: Finding {
        var flags = FlagSet.empty
        var kind: Kind
        var hasSemicolon = false

        enum Kind { case absent, known, unknown, malformed }

        static var nothing: Entry { Entry(kind: .absent) }

        // A record has one list.
        mutating func formUnion(_ other: Entry) { self = other }
    }

    /// The result of reading a text as a list.
    enum List {
        case known(FlagSet)
        /// A list with names that the catalogue lacks.
        case new(String)
        case malformed(FlagListError)
    }

    /// - Parameters:
    ///   - catalogue: The flags that are known.
    ///   - instructions: The instructions that texts are hashed and compared with; the processor may have less.
    init(_ catalogue: FlagCatalogue, instructions: VectorInstructions) {
        self.catalogue = catalogue
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
    mutating func read(_ rows: borrowing ValueRows, column: Int) {
        self.column = column
        entries.removeAll(keepingCapacity: true)
        entries.append(contentsOf: repeatElement(.nothing, count: rows.count))
        var start = 0
        while start < rows.count {
            let range = start..<min(start + ValueSlots.batch, rows.count)
            misses.removeAll(keepingCapacity: true)
            lists.find(rows, range, column: column, misses: &misses, into: &entries)
            for row in misses.map(Int.init) { entries[row] = entry(of: rows[row, column], in: rows) }
            start = range.upperBound
        }
    }

    /// The list of a record among those that were looked for.
    func list(ofRow row: Int, in rows: borrowing ValueRows) -> List {
        switch entries[row].kind {
        case .absent, .known: .known(entries[row].flags)
        case .unknown: .new(rows.text(of: rows[row, column]))
        case .malformed: malformed(rows.text(of: rows[row, column]))
        }
    }

    /// The probable mistake in a record's list.
    func mistake(ofRow row: Int) -> CaptureMistake.Kind? {
        entries[row].kind == .absent ? .noFlags : entries[row].hasSemicolon ? .semicolons : nil
    }

    private func malformed(_ text: String) -> List {
        do throws(FlagListError) {
            _ = try FlagList.known(text, in: catalogue)
            return .new(text)
        } catch {
            return .malformed(error)
        }
    }

    // An empty list has no names, whatever its form. Lists of flags that nobody knows yet are not kept: they will be known.
    private mutating func entry(of value: ValueRange, in rows: borrowing ValueRows) -> Entry {
        guard !value.range.isEmpty else { return Entry(kind: .known) }
        let text = rows.text(of: value)
        var entry = Entry(kind: .malformed, hasSemicolon: text.utf8.contains(UInt8(ascii: ";")))
        do throws(FlagListError) {
            guard let flags = try FlagList.known(text, in: catalogue) else {
                entry.kind = .unknown
                return entry
            }
            (entry.kind, entry.flags) = (.known, flags)
            rows.withBytes(of: value) { lists.keep(entry, for: $0, range: $1) }
            return entry
        } catch {
            return entry
        }
    }
}
