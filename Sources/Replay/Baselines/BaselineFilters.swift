internal import PolicyEngine

/// Turns the matches of the filters of one account into those of another one.
struct FilterTranslation: Sendable {
    // By filter of the other account: the one of the first account that makes the same test.
    private let sources: [Int?]
    // By filter of the first account: the one of that name in the other.
    private let namesakes: [Int?]
    // True if both accounts have the same filters but for their options.
    private let isIdentity: Bool
    /// The filters of the other account whose test of an attribute the first does not make, by their indices.
    let newTests: [Int]

    init(from filters: [Filter], to others: [Filter]) {
        let sources = others.map { other in filters.firstIndex { $0.test == other.test } }
        self.sources = sources
        let namesakes = filters.map { filter in others.firstIndex { $0.name == filter.name } }
        self.namesakes = namesakes
        isIdentity = sources == Array(filters.indices) && namesakes == Array(others.indices)
        newTests = others.indices.filter { others[$0].attributeKey != nil && sources[$0] == nil }
    }

    /// The matches of the other account, new tests aside.
    func matches(_ matches: AttributeMatches) -> AttributeMatches {
        guard !isIdentity, matches != .none else { return matches }
        var translated = AttributeMatches.none
        for (filter, source) in sources.enumerated() {
            guard let source, matches.contains(filter: source) else { continue }
            translated = translated.union(.filter(filter))
        }
        return translated
    }

    /// The filters of the other account that have the names of some; `nil` if it lacks one of them.
    func namesakes(of filters: FilterSet) -> FilterSet? {
        guard !isIdentity else { return filters }
        var translated = FilterSet.empty
        for filter in filters {
            guard let namesake = namesakes[filter] else { return nil }
            translated.insert(namesake)
        }
        return translated
    }
}

extension Filter {
    /// The attribute that it looks at; `nil` for a conjunction, and for one that looks at flags.
    var attributeKey: String? { key.flatMap { ["flags-all", "public-flags"].contains($0) ? nil : $0 } }
}

/// The matches of the filters of an account in the records of a baseline.
struct BaselineFilters: Sendable {
    /// Turns the matches of the filters of the baseline's account into those of this account.
    let translation: FilterTranslation
    // The filters that make new tests, and the records in which they are found.
    private let found: [(filter: Int, rows: RowSet)]

    /// - Returns: `nil` for an account about which the kept records do not say all.
    init?(_ baseline: Baseline, of account: Account) {
        guard !AccountChange(from: baseline.account, to: account).parts.contains(.flags),
            baseline.account.removedRegistrations.isEmpty, account.removedRegistrations.isEmpty
        else { return nil }
        translation = FilterTranslation(from: baseline.account.filters, to: account.filters)
        var found: [(filter: Int, rows: RowSet)] = []
        for filter in translation.newTests {
            guard let rows = baseline.columns.rows(matching: account.filters[filter]) else { return nil }
            if !rows.isEmpty { found.append((filter, rows)) }
        }
        self.found = found
    }

    /// For each new test that some record meets, the records that do.
    var newRows: [RowSet] { found.map(\.rows) }

    /// The matches in a record.
    ///
    /// - Parameters:
    ///   - translated: The translated matches of its kind.
    ///   - index: Its number among all records.
    @inline(__always)
    func matches(_ translated: AttributeMatches, inRecord index: Int) -> AttributeMatches {
        if found.isEmpty { return translated }
        return found.reduce(translated) { matches, test in
            test.rows.contains(index) ? matches.union(.filter(test.filter)) : matches
        }
    }
}
