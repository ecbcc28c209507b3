internal import Accounts
internal import Analysis
internal import Documents
internal import PolicyEngine
internal import Proofs
internal import Reports

/// `scenario prove`: whether a change turns a verdict on any possible device.
extension Command {
    static let prove = Command(
        "prove", "Prove that a change of policy turns no verdict on any device, or find the smallest device.",
        options: [
            account, ChangeOptions.change, Options.changes, ChangeOptions.policy, ChangeOptions.candidate, newly,
            timeout, formatOption, Options.output,
        ],
        choice: ChangeOptions.choice,
        discussion: """
            The account before is --account. A device may have any flags, those that no account declares among them,
            and any values of attributes, may attest as often as it likes, during outages of the primary service
            too, where the failover answers without filters, and may have an entry. Every device that is found was
            evaluated by both accounts.

            Exits with 0 when no verdict turns, with 4 when a device was found, and with 6 when a question has no
            answer: it took too long, a filter has a pattern that is not a regular expression or searches for flags
            that no account declares, or the change has effects that no record shows.
            """,
        examples: [
            #"scenario prove --account prod.yaml --change "filter -remove tester" --newly rejected"#:
                "Answers whether the command can shut out any device.",
            "scenario prove --account prod.yaml --candidate next.yaml --newly accepted --format jsonl":
                "The smallest device that only the other account accepts, as a capture.",
        ],
        reports: [ChangeProof.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Change the account in FILE; required, and new is a new one.")
    private static let newly = Option(
        "--newly", "Ask only whether a device would newly be rejected, or accepted; by default both.",
        .choice(of: Prover.Direction.self))
    private static let timeout = Option(
        "--timeout", "Give up on a question after DURATION, by default 10s.",
        .duration(least: 1, usually: ChangeProof.usualLimit), in: .running)
    private static let formatOption = Options.format(
        ChangeProof.forms, summary: "Write the report in this form; by default text. jsonl is the device alone.",
        relations: [
            .needs([newly.given], hint: "the devices of two questions may be the same")
                .when(ReportForm.jsonl.rawValue)
        ])

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        try AccountOptions.requireAccount(call.arguments)
        let accounts = try call.reading { diagnostics in
            var review = FilterReview()
            return AccountOptions.changed(call.arguments, review: &review, diagnostics: &diagnostics)
        }
        guard Prover.hasSolver else {
            throw call.failure(
                "the library of Z3, which finds proofs, is not installed: install the package libz3-4, or for "
                    + "Python `policy-scenario[prove]`")
        }
        let proof = ChangeProof(
            before: accounts.before, after: accounts.after, call[newly], limit: call[timeout],
            decidedRules: accounts.decidedRules)
        try call.write(ReportSource(files: [])) { _ in proof }
        if call.arguments.form == .jsonl, proof.hasOutage {
            call.console.show(
                warning: "the verdict turns where the failover answers; a capture does not say which service answered, "
                    + "so a replay of these records shows no difference")
        }
        if proof.isRefuted { return .limitExceeded }
        return proof.isProved ? .success : .notDecided
    }
}
