internal import PolicyEngine

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
