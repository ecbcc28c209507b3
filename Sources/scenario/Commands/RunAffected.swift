internal import Documents
internal import Scenarios

/// `scenario run --affected-by`: only the scenarios that a change of an account can affect.
enum RunAffected {
    /// Names the account.
    static let option = OptionDefinition(
        name: "--affected-by",
        value: .file(.readsAccount),
        summary: "Run only scenarios that a change of the account FILE since --base can affect."
    )

    /// Names the commit before.
    static let base = OptionDefinition(
        name: "--base",
        value: .text(placeholder: "REF"),
        summary: "Read the account before the change from the commit REF of git; needs --affected-by."
    )

    /// Refuses one of the options without the other.
    static func check(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.isSet(base), !arguments.isSet(option) {
            throw UsageError("`\(base.name)` needs `\(option.name)`")
        }
        if arguments.isSet(option), !arguments.isSet(base) {
            throw UsageError("`\(option.name)` needs `\(base.name)`", hint: "such as `\(base.name) origin/main`")
        }
    }

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
