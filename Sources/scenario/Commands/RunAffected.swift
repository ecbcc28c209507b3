internal import Documents
internal import Scenarios

/// `scenario run --affected-by`: only the scenarios that a change of an account can affect.
enum RunAffected {
    /// Names the account.
    static let option = OptionDefinition(
        "--affected-by", "Run only scenarios that a change of the account FILE since --base can affect.",
        .file(.readsAccount), relations: [.needs([OptionUse("--base")], hint: "such as `--base origin/main`")])

    /// Names the commit before.
    static let base = OptionDefinition(
        "--base", "The commit REF of git has the account before the change.", .text(placeholder: "REF"),
        relations: [.needs([option.given])])

    /// Leaves out the scenarios that the change does not affect.
    ///
    /// - Returns: `nil` after noting an error.
    static func select(
        among scenarios: [Scenario], _ arguments: ParsedArguments, _ diagnostics: inout Diagnostics
    ) -> AffectedScenarios? {
        guard let path = arguments.value(of: option), let reference = arguments.value(of: base) else {
            return AffectedScenarios(scenarios)
        }
        return AffectedScenarios(
            scenarios, byChangeOf: path, since: reference, seed: arguments.integer(of: .seed, as: UInt64.self),
            &diagnostics)
    }
}
