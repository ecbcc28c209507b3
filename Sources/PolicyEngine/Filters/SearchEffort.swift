/// How far a search goes that is not done quickly (R7.2).
enum SearchEffort {
    /// Not at all: it is given up, and somebody else makes it later.
    case putOff
    /// As far as the filter's budget of the run allows. What it finds depends on what was searched before.
    case ofRun
    /// So far that it depends on the value alone.
    case ofValue
}

/// What the searches of a run may cost for each filter, beside those that are done quickly (R7.2).
///
/// Steps are counted, as in ``SearchBudget``, and no clock is read.
package struct RunBudget {
    // By filter, and behind them for patterns of no filter.
    private var remaining: [Int]

    /// In place of a filter: patterns that belong to none.
    static let others = FilterSet.limit

    /// What a filter may spend in a run: some seconds' worth.
    package static let total = 2_000_000_000
    /// What one search may spend where no order of searches is the same in every run.
    static let ofValue = 20_000

    /// - Parameter total: What each filter may spend.
    init(total: Int) {
        remaining = Array(repeating: total, count: FilterSet.limit + 1)
    }

    /// Whether nothing is left for some filter.
    var isSpent: Bool { remaining.contains(0) }

    /// What a search of a filter may still spend.
    func limit(of filter: Int, _ effort: SearchEffort) -> Int {
        switch effort {
        case .putOff: 0
        case .ofRun: remaining[filter]
        case .ofValue: Self.ofValue
        }
    }

    /// Takes away what a search of a filter spent.
    mutating func spend(_ cost: Int, of filter: Int, _ effort: SearchEffort) {
        if effort == .ofRun { remaining[filter] = max(0, remaining[filter] - cost) }
    }
}
