internal import PolicyEngine

/// The sets of flags by the text that lists them: few different lists make up most captures.
struct FlagListTable {
    private var catalogue: FlagCatalogue
    private var lists = ValueTable(capacity: CaptureLimits.keptFlagLists)
    // INVARIANT: one for each kept list; `nil` for one that is no list of known flags.
    private var sets: [FlagSet?] = []
    // The numbers of lists with semicolons.
    private var withSemicolons: Set<Int> = []
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
    ///
    /// - Parameter take: Is handed each list, and what about it was hardly meant.
    mutating func read(_ rows: borrowing ValueRows, column: Int, _ take: (List, CaptureSlip.Kind?) -> Void) {
        lists.intern(rows, column: column, into: &numbers)
        for row in numbers.indices {
            let value = rows[row, column]
            if value.isAbsent || value.range.isEmpty {
                take(.known(.empty), value.isAbsent ? .noFlags : nil)
            } else if numbers[row].offset < sets.count, let known = sets[numbers[row].offset] {
                let isSlip = !withSemicolons.isEmpty && withSemicolons.contains(numbers[row].offset)
                take(.known(known), isSlip ? .semicolons : nil)
            } else {
                let text = rows.text(of: value)
                let isSlip = text.utf8.contains(UInt8(ascii: ";"))
                if isSlip, numbers[row] != .passing { withSemicolons.insert(numbers[row].offset) }
                take(read(text, list: numbers[row]), isSlip ? .semicolons : nil)
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
