/// The rules that complete matches on attributes to those of an account: its filters on flags, its conjunctions, and the
/// actions of a match.
struct FilterProgram: Sendable {
    private var flagColumn: FlagFilterColumn
    // A conjunction with a missing input is left out: it never matches (R7.4).
    private var conjunctions: [(index: Int, inputs: FilterSet)] = []
    private var newDevicesOnly = FilterSet.empty
    private let knowsNewDevices: Bool
    private(set) var rejecting = FilterSet.empty
    private(set) var banning = FilterSet.empty
    private(set) var risky = FilterSet.empty
    private(set) var executingFilteredPolicy = FilterSet.empty
    private(set) var capturing = FilterSet.empty
    /// Those that a decision depends on, by themselves or through a conjunction.
    private(set) var deciding = FilterSet.empty

    /// - Parameter knowsNewDevices: True if it is known which devices are new; else filters for those alone never match.
    init(_ filters: [Filter], knowsNewDevices: Bool = true) {
        self.knowsNewDevices = knowsNewDevices
        flagColumn = FlagFilterColumn(tests: FilterTest.ofFlags(among: filters))
        let indices = Dictionary(uniqueKeysWithValues: filters.enumerated().map { ($1.name, $0) })
        for (index, filter) in filters.enumerated() {
            guard let inputs = filter.inputs else { continue }
            let inputIndices = inputs.compactMap { indices[$0] }
            guard inputIndices.count == inputs.count else { continue }
            conjunctions.append((index, inputIndices.reduce(into: .empty) { $0.insert($1) }))
        }
        gatherOptions(of: filters)
    }

    /// True if some filter looks at flags.
    var looksAtFlags: Bool { !flagColumn.isEmpty }

    /// Matches an attestation: ordinary filters first, conjunctions last (R10, step 7).
    ///
    /// - Parameters:
    ///   - attributes: The results of the ordinary filters on its attributes.
    ///   - flags: The flags that filters see (R7.7).
    @inline(__always)
    mutating func match(
        _ attributes: FilterMatch, flags: FlagSet, catalogue: FlagCatalogue, matcher: PatternMatcher
    ) -> FilterMatch {
        var match = attributes
        if !flagColumn.isEmpty {
            match = match.union(flagColumn.match(flags, catalogue: catalogue, matcher: matcher))
        }
        let isNew = knowsNewDevices && flags.contains(.newDevice)
        if !isNew { match = match.leavingOut(newDevicesOnly) }
        for conjunction in conjunctions.indices where match.matched.isSuperset(of: conjunctions[conjunction].inputs) {
            match.matched.insert(conjunctions[conjunction].index)
        }
        return isNew ? match : match.leavingOut(newDevicesOnly)
    }

    private mutating func gatherOptions(of filters: [Filter]) {
        for (index, filter) in filters.enumerated() {
            if filter.options.contains(.newDevicesOnly) { newDevicesOnly.insert(index) }
            if filter.options.contains(.reject) { rejecting.insert(index) }
            if filter.options.contains(.ban) { banning.insert(index) }
            if filter.options.contains(.risky) { risky.insert(index) }
            if filter.options.contains(.captureDeviceInformation) { capturing.insert(index) }
            if filter.options.contains(.executeFilteredPolicy) { executingFilteredPolicy.insert(index) }
        }
        deciding = rejecting.union(banning).union(risky).union(executingFilteredPolicy)
        for conjunction in conjunctions where deciding.contains(conjunction.index) {
            deciding = deciding.union(conjunction.inputs)
        }
    }
}
