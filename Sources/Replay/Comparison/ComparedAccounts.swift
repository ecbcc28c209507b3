package import PolicyEngine

/// The data of a comparison that follow from the two accounts themselves, whatever was evaluated by them.
package struct ComparedAccounts: Hashable, Sendable {
    /// The account's policy on both sides.
    var policies: Policies
    /// The difference between the account's rejection policies.
    var difference: PolicyDifference
    /// The differences that cannot be evaluated on a capture, in words.
    var unevaluated: [String]
    /// The filters that only the side after has.
    var newFilters: [NewFilter]

    struct Policies: Hashable, Sendable {
        var before: String
        var after: String
    }

    /// A filter, and the attribute that it looks at.
    struct NewFilter: Hashable, Sendable {
        var name: String
        var key: String
    }

    /// - Parameters:
    ///   - before: The account before.
    ///   - after: The account after.
    package init(before: Account, after: Account) {
        policies = Policies(before: before.policy.description, after: after.policy.description)
        difference = PolicyDifference(
            before.policy.rejection, of: before.catalogue, after.policy.rejection, of: after.catalogue)
        let change = AccountChange(from: before, to: after)
        unevaluated = UnevaluatedChanges.services(change)
        newFilters = change.newFilters.compactMap { filter in
            filter.key.map { NewFilter(name: filter.name, key: $0) }
        }
    }

    /// The differences that may change verdicts, and cannot be evaluated on a capture, in words.
    package var beyondCaptures: [String] { unevaluated.filter { $0 != UnevaluatedChanges.noBearing } }

    init(policies: Policies, difference: PolicyDifference, unevaluated: [String], newFilters: [NewFilter]) {
        (self.policies, self.difference) = (policies, difference)
        (self.unevaluated, self.newFilters) = (unevaluated, newFilters)
    }
}
