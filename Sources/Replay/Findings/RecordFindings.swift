internal import PolicyEngine

/// The findings in the attributes of a record.
struct RecordFindings: Sendable {
    /// The matches of the filters of all accounts.
    var matches = AccountMatches()
    /// The app that the record came with.
    var app = AppNumbers.none
    /// The attributes with filters that the record has, where that is noted.
    var presence: AttributePresences.Mask = 0
}

/// The matches of the filters of one account, or of both accounts of a comparison.
struct AccountMatches: Hashable, Sendable {
    private var first = AttributeMatches.none
    private var second = AttributeMatches.none

    /// The greatest number of accounts.
    static var limit: Int { 2 }

    /// - Parameters:
    ///   - first: The matches of the filters of the first account.
    ///   - second: Those of the second, if there is one.
    init(_ first: AttributeMatches = .none, _ second: AttributeMatches = .none) {
        (self.first, self.second) = (first, second)
    }

    /// The matches of an account's filters, by its index among ``RecordNeeds/accounts``.
    @inline(__always)
    subscript(account: Int) -> AttributeMatches {
        get { account == 0 ? first : second }
        set { if account == 0 { first = newValue } else { second = newValue } }
    }

    /// Adds the matches of another value of the same record.
    @inline(__always)
    mutating func formUnion(_ other: AccountMatches) {
        first = first.union(other.first)
        second = second.union(other.second)
    }
}

/// The findings in a value, or in several values of one record.
struct ValueFindings: Finding {
    var matches = AccountMatches()
    var app = AppValues.none
    var presence: AttributePresences.Mask = 0

    static var nothing: ValueFindings { ValueFindings() }

    mutating func formUnion(_ other: ValueFindings) {
        matches.formUnion(other.matches)
        app.formUnion(other.app)
        presence |= other.presence
    }
}
