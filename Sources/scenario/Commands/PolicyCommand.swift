internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Reports

/// `scenario policy`: the effects of policies, from the tables that the engine decides by.
enum PolicyCommand: ToolCommand {
    static let definition = CommandDefinition(
        name: "policy",
        summary: "Show which flags security policies reject, or how two policies differ.",
        operands: OperandDefinition(
            placeholder: "SPEC",
            summary: "A policy, rules,rejection,annotation, or a preset alone; or diff and two of them. "
                + "Without one a table of all presets.",
            kind: .words,
            minimum: 0,
            maximum: 3,
            words: .policies
        ),
        options: [account, formatOption, Options.output],
        discussion: ["A preset alone, such as strict, is read as default,strict,default."],
        examples: [
            "scenario policy": "The flags on which each preset rejects.",
            "scenario policy default,allow-root,all": "One policy, as `approov policy -get` shows it.",
            "scenario policy diff default strict": "The flags on which the policies differ.",
        ]
    )

    private static let account = Options.account.described(
        as: "Include the flags and rules that the account in FILE declares.")

    private static let formatOption = Options.format(
        PolicyReport.forms, summary: "Write the answer in this form; by default text.")

    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var account = Account()
        if let path = arguments[Self.account] {
            var diagnostics = Diagnostics()
            var review = FilterReview()
            let read = AccountOptions.load(
                path, within: arguments.reach, review: &review, diagnostics: &diagnostics)
            console.show(diagnostics)
            guard let read else { return .invalidInput }
            account = read
        }
        let question = try question(arguments.operands, account)
        let report = PolicyReport(on: question, in: account)
        return ReportOutput.write(report, arguments, of: definition, files: [], console) ? .success : .invalidInput
    }

    private static func question(_ operands: [String], _ account: Account) throws(UsageError) -> PolicyReport.Subject {
        guard let first = operands.first else { return .presets }
        guard first == "diff" else {
            guard operands.count == 1 else {
                throw UsageError("one policy is shown at a time", hint: "`policy diff SPEC SPEC` compares two")
            }
            return .policy(try policy(first, account))
        }
        guard operands.count == 3 else {
            throw UsageError("`policy diff` takes two policies", hint: "such as `policy diff default strict`")
        }
        return .difference(try policy(operands[1], account), try policy(operands[2], account))
    }

    private static func policy(_ text: String, _ account: Account) throws(UsageError) -> SecurityPolicy {
        do throws(PolicyError) {
            return try account.securityPolicy(text.contains(",") ? text : "default,\(text),default")
        } catch {
            throw UsageError(error)
        }
    }
}
