/// The filters of one account, compiled against the numbering of a ``SymbolTable``.
struct FilterProgram: Sendable {
    private var columns: [FilterColumn] = []
    private var flagColumn: FlagFilterColumn
    // A conjunction with a missing input is left out: it never matches (R7.4).
    private var conjunctions: [(place: Int, inputs: FilterSet)] = []
    private var newDevicesOnly = FilterSet.empty
    private(set) var rejecting = FilterSet.empty
    private(set) var banning = FilterSet.empty
    private(set) var risky = FilterSet.empty
    private(set) var executingFilteredPolicy = FilterSet.empty
    private(set) var capturing = FilterSet.empty

    init(_ filters: [Filter], attributes: inout AttributeTable) {
        let places = Dictionary(uniqueKeysWithValues: filters.enumerated().map { ($1.name, $0) })
        var testsByKey: [(key: ExactText, tests: [FilterTest])] = []
        for (place, filter) in filters.enumerated() {
            if let inputs = filter.inputs {
                let inputPlaces = inputs.compactMap { places[$0] }
                guard inputPlaces.count == inputs.count else { continue }
                conjunctions.append((place, inputPlaces.reduce(into: .empty) { $0.insert($1) }))
            } else if let key = filter.key, let condition = filter.test.condition {
                let column = ExactText(FlagFilterColumn.keys.contains(key) ? FlagFilterColumn.keys[0] : key)
                let test = FilterTest(place: place, condition: condition)
                if let known = testsByKey.firstIndex(where: { $0.key == column }) {
                    testsByKey[known].tests.append(test)
                } else {
                    testsByKey.append((column, [test]))
                }
            }
        }
        flagColumn = FlagFilterColumn(tests: testsByKey.first { $0.key == Self.flagKey }?.tests ?? [])
        for (key, tests) in testsByKey where key != Self.flagKey {
            let place = attributes.key(named: key.text)
            let exacts = tests.compactMap(\.exactValue)
            if exacts.count == tests.count { attributes.narrow(place, to: exacts) } else { attributes.widen(place) }
            columns.append(FilterColumn(key: place, tests: tests))
        }
        gatherOptions(of: filters)
    }

    /// Matches an attestation: ordinary filters first, conjunctions last (R10, step 7).
    ///
    /// - Parameters:
    ///   - attestation: Its attributes.
    ///   - flags: The flags that filters see (R7.7).
    mutating func match(
        _ attestation: borrowing Attestation,
        flags: FlagSet,
        symbols: borrowing SymbolTable,
        matcher: PatternMatcher
    ) -> FilterMatch {
        var match = flagColumn.match(flags, catalogue: symbols.catalogue, matcher: matcher)
        for place in columns.indices {
            let value = attestation.value(of: columns[place].key)
            match = match.union(columns[place].match(value, in: symbols.attributes, matcher: matcher))
        }
        if !flags.contains(.newDevice) { match = match.leavingOut(newDevicesOnly) }
        for conjunction in conjunctions where match.matched.isSuperset(of: conjunction.inputs) {
            match.matched.insert(conjunction.place)
        }
        return flags.contains(.newDevice) ? match : match.leavingOut(newDevicesOnly)
    }

    private static let flagKey = ExactText(FlagFilterColumn.keys[0])

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

extension Filter.Test {
    /// The condition of an ordinary filter on its attribute's value.
    fileprivate var condition: FilterTest.Condition? {
        switch self {
        case .exact(_, let value): .equals(Array(value.utf8))
        case .regex(_, let pattern): .contains(pattern)
        case .conjunction: nil
        }
    }
}
