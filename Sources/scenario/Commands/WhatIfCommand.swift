internal import Accounts
internal import Documents
internal import Figures
internal import PolicyEngine
internal import Replay
internal import Reports

/// `scenario whatif`: the effect of every single edit of an account.
enum WhatIfCommand: ToolCommand {
    /// The operands and options of `whatif`.
    static let definition = CommandDefinition(
        name: "whatif",
        summary: "Say what every single edit of an account would do to captured devices.",
        operands: OperandDefinition(
            placeholder: "CAPTURE",
            summary: "A capture, plain, .gz or .zst; - is standard input.",
            kind: .files,
            minimum: 1,
            maximum: nil
        ),
        options: [
            account, .policy, .change, maximumRejectedOption, acceptedFlagOption, orderOption, formatOption, .output,
            .jobs,
        ] + OptionDefinition.captureReading + [.noProgress],
        discussion: [
            """
            The edits are each preset, each reject flag added or removed, each filter removed or with one of its actions \
            (reject, ban, risky, execFilteredSecPolicy) switched on or off, and each device entry removed. The captures are \
            read once. The figures are those of `scenario diff --change` with the edit.
            """,
            """
            The text leaves out edits that change nothing here; the other forms have them, too.
            """,
        ],
        examples: [
            CommandExample(
                line: "scenario whatif day.jsonl.gz --account prod.yaml --order newly-rejected",
                summary: "Every single edit, those first that reject the most devices."
            ),
            CommandExample(
                line: "scenario whatif day.txt --account prod.yaml --max-newly-rejected 0.1% --format csv",
                summary: "The edits that newly reject hardly anybody, for a spreadsheet."
            ),
        ]
    )

    /// The account that is edited.
    private static let account = OptionDefinition.account.described(
        as: "Edit the account in FILE; needed, and new is a new one.")

    /// Leaves out edits that reject more.
    private static let maximumRejectedOption = OptionDefinition(
        name: "--max-newly-rejected",
        value: .text(placeholder: "N|P%"),
        summary: "Report only edits that newly reject at most so many devices, or such a share of them."
    )

    /// Leaves out edits that do not let a flag pass.
    private static let acceptedFlagOption = OptionDefinition(
        name: "--newly-accepted-with",
        value: .text(placeholder: "FLAG"),
        summary: "Report only edits under which an attestation with FLAG newly passes."
    )

    /// The order of the report.
    private static let orderOption = OptionDefinition(
        name: "--order",
        value: .choice(of: WhatIf.Order.self),
        summary: "Report the edits in this order, the largest figures first; by default that of the account."
    )

    /// The form of the report.
    private static let formatOption = OptionDefinition.format(WhatIfFormat.self)

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        let limit = try DeviceLimit(maximumRejectedOption, arguments)
        var request = try CaptureOptions.request(arguments)
        try AccountOptions.requireAccount(arguments)
        var diagnostics = Diagnostics()
        var review = FilterReview()
        let account = AccountOptions.account(arguments, review: &review, diagnostics: &diagnostics)
        console.show(diagnostics)
        guard let account else { return .invalidInput }
        request.account = account
        let edits = SingleEdits.all(of: account)
        let line = ProgressLine(console: console, isShown: !arguments.isSet(.noProgress))
        var outcome = CaptureWhatIf(request, edits: edits.map(\.account), progress: line.progress).run()
        line.clear()
        if outcome.attestations > 0 {
            outcome.diagnostics.add(review.warnings(on: account.filters, attributes: outcome.attributes))
        }
        console.show(outcome.diagnostics)
        guard !outcome.diagnostics.hasErrors, let figures = outcome.figures else { return .invalidInput }
        guard outcome.attestations > 0 else {
            console.show(error: "nothing to evaluate: there is no attestation")
            return .nothingRan
        }
        let known = account.catalogue.declaredNames + figures.unknownFlags.keys
        guard isFlagKnown(arguments, known, console) else { return .invalidInput }
        var whatIf = WhatIf(outcome, commands: edits.map(\.command))
        whatIf.account = account.name
        select(&whatIf, limit, devices: outcome.devices, arguments)
        return write(whatIf, arguments, console)
    }

    // A mistyped name must not look like an edit that does no harm.
    private static func isFlagKnown(_ arguments: ParsedArguments, _ known: [String], _ console: Console) -> Bool {
        guard let name = arguments.value(of: acceptedFlagOption),
            !known.contains(where: { ExactText($0) == ExactText(name) })
        else { return true }
        console.show(
            Diagnostic(
                file: acceptedFlagOption.name,
                message: "neither the account nor a record has the flag \(name.quoted)",
                hint: Suggestion.hint(for: name, among: known)))
        return false
    }

    private static func select(
        _ whatIf: inout WhatIf, _ limit: DeviceLimit?, devices: Int, _ arguments: ParsedArguments
    ) {
        if let limit {
            // An unjudged device may be rejected.
            whatIf.keep { limit.allows($0.figures.rejected.devices + $0.figures.unevaluatedDevices, of: devices) }
        }
        if let name = arguments.value(of: acceptedFlagOption) {
            whatIf.keep { $0.figures.acceptedFlags.contains(ExactText(name)) }
        }
        whatIf.sort(by: arguments.choice(of: orderOption, as: WhatIf.Order.self) ?? .edit)
    }

    private static func write(_ whatIf: WhatIf, _ arguments: ParsedArguments, _ console: Console) -> ExitStatus {
        let format = arguments.choice(of: formatOption, as: WhatIfFormat.self) ?? .text
        let origin = ReportOrigins.origin(
            arguments, of: definition, files: arguments.operands, isNeeded: format == .html)
        let bytes = format.bytes(of: whatIf, style: ReportOutput.style(arguments, console), origin: origin)
        return ReportOutput.write(bytes, arguments: arguments, console: console) ? .success : .invalidInput
    }
}
