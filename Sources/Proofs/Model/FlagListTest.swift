internal import PolicyEngine

/// A test of the list of flags under one account (R7.2).
struct FlagListTest {
    let test: Filter.Test
    /// The space's flags that are in the list, in its order.
    private let order: [Int]
    // `nil` if the test is no regular expression.
    private let search: FlagListSearch?
    private let doubt: Doubt

    // The lists with undeclared flags for which the outcome of the test is unknown.
    private enum Doubt {
        case nothing
        /// Lists that have, behind the declared flags, one of some states.
        case states(UnknownFlags)
        /// All lists.
        case everything(OpenFilter.Reason)
    }

    // The subject of a variable for the unknown outcome of such a test.
    private struct Unknown: Hashable {
        let record: Int
        let test: Filter.Test
        let state: FlagListSearch.State?
        let side: Int?
    }

    /// - Parameters:
    ///   - known: The flags that the account knows, in catalogue order, by number and name, without those that the list leaves
    ///     out.
    ///   - others: The flags that only the other account knows.
    ///   - areOthersLeftOut: True if records have these flags and no others.
    init(
        _ test: Filter.Test, known: [(number: Int, name: String)], others: [(number: Int, name: String)],
        areOthersLeftOut: Bool, _ budget: ProofBudget
    ) throws(Undecided) {
        self.test = test
        order = (known + others).map(\.number)
        guard let tree = test.tree else {
            (search, doubt) = (nil, .everything(.pattern))
            return
        }
        guard let search = FlagListSearch(tree, names: (known + others).map(\.name)),
            let declared = FlagListSearch(tree, names: known.map(\.name))
        else { throw .size(.lists) }
        self.search = search
        if areOthersLeftOut {
            doubt = others.count > 1 ? .everything(.order) : .nothing
            return
        }
        let unknown = try UnknownFlags(declared, from: try declared.states(budget), budget)
        if unknown.turned.isEmpty {
            doubt = .nothing
        } else if others.isEmpty {
            doubt = .states(unknown)
        } else {
            doubt = .everything(.unknownFlags(example: unknown.example))
        }
    }

    /// The reason why it is not known exactly when it passes; `nil` if it is.
    var openReason: OpenFilter.Reason? {
        switch doubt {
        case .nothing: nil
        case .states(let unknown): .unknownFlags(example: unknown.example)
        case .everything(let reason): reason
        }
    }

    /// The formula that a record's list passes.
    ///
    /// - Parameters:
    ///   - flags: The formula of each flag of the space.
    ///   - side: The account.
    ///   - isLoose: True to let an unknown outcome be anything at all, rather than that of lists of declared flags alone.
    func passes(
        _ flags: (Int) -> Formula, record: Int, side: Int, isLoose: Bool, _ constraints: inout Constraints,
        _ budget: ProofBudget
    ) throws(Undecided) -> Formula {
        if isLoose, case .everything = doubt {
            return constraints.variable(for: Unknown(record: record, test: test, state: nil, side: side))
        }
        guard let search else { return .no }
        let states = try search.states(of: order.map(flags), &constraints, budget)
        var ways: [Formula] = []
        for (state, holds) in states {
            // Behind the same declared flags, other flags have the same consequence under both accounts.
            if isLoose, case .states(let unknown) = doubt, unknown.turned.contains(state) {
                let subject = Unknown(record: record, test: test, state: state, side: nil)
                ways.append(holds && constraints.variable(for: subject))
            } else if search.isFound(state) {
                ways.append(holds)
            }
        }
        return .disjunction(ways)
    }
}
