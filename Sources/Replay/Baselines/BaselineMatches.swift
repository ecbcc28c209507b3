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

    /// The matches in kept records, by their numbers in a batch.
    ///
    /// - Parameters:
    ///   - kept: The records.
    ///   - numbers: The number of the translated matches, by that of the baseline's account.
    ///   - batch: Gives numbers to matches with those of other tests.
    ///   - account: The index of the account in the batch.
    func column(of kept: KeptBatch, _ numbers: [UInt32], in batch: inout Batch, account: Int) -> [UInt32] {
        var column = kept.matches.map { numbers[Int($0)] }
        for (filter, rows) in found {
            for row in column.indices where rows.contains(Int(kept.indices[row])) {
                let others = batch.matchSets(ofAccount: account)[Int(column[row])]
                column[row] = batch.number(of: others.union(.filter(filter)), account: account)
            }
        }
        return column
    }
}

extension Filter {
    // The attribute that it looks at; `nil` for a conjunction, and for one that looks at flags.
    fileprivate var attributeKey: String? { key.flatMap { ["flags-all", "public-flags"].contains($0) ? nil : $0 } }
}
