internal import PolicyEngine

/// The flags of a stream as one account numbers them: those that it declares in its own order, then those that it does
/// not know in order of first sight (R2.3), whatever another account that evaluates the same stream declares.
struct AccountFlags {
    /// The account's flags, and those that the stream brought.
    private(set) var catalogue: FlagCatalogue
    // By number in the stream's catalogue; `nil` for one too many.
    private var counterparts: [Flag?] = []
    // By number in the account's: the way back.
    private var origins: [Flag?] = Array(repeating: nil, count: Flag.limit)
    /// True if every flag of the stream so far has the same number in both, so that nothing need be numbered anew.
    private(set) var isSame = true

    init(_ account: Account) {
        catalogue = account.catalogue
    }

    /// Takes the flags that a record may have brought.
    ///
    /// - Parameters:
    ///   - flags: Those of the record.
    ///   - stream: The stream's catalogue, which numbers them.
    /// - Throws: ``FlagError/limitReached(_:)`` where the account has no number left for one of them.
    mutating func adopt(_ flags: FlagSet, of stream: FlagCatalogue) throws(FlagError) {
        adopt(stream)
        guard !isSame else { return }
        for flag in flags where counterparts[Int(flag.index)] == nil { throw .limitReached(stream[flag].name) }
    }

    /// Takes flags that records brought; those that the account has no number for are left out.
    mutating func adopt(_ stream: FlagCatalogue) {
        guard stream.flags.count > counterparts.count else { return }
        for flag in stream.flags.dropFirst(counterparts.count) { add(flag.name, of: stream) }
    }

    private mutating func add(_ name: String, of stream: FlagCatalogue) {
        let (origin, own) = (stream.flag(named: name), try? catalogue.intern(observed: name))
        counterparts.append(own)
        isSame = isSame && own == origin
        if let own { origins[Int(own.index)] = origin }
    }

    /// True if the account has a number for each flag of the stream, which were taken.
    func holdsAll(of stream: FlagCatalogue) -> Bool { isSame || !counterparts.contains(nil) }

    /// The message where flags of a stream have no number, and it depends on all parts which ones.
    static let tooMany = "the records and the account have more than \(Flag.limit) different flags together"

    /// A set of flags in the account's numbers; all of them were taken.
    func numbered(_ flags: FlagSet) -> FlagSet {
        isSame ? flags : FlagSet(flags.lazy.compactMap { counterparts[Int($0.index)] })
    }

    /// A set of flags in the numbers of the stream.
    func original(_ flags: FlagSet) -> FlagSet {
        isSame ? flags : FlagSet(flags.lazy.compactMap { origins[Int($0.index)] })
    }

    /// The numbering of the stream with the flags as the account numbers them.
    func numbering(of stream: borrowing SymbolTable) -> SymbolTable {
        var symbols = copy stream
        symbols.catalogue = catalogue
        return symbols
    }
}
