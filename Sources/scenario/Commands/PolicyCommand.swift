internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Reports

/// `scenario policy`: the effects of policies, from the tables that the engine decides by.
extension Command {
    static let policy = Command(
        "policy", "Show which flags security policies reject, or how two policies differ.",
        .words(
            "SPEC",
            "A policy, rules,rejection,annotation, or a preset alone; or diff and two of them. "
                + "Without one a table of all presets.", minimum: 0, maximum: 3, completing: .policies),
        options: [account, formatOption, Options.output],
        discussion: "A preset alone, such as strict, is read as default,strict,default.",
        examples: [
            "scenario policy": "The flags on which each preset rejects.",
            "scenario policy default,allow-root,all": "One policy, as `approov policy -get` shows it.",
            "scenario policy diff default strict": "The flags on which the policies differ.",
        ],
        reports: PolicyReport.kinds, answer: answer)

    private static let account = Options.account.described(
        as: "Include the flags and rules that the account in FILE declares.")
    private static let formatOption = Options.format(
        PolicyReport.forms, summary: "Write the answer in this form; by default text.")

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let account = try call.reading { diagnostics in AccountOptions.account(call.arguments, &diagnostics) }
        let report = PolicyReport(on: try question(call.operands, account), in: account)
        try call.write(ReportSource(files: [])) { _ in report }
        return .success
    }

    private static func question(_ operands: [String], _ account: Account) throws(CommandFailure)
        -> PolicyReport.Subject
    {
        guard let first = operands.first else { return .presets }
        guard first == "diff" else {
            guard operands.count == 1 else {
                throw .usage("one policy is shown at a time", hint: "`policy diff SPEC SPEC` compares two")
            }
            return .policy(try policy(first, account))
        }
        guard operands.count == 3 else {
            throw .usage("`policy diff` takes two policies", hint: "such as `policy diff default strict`")
        }
        return .difference(try policy(operands[1], account), try policy(operands[2], account))
    }

    private static func policy(_ text: String, _ account: Account) throws(CommandFailure) -> SecurityPolicy {
        do throws(PolicyError) {
            return try account.securityPolicy(text.contains(",") ? text : "default,\(text),default")
        } catch {
            throw .usage(by: error)
        }
    }
}
