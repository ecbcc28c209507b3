internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Replay

/// A filter that can never match, whatever attests.
enum FilterNeverMatches: LintCheck {
    static let information = LintInformation(
        code: "filter-never-matches",
        why: "the filter looks like a protection, but has no effect",
        mend: "correct the value, or take the filter out",
        trips: "filters: [{name: risky, key: flags-all, match: risky-device, reject: true}]\n",
        passes: "filters: [{name: hooked, key: flags-all, match: 'rooted,xposed', reject: true}]\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        linted.account.filters.compactMap { filter in
            reason(filter, linted.account).map { reason in
                LintFinding(
                    message: FilterReview.neverMatches(filter, because: reason),
                    position: linted.position(ofFilter: filter.name))
            }
        }
    }

    private static func reason(_ filter: Filter, _ account: Account) -> String? {
        switch filter.test {
        case .exact(let key, let value): reason(key: key, value: value, account)
        case .conjunction(let inputs): conflict(among: inputs, account)
        case .regex: nil
        }
    }

    private static func reason(key: String, value: String, _ account: Account) -> String? {
        switch key {
        case "flags-all", "public-flags":
            FilterReview.reason(noValueOf: key, is: value) ?? reason(flags: value, account.catalogue)
        case "device-id":
            DeviceID(value) == nil ? "\(value.quoted) is not a device ID" : nil
        case "user-property":
            UserProperty.sent(value) == value ? nil : "clients send no such property"
        default: FilterReview.reason(noValueOf: key, is: value)
        }
    }

    // R7.2: the flags in catalogue order, joined by commas, without `new-did` and `risky-device`.
    private static func reason(flags value: String, _ catalogue: FlagCatalogue) -> String? {
        guard !value.isEmpty else { return nil }
        var latest: Flag?
        for name in value.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let flag = catalogue.namedFlag(name), catalogue[flag].name == name else {
                return "\(name.quoted) is not a flag, and flags are joined by single commas"
            }
            if [.newDevice, .riskyDevice].contains(flag) { return "\("flags-all".quoted) leaves out \(name.quoted)" }
            if let latest, flag <= latest { return "flags are in the order of the catalogue" }
            latest = flag
        }
        return nil
    }

    // Two exact inputs want other values of one attribute.
    private static func conflict(among inputs: [String], _ account: Account) -> String? {
        var wanted: [ExactText: (name: String, value: ExactText)] = [:]
        for filter in account.filters where inputs.contains(filter.name) {
            guard case .exact(let key, let value) = filter.test else { continue }
            if let other = wanted[ExactText(key)], other.value != ExactText(value) {
                let names = "\(other.name.quoted) and \(filter.name.quoted)"
                return "its inputs \(names) want different values of \(key.quoted)"
            }
            wanted[ExactText(key)] = (filter.name, ExactText(value))
        }
        return nil
    }
}
