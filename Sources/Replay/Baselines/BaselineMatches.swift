internal import PolicyEngine

/// The matches of an account's filters in the records of a baseline, which keeps those of its own account.
struct BaselineMatches: Sendable {
    // By filter: the one of the baseline's account that makes the same test.
    private let sources: [Int?]
    // The filters that make another test which some record meets, and these records.
    private let found: [(filter: Int, rows: RowSet)]

    /// - Parameters:
    ///   - baseline: The records.
    ///   - account: The account.
    ///   - image: The records' attributes.
    /// - Returns: `nil` for an account about which the kept records do not say all.
    init?(_ baseline: Baseline, of account: Account, in image: CaptureImage?) {
        guard !AccountChange(from: baseline.account, to: account).parts.contains(.flags),
            baseline.account.removedRegistrations.isEmpty, account.removedRegistrations.isEmpty
        else { return nil }
        sources = account.filters.map { filter in baseline.account.filters.firstIndex { $0.test == filter.test } }
        var found: [(filter: Int, rows: RowSet)] = []
        for (index, filter) in account.filters.enumerated() where filter.attributeKey != nil && sources[index] == nil {
            guard let image, let rows = baseline.columns.rows(matching: filter, in: image) else { return nil }
            if rows.count > 0 { found.append((index, rows)) }
        }
        self.found = found
    }

    /// The matches in records with some matches of the baseline's account, those of other tests aside.
    func translated(_ matches: AttributeMatches) -> AttributeMatches {
        var translated = AttributeMatches.none
        for (filter, source) in sources.enumerated() {
            guard let source, matches.contains(filter: source) else { continue }
            translated = translated.union(.filter(filter))
        }
        return translated
    }

    /// Adds the matches of other tests in kept records.
    ///
    /// - Parameters:
    ///   - column: The number of the matches in each record, by the sets of a batch.
    ///   - kept: The records.
    ///   - account: The index of the account in the batch.
    ///   - batch: Gives numbers to sets of matches.
    func add(to column: inout [UInt32], of kept: KeptBatch, account: Int, in batch: inout Batch) {
        for (filter, rows) in found {
            for row in column.indices where rows.contains(Int(kept.indices[row])) {
                var matches = batch.matchSet(column[row])
                matches[account] = matches[account].union(.filter(filter))
                column[row] = batch.number(of: matches)
            }
        }
    }
}

extension Filter {
    // The attribute that it looks at; `nil` for a conjunction, and for one that looks at flags.
    fileprivate var attributeKey: String? { key.flatMap { ["flags-all", "public-flags"].contains($0) ? nil : $0 } }
}
