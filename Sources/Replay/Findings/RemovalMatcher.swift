internal import PolicyEngine

/// Finds the records whose app's registration was removed since (R15.2).
struct RemovalMatcher {
    private var removal: RegistrationRemoval
    // By index of the attribute.
    private let columns: [Int]

    /// - Returns: `nil` where the account removed nothing.
    init?(_ account: Account, _ fields: inout CaptureFields) {
        guard let removal = RegistrationRemoval(account) else { return nil }
        self.removal = removal
        columns = removal.keys.map { fields.column(of: $0) }
    }

    /// True if the registration of a record's app was removed.
    mutating func isRemoved(_ row: Int, _ records: borrowing UnexaminedRecords) -> Bool {
        removal.begin(at: records.heads[row].time)
        for (index, column) in columns.enumerated() {
            records.rows.withValue(row, column) { removal.add($0.extracting($1), at: index) }
        }
        return removal.isRemoved
    }
}
