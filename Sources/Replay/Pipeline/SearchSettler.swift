internal import PolicyEngine

/// Makes the searches that were put off, in the order of the records, so that which ones the budgets of the filters reach
/// depends on the capture alone (R7.2).
struct SearchSettler {
    // By account.
    private var accounts: [(filters: AttributeFilters, matcher: PatternMatcher)]
    // What was found in values, so that equal ones are searched once.
    private var known: [Key: SearchResult] = [:]
    private var keptBytes = 0

    private struct Key: Hashable {
        let account: Int
        let attribute: Int
        let value: [UInt8]
    }

    private static let keptBytesLimit = 16 * 1024 * 1024

    /// - Parameters:
    ///   - accounts: The accounts whose filters search.
    ///   - budget: What the searches of a filter may cost.
    init(_ accounts: [Account], budget: Int) {
        self.accounts = accounts.map { (AttributeFilters($0), PatternMatcher(runBudget: budget)) }
    }

    /// Makes the searches of a block.
    mutating func settle(_ parsed: inout ParsedBlock<some RecordMatches>) {
        for search in parsed.putOff {
            var matches = parsed.records[search.record].matches[search.account]
            matches.settle(found(by: search))
            parsed.setMatches(matches, of: search.account, ofRecordAt: search.record)
        }
    }

    private mutating func found(by search: PutOffSearch) -> SearchResult {
        let key = Key(account: search.account, attribute: search.attribute, value: search.value)
        if let known = known[key] { return known }
        let (filters, matcher) = accounts[search.account]
        let found = filters.search(
            search.value.span, at: search.attribute, for: search.filters, matcher: matcher)
        guard known.count < CaptureLimits.keptValues, keptBytes + search.value.count <= Self.keptBytesLimit else {
            return found
        }
        known[key] = found
        keptBytes += search.value.count
        return found
    }
}
