internal import PolicyEngine

/// The sets of flags by the text that lists them: few different lists make up most captures.
struct FlagListTable {
    private var catalogue: FlagCatalogue
    private var lists = ValueTable(capacity: CaptureLimits.keptFlagLists)
    // INVARIANT: one for each kept list; `nil` for one that is no list of known flags.
    private var sets: [FlagSet?] = []

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

    /// Reads a list.
    mutating func read(_ bytes: Span<UInt8>, range: Range<Int>) -> List {
        let list = lists.intern(bytes, range: range)
        if list.offset < sets.count, let known = sets[list.offset] { return .known(known) }
        let text = RecordFields.text(range, in: bytes)
        do throws(FlagListError) {
            let set = try FlagList.known(text, in: catalogue)
            if list.offset == sets.count { sets.append(set) } else if list.offset < sets.count { sets[list.offset] = set }
            return set.map(List.known) ?? .new(text)
        } catch {
            if list.offset == sets.count { sets.append(nil) }
            return .malformed(error)
        }
    }
}
