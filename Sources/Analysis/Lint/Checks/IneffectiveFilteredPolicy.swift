internal import Accounts
internal import Documents
internal import PolicyEngine

/// A filtered security policy that does nothing, or that nothing executes (R7.3).
enum IneffectiveFilteredPolicy: LintCheck {
    static let information = LintInformation(
        code: "ineffective-filtered-policy",
        why: "the account's policy decides on devices for which the filtered policy was meant",
        mend:
            "give the entry `++FilteredSecPolicy++w==` a policy whose rules differ from those of the "
            + "account, and let a filter or sampling execute it",
        trips: """
            sampling-percentage: 1
            devices: [{id: ++FilteredSecPolicy++w==, policy: "default,strict,default"}]

            """,
        passes: """
            rules: [special]
            sampling-percentage: 1
            devices: [{id: ++FilteredSecPolicy++w==, policy: "special,strict,default"}]

            """)

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        let account = linted.account
        let isAsked =
            account.samplingPercentage > .zero
            || account.filters.contains { $0.options.contains(.executeFilteredPolicy) }
        guard let entry = account.filteredPolicyEntry, entry.policy != nil else {
            return isAsked ? [finding("the filtered policy is asked for, but there is none", linted.position)] : []
        }
        let position = linted.position(ofDevice: entry.id)
        if let warning = AccountWarning.filteredPolicy(entry, of: account) { return [finding(warning, position)] }
        return isAsked ? [] : [finding("no filter and no sampling executes the filtered policy", position)]
    }

    private static func finding(_ message: String, _ position: SourcePosition?) -> LintFinding {
        LintFinding(message: message, position: position)
    }
}
