internal import Accounts
internal import PolicyEngine

/// A filter on an attribute that the service does not collect, and that no available device or record has.
enum UnknownFilterKey: LintCheck {
    static let information = LintInformation(
        code: "unknown-filter-key",
        why:
            "a filter on a key that is not there never matches (R7.2), so it looks like a protection, but has no effect",
        mend: "correct the key, or let records have it",
        trips: "filters: [{name: tablets, key: form-factor, match: tablet, reject: true}]\n",
        passes: "filters: [{name: tablets, key: device, regex: Tab, reject: true}]\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        linted.account.filters.compactMap { filter in
            FilterReview.unknownKey(of: filter, attributes: linted.attributes).map { finding in
                LintFinding(
                    message: finding.message, position: linted.position(ofFilter: filter.name), hint: finding.hint)
            }
        }
    }
}
