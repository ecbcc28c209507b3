internal import PolicyEngine

/// Matches the filters of an account in records whose attributes have assumed values.
struct AssumedMatcher {
    private let signals: AssumedSignals
    private var filters: AttributeFilters
    private let filterColumns: [Int]
    private var removal: RegistrationRemoval?
    private let removalColumns: [Int]
    private let matcher: PatternMatcher

    /// - Parameters:
    ///   - needs: The accounts, and the assumptions.
    ///   - fields: Takes the keys that are needed.
    /// - Returns: `nil` if no attribute is assumed to have another value.
    init?(_ needs: RecordNeeds, _ fields: inout CaptureFields) {
        guard let signals = needs.assumed, signals.setsValues else { return nil }
        let account = needs.accounts[signals.account]
        (self.signals, filters) = (signals, AttributeFilters(account))
        filterColumns = filters.keys.map { fields.column(of: $0) }
        removal = RegistrationRemoval(account)
        removalColumns = removal?.keys.map { fields.column(of: $0) } ?? []
        matcher = PatternMatcher(deadline: fields.deadline)
    }

    /// Matches the filters in the records of devices with assumed values.
    mutating func match(_ records: borrowing UnexaminedRecords, into findings: inout [RecordFindings]) {
        for row in findings.indices {
            let values = signals.values(of: records.heads[row].id)
            if !values.isEmpty { findings[row].matches[signals.account] = matches(row, records, values) }
        }
    }

    private mutating func matches(
        _ row: Int, _ records: borrowing UnexaminedRecords, _ values: [ExactText: [UInt8]]
    ) -> AttributeMatches {
        var matches = AttributeMatches.none
        for (index, key) in filters.keys.enumerated() {
            if let value = values[ExactText(key)] {
                matches = matches.union(filters.match(value.span, at: index, matcher: matcher))
            } else if let found = records.rows.withValue(
                row, filterColumns[index],
                { bytes, range in
                    filters.match(bytes.extracting(range), at: index, matcher: matcher)
                })
            {
                matches = matches.union(found)
            }
        }
        return matches.removed(isRemoved(row, records, values))
    }

    private mutating func isRemoved(
        _ row: Int, _ records: borrowing UnexaminedRecords, _ values: [ExactText: [UInt8]]
    ) -> Bool {
        guard var removal = removal.take() else { return false }
        defer { self.removal = removal }
        removal.begin(at: records.heads[row].time)
        for (index, key) in removal.keys.enumerated() {
            if let value = values[ExactText(key)] {
                removal.add(value.span, at: index)
            } else {
                records.rows.withValue(row, removalColumns[index]) { removal.add($0.extracting($1), at: index) }
            }
        }
        return removal.isRemoved
    }
}
