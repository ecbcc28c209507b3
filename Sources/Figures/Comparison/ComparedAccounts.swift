package import PolicyEngine

/// The data of a comparison that follow from the two accounts themselves, whatever was evaluated by them.
package struct ComparedAccounts: Figure, Hashable {
    /// The name of the account before; empty if it has none.
    package private(set) var name = ""
    /// The account's policy on both sides.
    package private(set) var policies = Policies()
    /// The difference between the account's rejection policies.
    private(set) var difference = PolicyDifference()
    /// True if the accounts differ in nothing.
    package private(set) var areEqual = false
    /// True if it is known that the change turns no verdict, whatever the devices are.
    package private(set) var turnNothing = false
    /// The differences that cannot be evaluated on a capture, in words.
    private(set) var unevaluated: [String] = []
    /// The filters that only the side after has.
    private(set) var newFilters: [NewFilter] = []
    /// The decided rules on which the change itself rests.
    private(set) var decidedRules: DecidedRules = []

    package static let fields: [FigureField<ComparedAccounts>] = [
        .value("name", \.name), .value("policies", \.policies), .value("difference", \.difference),
        .value("equal", \.areEqual), .value("turn-nothing", \.turnNothing),
        .value("unevaluated", \.unevaluated),
        .value("new-filters", \.newFilters), .value("decided-rules", \.decidedRules),
    ]

    package struct Policies: Figure, Hashable {
        package var before = ""
        package var after = ""

        package static let fields: [FigureField<Policies>] = [
            .value("before", \.before, "The policy before the change."),
            .value("after", \.after, "The policy after the change."),
        ]

        package init() {}
    }

    /// A filter, and the attribute that it looks at.
    package struct NewFilter: Figure, Hashable {
        var name = ""
        var key = ""

        package static let fields: [FigureField<NewFilter>] = [.value("name", \.name), .value("key", \.key)]

        package init() {}
    }

    package init() {}

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    ///   - decidedRules: The decided rules on which the change itself rests.
    ///   - turnNothing: True if it is known that the change turns no verdict, whatever the devices are.
    ///   - areAssumed: True if the account after sees other records, which may turn verdicts by themselves.
    package init(
        before: Account, after: Account, decidedRules: DecidedRules = [], turnNothing: Bool = false,
        areAssumed: Bool = false
    ) {
        self.decidedRules = decidedRules
        name = before.name
        (policies.before, policies.after) = (before.policy.description, after.policy.description)
        difference = PolicyDifference(
            before.policy.rejection, of: before.catalogue, after.policy.rejection, of: after.catalogue)
        let change = AccountChange(from: before, to: after)
        areEqual = change.parts.isEmpty
        self.turnNothing = (turnNothing || areEqual) && !areAssumed
        unevaluated = UnevaluatedChanges.services(change)
        newFilters = change.newFilters.compactMap { filter in
            filter.key.map { key in NewFilter { ($0.name, $0.key) = (filter.name, key) } }
        }
    }

    /// The differences that may change verdicts, and cannot be evaluated on a capture, in words.
    package var beyondCaptures: [String] { unevaluated.filter { $0 != UnevaluatedChanges.noBearing } }
}
