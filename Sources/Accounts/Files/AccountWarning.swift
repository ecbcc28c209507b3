internal import Documents
package import PolicyEngine

/// Warnings about parts of an account that are legal and probably not meant.
package enum AccountWarning {
    /// R5.4.
    package static let annotatesEverything =
        "the annotation policy `all` on a whole account tells attackers why they are rejected"

    /// R14.2a.
    static let noDomains = "the account lists no API domain any more, so none is served"

    /// R7.4.
    package static func missingInput(_ input: String, of name: String) -> String {
        "input \(input.quoted) of conjunction \(name.quoted) is not a filter, so the conjunction never matches"
    }

    /// Manual, Continuous Pinning Testing: a full URL with `https`.
    static func pinningTestURL(_ url: String) -> String? {
        let scheme = "https://"
        let isFull = url.lowercased().hasPrefix(scheme) && url.utf8.count > scheme.utf8.count
        return isFull ? nil : "the pinning test URL \(url.quoted) is not a full URL with `https`"
    }

    /// R4.4.
    static func customBase(of policy: RejectionPolicy) -> String? {
        guard policy.isCustom, policy.base == .whitelist || policy.base == .blacklist else { return nil }
        return "a custom policy made from `\(policy.base.rawValue)` keeps its hidden attributes"
    }

    /// R3.2 and R7.3.
    package static func filteredPolicy(_ entry: DeviceEntry, of account: Account) -> String? {
        guard entry.id.isFilteredPolicy, let policy = entry.policy else { return nil }
        if policy.rules == account.policy.rules {
            return "the filtered policy has no effect, because the account has the same rules, `\(policy.rules)`"
        }
        if !account.rules.contains(policy.rules) {
            return "the filtered policy has no effect, because the account does not declare its rules `\(policy.rules)`"
        }
        return nil
    }
}
