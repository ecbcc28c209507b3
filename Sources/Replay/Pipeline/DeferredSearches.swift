internal import PolicyEngine

/// Makes the searches that were deferred, in the order of the records, so that which ones the budgets of the filters reach
/// depends on the capture alone (R7.2). Equal ones are made once.
struct DeferredSearches {
    // By account.
    private let accounts: [(filters: AttributeFilters, matcher: PatternMatcher)]

    /// - Parameters:
    ///   - accounts: The accounts whose filters search.
    ///   - request: Says what the searches of a filter may cost, and has what was searched before.
    init(_ accounts: [Account], _ request: ReplayRequest) {
        self.accounts = accounts.enumerated().map { index, account in
            (AttributeFilters(account), request.matcher(ofAccount: index))
        }
    }

    /// Makes the searches of a block.
    func complete(_ parsed: inout ParsedBlock<some RecordMatches>) {
        for search in parsed.deferred {
            let (filters, matcher) = accounts[search.account]
            let found = filters.search(search.value.span, at: search.attribute, for: search.filters, matcher: matcher)
            var matches = parsed.records[search.record].matches[search.account]
            matches.add(found)
            parsed.setMatches(matches, of: search.account, ofRecordAt: search.record)
        }
    }
}
