internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Reports

/// `scenario policy`: what policies do, from the tables that the engine decides by.
enum PolicyCommand: ToolCommand {
    /// What can be typed after `policy`.
    static let definition = CommandDefinition(
        name: "policy",
        summary: "Show what security policies reject, or how two of them differ.",
        operands: OperandDefinition(
            placeholder: "SPEC",
            summary: "A policy, rules,rejection,annotation, or a preset alone; or diff and two of them. "
                + "Without one a table of all presets.",
            kind: .words,
            minimum: 0,
            maximum: 3
        ),
        options: [account, .output],
        discussion: ["A preset alone, such as strict, is read as default,strict,default."],
        examples: [
            CommandExample(line: "scenario policy", summary: "Which preset rejects on which flag."),
            CommandExample(
                line: "scenario policy default,allow-root,all", summary: "One policy, as `approov policy -get` has it."),
            CommandExample(line: "scenario policy diff default strict", summary: "The flags that change sides."),
        ]
    )

    /// Whose flags and rules there are.
    private static let account = OptionDefinition.account.described(
        as: "Know the flags and rules that the account in FILE declares.")

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        var account = Account()
        if let path = arguments.value(of: Self.account) {
            var diagnostics = Diagnostics()
            let read = AccountLoader.load(path: path, diagnostics: &diagnostics)
            console.show(diagnostics)
            guard let read else { return .invalidInput }
            account = read
        }
        let text = try text(arguments.operands, account, ReportOutput.style(arguments, console))
        return ReportOutput.write(Array(text.utf8), arguments: arguments, console: console) ? .success : .invalidInput
    }

    private static func text(
        _ operands: [String], _ account: Account, _ style: TextStyle
    ) throws(UsageError) -> String {
        let writer = TextWriter(style: style)
        if operands.isEmpty { return writer.text(of: PolicySections.presets(over: account.catalogue)) }
        guard operands[0] == "diff" else {
            guard operands.count == 1 else {
                throw UsageError("one policy is shown at a time", hint: "`policy diff SPEC SPEC` compares two")
            }
            var shown = account
            shown.policy = try policy(operands[0], account)
            return PolicyText.lines(of: shown).map { $0 + "\n" }.joined()
        }
        guard operands.count == 3 else {
            throw UsageError("`policy diff` takes two policies", hint: "such as `policy diff default strict`")
        }
        return writer.text(
            of: PolicySections.difference(
                try policy(operands[1], account), try policy(operands[2], account), catalogue: account.catalogue))
    }

    private static func policy(_ text: String, _ account: Account) throws(UsageError) -> SecurityPolicy {
        do throws(PolicyError) {
            return try account.securityPolicy(text.contains(",") ? text : "default,\(text),default")
        } catch {
            throw UsageError(error)
        }
    }
}
