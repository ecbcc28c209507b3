internal import PolicyEngine

/// A test of the list of flags under one account (R7.2).
struct FlagListTest {
    let test: Filter.Test
    /// Which of the space's flags stand in the list, in its order.
    private let order: [Int]
    // `nil` where the test is no regular expression.
    private let search: FlagListSearch?
    private let doubt: Doubt

    // What is not known of lists with flags beyond those that the model has.
    private enum Doubt {
        case nothing
        /// In some states behind the declared flags it depends on flags that nobody declares.
        case states(UnknownFlags)
        /// Whenever the list is not known.
        case everything(OpenFilter.Reason)
    }

    // What a variable stands for that says what such a test finds.
    private struct Unknown: Hashable {
        let record: Int
        let test: Filter.Test
        let state: FlagListSearch.State?
        let side: Int?
    }

    /// - Parameters:
    ///   - test: The test.
    ///   - known: The flags that the account knows, in catalogue order, by number and name, without those that the list leaves
    ///     out.
    ///   - others: Those that only the other account knows.
    ///   - areOthersLeftOut: Whether records have these flags and no others.
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

    /// Why it is not known exactly when it passes; `nil` where it is.
    var openReason: OpenFilter.Reason? {
        switch doubt {
        case .nothing: nil
        case .states(let unknown): .unknownFlags(example: unknown.example)
        case .everything(let reason): reason
        }
    }

    /// Whether a record's list passes.
    ///
    /// - Parameters:
    ///   - flags: By flag of the space, whether it is set.
    ///   - record: The record.
    ///   - side: The account.
    ///   - isLoose: Whether what is not known is taken for anything at all, rather than for lists of declared flags alone.
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
