internal import Documents
internal import PolicyEngine

/// A regular expression over the flags whose text is part of more flags' names than was meant (manual, Regular
/// Expression Filtering).
enum FlagNameWithinAnother: LintCheck {
    static let information = LintInformation(
        code: "flag-name-within-another",
        why: "a search in `flags-all` finds a name inside longer ones, so the filter matches more devices than it says",
        mend: "bound the name by the commas of the list: `regex: '(^|,)xposed(,|$)'`",
        trips: "filters: [{name: hooked, key: flags-all, regex: xposed, reject: true}]\n",
        passes: "filters: [{name: hooked, key: flags-all, regex: '(^|,)xposed(,|$)', reject: true}]\n")

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        linted.account.filters.compactMap { filter in
            guard case .regex(let key, let pattern) = filter.test, ["flags-all", "public-flags"].contains(key),
                pattern.source.utf8.allSatisfy({ $0.isDigit || $0.isLetter || $0 == UInt8(ascii: "-") })
            else { return nil }
            let found = linted.account.catalogue.declaredNames.filter { $0.contains(pattern.source) }
            guard found.count > 1 else { return nil }
            return LintFinding(
                message: "filter \(filter.name.quoted) searches \(pattern.source.quoted), which is found in "
                    + found.map(\.quoted).joined(separator: ", "),
                position: linted.position(ofFilter: filter.name))
        }
    }
}
