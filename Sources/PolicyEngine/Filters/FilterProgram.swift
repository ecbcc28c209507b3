/// What makes ordinary matches into those of an account: its filters on flags, its conjunctions, and what a match brings
/// about.
struct FilterProgram: Sendable {
    private var flagColumn: FlagFilterColumn
    // A conjunction with a missing input is left out: it never matches (R7.4).
    private var conjunctions: [(place: Int, inputs: FilterSet)] = []
    private var newDevicesOnly = FilterSet.empty
    private let tellsNewDevices: Bool
    private(set) var rejecting = FilterSet.empty
    private(set) var banning = FilterSet.empty
    private(set) var risky = FilterSet.empty
    private(set) var executingFilteredPolicy = FilterSet.empty
    private(set) var capturing = FilterSet.empty

    /// - Parameters:
    ///   - filters: The filters.
    ///   - tellsNewDevices: Whether it is known which devices are new; else filters for those alone never match.
    init(_ filters: [Filter], tellsNewDevices: Bool = true) {
        self.tellsNewDevices = tellsNewDevices
        flagColumn = FlagFilterColumn(tests: FilterTest.ofFlags(among: filters))
        let places = Dictionary(uniqueKeysWithValues: filters.enumerated().map { ($1.name, $0) })
        for (place, filter) in filters.enumerated() {
            guard let inputs = filter.inputs else { continue }
            let inputPlaces = inputs.compactMap { places[$0] }
            guard inputPlaces.count == inputs.count else { continue }
            conjunctions.append((place, inputPlaces.reduce(into: .empty) { $0.insert($1) }))
        }
        gatherOptions(of: filters)
    }

    /// Matches an attestation: ordinary filters first, conjunctions last (R10, step 7).
    ///
    /// - Parameters:
    ///   - attributes: What the ordinary filters on its attributes say.
    ///   - flags: The flags that filters see (R7.7).
    mutating func match(
        _ attributes: FilterMatch, flags: FlagSet, catalogue: FlagCatalogue, matcher: PatternMatcher
    ) -> FilterMatch {
        var match = attributes.union(flagColumn.match(flags, catalogue: catalogue, matcher: matcher))
        let isNew = tellsNewDevices && flags.contains(.newDevice)
        if !isNew { match = match.leavingOut(newDevicesOnly) }
        for conjunction in conjunctions where match.matched.isSuperset(of: conjunction.inputs) {
            match.matched.insert(conjunction.place)
        }
        return isNew ? match : match.leavingOut(newDevicesOnly)
    }

    private mutating func gatherOptions(of filters: [Filter]) {
        for (place, filter) in filters.enumerated() {
            if filter.options.contains(.newDevicesOnly) { newDevicesOnly.insert(place) }
            if filter.options.contains(.reject) { rejecting.insert(place) }
            if filter.options.contains(.ban) { banning.insert(place) }
            if filter.options.contains(.risky) { risky.insert(place) }
            if filter.options.contains(.captureDeviceInformation) { capturing.insert(place) }
            if filter.options.contains(.executeFilteredPolicy) { executingFilteredPolicy.insert(place) }
        }
    }
}
