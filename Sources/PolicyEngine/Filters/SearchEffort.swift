/// The effort of a search that is not done quickly (R7.2).
enum SearchEffort {
    /// Not at all: it is given up, and somebody else makes it later.
    case deferred
    /// As far as the filter's budget of the run allows. The result depends on what was searched before.
    case ofRun
    /// So far that it depends on the value alone.
    case ofValue
}

/// The budgets of a run for each filter's searches that are not done quickly (R7.2).
///
/// Steps are counted, as in ``SearchBudget``, and no clock is read.
package struct RunBudget {
    // By filter, and behind them for patterns of no filter.
    private var remaining: [Int]

    /// The index of the budget of patterns that belong to no filter.
    static let others = FilterSet.limit

    /// The amount that a filter may spend in a run: some seconds' worth.
    package static let total = 2_000_000_000
    /// The amount that one search may spend if the order of searches differs between runs.
    static let ofValue = 20_000

    /// - Parameter total: The work that each filter may spend.
    init(total: Int) {
        remaining = Array(repeating: total, count: FilterSet.limit + 1)
    }

    /// True if the budget of some filter is spent.
    var isSpent: Bool { remaining.contains(0) }

    /// The amount that a search of a filter may still spend.
    func limit(of filter: Int, _ effort: SearchEffort) -> Int {
        switch effort {
        case .deferred: 0
        case .ofRun: remaining[filter]
        case .ofValue: Self.ofValue
        }
    }

    /// Takes away what a search of a filter spent.
    mutating func spend(_ cost: Int, of filter: Int, _ effort: SearchEffort) {
        if effort == .ofRun { remaining[filter] = max(0, remaining[filter] - cost) }
    }
}
