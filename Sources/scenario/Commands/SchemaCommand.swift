internal import Accounts
internal import Documents
internal import Reports
internal import Scenarios

/// `scenario schema`: JSON Schemas of the files, for editors.
enum SchemaCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "schema",
        summary: "Write the JSON Schema of a kind of file, for editors, or of all JSON reports.",
        operands: OperandDefinition(
            placeholder: "KIND", summary: "account, scenario, keys or report.", kind: .words,
            words: .words(kinds)),
        discussion: [
            """
            Editors with a language server for YAML use it to show mistakes and to complete keys. A file names its schema \
            in a first line such as `# yaml-language-server: $schema=account.schema.json`. `scenario lint` finds the \
            mistakes that a schema cannot describe.
            """,
            """
            The schema of reports is that of all that this version writes by --format json; each kind of report is one of \
            its definitions.
            """,
        ],
        examples: [
            "scenario schema account > account.schema.json": "The schema of account files."
        ]
    )

    private static let reports = "report"
    private static let kinds = EditorSchema.allCases.map(\.rawValue) + [reports]

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let name = arguments.operands[0]
        if name == reports {
            console.output(ReportSchema.document)
            return .success
        }
        guard let kind = EditorSchema(rawValue: name) else {
            let known = kinds.map { "`\($0)`" }.joined(separator: ", ")
            throw UsageError("there is no schema of \(UsageError.quote(name))", hint: "there are schemas of \(known)")
        }
        switch kind {
        case .account: console.output(AccountSchema.document)
        case .scenario: console.output(ScenarioSchema.document)
        case .keys: console.output(KeyFileSchema.document)
        }
        return .success
    }
}
