/// The stage of a replay that goes block by block, and what it writes.
struct Ordering<Matches: Sendable>: ~Copyable {
    var order: RecordOrder
    var malformed: LineFile
    /// Why the replay ended before its input did.
    var failure: ReplayFailure?
    /// All records, where they are to be sorted first.
    private(set) var gathered: [ParsedRecord<Matches>] = []
    private let gathers: Bool

    init(_ work: some ReplayWork, _ request: ReplayRequest) throws(ReplayFailure) {
        order = RecordOrder(request, catalogue: work.catalogue, numberingAccounts: work.numberingAccounts)
        malformed = try LineFile(path: request.malformedPath)
        gathers = request.sorts
    }

    /// Takes the block that comes next.
    mutating func take(_ slot: inout ReplaySlot<Matches>, shardCount: Int) throws(ReplayFailure) {
        try order.take(&slot, shardCount: shardCount, malformed: &malformed)
        if gathers { gathered += slot.parsed.records }
    }

    /// Lets somebody note what is wrong.
    mutating func note(_ body: (inout ProblemLog) -> Void) { order.note(body) }
}
