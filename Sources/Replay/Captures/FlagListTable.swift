internal import PolicyEngine

/// The sets of flags by the text that lists them: few different lists make up most captures.
struct FlagListTable {
    private var catalogue: FlagCatalogue
    private var lists = ValueTable(capacity: CaptureLimits.keptFlagLists)
    // INVARIANT: one for each kept list; `nil` for one that is no list of known flags.
    private var sets: [FlagSet?] = []
    // Of the records at hand.
    private var numbers: [ValueNumber] = []

    /// What a text is.
    enum List {
        case known(FlagSet)
        /// A list with names that the catalogue lacks.
        case new(String)
        case malformed(FlagListError)
    }

    init(_ catalogue: FlagCatalogue) {
        self.catalogue = catalogue
    }

    /// Takes a catalogue that has grown.
    mutating func take(_ catalogue: FlagCatalogue) {
        guard catalogue.flags.count > self.catalogue.flags.count else { return }
        self.catalogue = catalogue
    }

    /// Reads the lists of some records, one after another.
    mutating func read(_ rows: borrowing ValueRows, column: Int, _ take: (List) -> Void) {
        lists.intern(rows, column: column, into: &numbers)
        for row in numbers.indices {
            let value = rows[row, column]
            if value.isAbsent || value.range.isEmpty {
                take(.known(.empty))
            } else if numbers[row].offset < sets.count, let known = sets[numbers[row].offset] {
                take(.known(known))
            } else {
                take(read(rows.text(of: value), list: numbers[row]))
            }
        }
    }

    private mutating func read(_ text: String, list: ValueNumber) -> List {
        do throws(FlagListError) {
            let set = try FlagList.known(text, in: catalogue)
            keep(set, for: list)
            return set.map(List.known) ?? .new(text)
        } catch {
            return .malformed(error)
        }
    }

    private mutating func keep(_ set: FlagSet?, for list: ValueNumber) {
        guard list != .passing else { return }
        while sets.count <= list.offset { sets.append(nil) }
        sets[list.offset] = set
    }
}
