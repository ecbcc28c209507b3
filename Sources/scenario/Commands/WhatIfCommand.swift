internal import Accounts
internal import Analysis
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario whatif`: the effect of every single edit of an account.
extension Command {
    static let whatif = Command(
        "whatif", "Report the effect of every single edit of an account on captured devices.",
        .files("CAPTURE", "A capture, plain, .gz or .zst; - is standard input."),
        options: [
            account, Options.policy, Options.change, AssumptionOptions.assume, AssumptionOptions.file,
            ConfidenceOption.option,
            maximumRejected.option,
            acceptedFlagOption, LabelOptions.labels, LabelOptions.cost, orderOption, formatOption, Options.outputs,
            Options.jobs,
        ] + NarrowingOptions.all + RedactionOptions.all + Options.captureReading + [Options.noProgress],
        discussion: """
            The edits are each preset, each reject flag added or removed, each filter removed or with one of its
            actions (reject, ban, risky, execFilteredSecPolicy) switched on or off, and each device entry removed.
            The captures are read once. The figures are those of `scenario diff --change` with the edit.

            With --assume all edits are evaluated on devices that show other flags or attributes than they did.

            The text leaves out edits that change nothing in these captures; the other forms include them.

            \(ConfidenceOption.discussion) The intervals of all edits hold together, and a limit of a share reports
            the edits that the sample proves to be within it (Holm).

            With --labels, each edit is reported with the bad devices that it catches and the good ones that it
            blocks. An edit is efficient if no other one catches as many, blocks as few and rejects as few unknown
            devices, and is better in one of these. A device without a label is unknown.
            """,
        examples: [
            "scenario whatif day.jsonl.gz --account prod.yaml --order newly-rejected":
                "Every single edit, those first that reject the most devices.",
            "scenario whatif day.jsonl --account prod.yaml --labels known.csv --cost missed=40,blocked=6 --order cost":
                "Every single edit, those first that save the most.",
            "scenario whatif day.txt --account prod.yaml --max-newly-rejected 0.1% --format csv":
                "The edits that newly reject almost no device, for a spreadsheet.",
        ],
        reports: [WhatIf.kind], takesSettings: true, answer: answer)

    private static let account = Options.account.described(
        as: "Edit the account in FILE; required, and new is a new one.")
    private static let maximumRejected = Limit<(figures: EditFigures, devices: Int)>(
        "--max-newly-rejected",
        summary: "Report only edits that newly reject at most this number of devices, or this share of them."
    ) { edit in
        // A device that could not be evaluated may be rejected.
        LimitedFigure(
            count: edit.figures.rejected.devices, all: edit.devices, unit: "devices",
            unevaluated: edit.figures.unevaluatedDevices)
    }
    private static let acceptedFlagOption = Option(
        "--newly-accepted-with", "Report only edits under which an attestation with FLAG newly passes.", .text("FLAG"))
    private static let orderOption = Option(
        "--order", "Report the edits in this order, the largest figures first; by default that of the account.",
        .choice(usually: WhatIf.Order.edit))
    private static let formatOption = Options.format(WhatIf.forms)

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        let selection = try selection(call.arguments)
        var question = try CaptureQuestion(call)
        try AccountOptions.requireAccount(call.arguments)
        try question.readAccounts()
        let review = question.review
        let (outcome, assumed) = try question.askAssuming { CaptureEdits($0, review, selection).run(progress: $1) }
        try call.require(outcome.diagnostics)
        guard var effects = outcome.effects else { throw .shown(.invalidInput) }
        guard effects.attestations > 0 else {
            let rest = NarrowingOptions.remainder(call.arguments)
            throw call.failure("nothing to evaluate: there is no attestation\(rest)", .nothingRan)
        }
        effects.assumed = assumed
        effects.hideValues(by: call.redactor)
        try call.write { call in
            var effects = effects
            effects.narrowed = NarrowingOptions.shown(call)
            effects.assumed?.hideValues(by: call.redactor)
            return effects
        }
        let nothing = "nothing was evaluated: what the edits would do is known of no device"
        return call.end(nothing: effects.evaluatesAnything ? nil : nothing)
    }

    private static func selection(_ arguments: ParsedArguments) throws(CommandFailure) -> CaptureEdits.Selection {
        var selection = CaptureEdits.Selection()
        selection.confidence = try ConfidenceOption.level(arguments, testing: [maximumRejected.option])
        if selection.confidence != nil {
            selection.certainLimit = ConfidenceOption.share(of: maximumRejected.option, arguments)
        } else if let allows = maximumRejected.test(arguments) {
            selection.limit = { allows((figures: $0, devices: $1)) }
        }
        (selection.acceptedFlag, selection.order) = (arguments[acceptedFlagOption], arguments[orderOption])
        selection.cost = try LabelOptions.cost(arguments)
        if selection.order == .cost, selection.cost == nil {
            throw .usage("`\(orderOption.name) cost` needs `\(LabelOptions.cost.name)`")
        }
        return selection
    }
}
