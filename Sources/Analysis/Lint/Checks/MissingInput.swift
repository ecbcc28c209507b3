internal import Accounts
internal import Documents
internal import PolicyEngine

/// A conjunction with an input that is no filter (R7.4).
enum MissingInput: LintCheck {
    static let information = LintInformation(
        code: "missing-input",
        why: "the conjunction never matches, so devices that it should reject or ban get valid tokens",
        mend: "add the filter that is missing, or take its name out of the conjunction",
        trips: "filters: [{name: farm, conjunction: [android7, lab], reject: true}]\n",
        passes: """
            filters:
              - {name: android7, key: device, regex: "Android 7"}
              - {name: lab, key: ip, match: 1.2.3.4}
              - {name: farm, conjunction: [android7, lab], reject: true}

            """)

    static func findings(in linted: LintedAccount, among all: [LintedAccount]) -> [LintFinding] {
        linted.account.filters.flatMap { filter in
            linted.account.missingInputs(of: filter).map { input in
                let ordinary = linted.account.filters.filter { $0.inputs == nil }.map(\.name)
                return LintFinding(
                    message: AccountWarning.missingInput(input, of: filter.name),
                    position: linted.position(ofFilter: filter.name),
                    hint: Suggestion.hint(for: input, among: ordinary))
            }
        }
    }
}
