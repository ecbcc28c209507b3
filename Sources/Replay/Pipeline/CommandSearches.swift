internal import Documents
package import PolicyEngine

/// The matchers of the patterns of all replays, or all runs of a scenario, of one command, so that their budgets hold for the
/// command as a whole, and nothing is searched twice (R7.2).
///
/// They come one after another, and in each the searches are made in the order of the records: so what they find is the
/// same for any number of workers.
package final class CommandSearches: Sendable {
    // By account of a replay.
    private let matchers = Lock<[Int: PatternMatcher]>([:])

    package init() {}

    /// The matcher of an account: for one replay or run, or whoever comes behind it, at a time.
    ///
    /// - Parameters:
    ///   - account: The account, by its index; those of other replays and runs of the command share it.
    ///   - total: The cost that the searches of a filter may have; the first who asks says so.
    ///   - deadline: When searches give up.
    package func matcher(
        ofAccount account: Int = 0, total: Int = RunBudget.total, deadline: ContinuousClock.Instant? = nil
    ) -> PatternMatcher {
        matchers.withLock { matchers in
            if let known = matchers[account] { return known }
            let matcher = PatternMatcher(runBudget: total, keepsAll: true, deadline: deadline)
            matchers[account] = matcher
            return matcher
        }
    }

    /// True if some search was given up because its budget was spent, so that runs may differ that are alike.
    package var areSpent: Bool { matchers.withLock { $0.values.contains(where: \.isSpent) } }
}

extension ReplayRequest {
    /// The matcher of an account, by its index in ``ReplayWork/filteringAccounts``, for this replay or whoever comes behind it.
    package func matcher(ofAccount account: Int = 0) -> PatternMatcher {
        searches.matcher(ofAccount: account, total: searchBudget, deadline: deadline)
    }
}
