internal import Accounts
internal import Documents
internal import Scenarios

/// `scenario schema`: JSON Schemas of the files, for editors.
extension Command {
    static let schema = Command(
        "schema", "Write the JSON Schema of a kind of file, for editors, or of all JSON reports.",
        .words("KIND", "account, scenario, keys or report.", completing: .words(kinds)),
        discussion: """
            Editors with a language server for YAML use it to show mistakes and to complete keys. A file names its
            schema in a first line such as `# yaml-language-server: $schema=account.schema.json`. `scenario lint`
            finds the mistakes that a schema cannot describe.

            The schema of reports is that of all that this version writes by --format json; each kind of report is
            one of its definitions.
            """,
        examples: [
            "scenario schema account > account.schema.json": "The schema of account files."
        ],
        answer: answer)

    private static let reports = "report"
    private static let kinds = EditorSchema.allCases.map(\.rawValue) + [reports]

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let name = call.operands[0]
        if name == reports {
            call.console.output(ToolDefinition.scenario.reportSchema)
            return .success
        }
        guard let kind = EditorSchema(rawValue: name) else {
            let known = kinds.map { "`\($0)`" }.joined(separator: ", ")
            throw .usage("there is no schema of \(name.asTyped)", hint: "there are schemas of \(known)")
        }
        switch kind {
        case .account: call.console.output(AccountSchema.document)
        case .scenario: call.console.output(ScenarioSchema.document)
        case .keys: call.console.output(KeyFileSchema.document)
        }
        return .success
    }
}

extension EditorSchema {
    /// The keys of files of this kind; a scenario has those of an account besides.
    var keys: [DescribedKey] {
        switch self {
        case .account: AccountSchema.schema.keys()
        case .scenario:
            ScenarioSchema.schema.keys(ScenarioSchema.definitions.filter { $0.name != Self.account.rawValue })
        case .keys: KeyFileSchema.schema.keys()
        }
    }
}
