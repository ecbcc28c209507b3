internal import Accounts
internal import Documents
internal import PolicyEngine

/// `scenario approov`: a management command on an account file.
enum ApproovCommand: ToolCommand {
    /// What can be typed after `approov`.
    static let definition = CommandDefinition(
        name: "approov",
        summary: "Carry out a management command on an account file.",
        operands: OperandDefinition(
            placeholder: "COMMAND",
            summary: "The command as it would be typed after `approov`; everything from its first word on is taken.",
            kind: .commandLine,
            maximum: nil
        ),
        options: [account, yesOption, roleOption, userOption, timeOption],
        discussion: [
            """
            Prints what the service would print, asks for the confirmations that it would ask for, and refuses what \
            it would refuse. A change is written into FILE as a whole or not at all, and whatever it does not concern \
            stays as it is, comments and layout included. No device has attested at a file: what is asked about \
            devices is answered accordingly.
            """,
            """
            The commands are those of the topics policy, device, filter, devicecheck, safetynet, appsigncert, \
            registration, api, token, secret and keyset.
            """,
            """
            Keys stand in a file of their own, which `keys` of the account names and nobody but its owner may read. The \
            first command that makes a key makes the file. Keys that are missing there follow from the account's name; \
            they are no secrets, and commands that use them say so.
            """,
            """
            Exits with 0 when the command was carried out, 2 when it was refused, not confirmed, or FILE cannot be \
            read or written, and 3 when there is no such command.
            """,
        ],
        examples: [
            CommandExample(
                line: "scenario approov --account prod.yaml policy -get",
                summary: "What the policy of the account means, flag by flag."
            ),
            CommandExample(
                line: "alias approov='scenario approov --account prod.yaml'",
                summary: "From now on, lines of a runbook can be typed as they stand."
            ),
            CommandExample(
                line: "scenario approov --account prod.yaml --yes policy -set default,allow-root,risk",
                summary: "A change that is confirmed beforehand, for scripts."
            ),
        ]
    )

    /// Whose file it is.
    fileprivate static let account = OptionDefinition.account.described(
        as: "The account that is asked or changed; needed, and it has to be there.")

    /// Answers what has to be confirmed.
    private static let yesOption = OptionDefinition(
        name: "--yes", summary: "Answer `YES` to what has to be confirmed, instead of reading standard input.")

    /// As whom the command is given.
    private static let roleOption = OptionDefinition(
        name: "--role",
        value: .choice(of: CommandRole.self),
        summary: "Give the command with this role; by default admin."
    )

    /// Under which name.
    private static let userOption = OptionDefinition(
        name: "--user",
        value: .text(placeholder: "NAME"),
        summary: "Give the command under this name, which new devices and registrations keep; by default the role's."
    )

    /// When the command is given.
    private static let timeOption = OptionDefinition(
        name: "--at",
        value: .text(placeholder: "INSTANT"),
        summary:
            "Say what time it is, such as 2020-07-23T00:00:00Z, where tokens are made or checked, and registrations listed or removed by age."
    )

    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        guard let path = arguments.value(of: account) else { throw .missingAccount }
        let context = try context(arguments)
        let command = try command(arguments.operands)
        var diagnostics = Diagnostics()
        let file = AccountFile(path: path, diagnostics: &diagnostics)
        guard let file else {
            console.show(diagnostics)
            return .invalidInput
        }
        // What the file is warned about is not news; what the command brings about is, and who can read the keys.
        for diagnostic in diagnostics.all where diagnostic.file != path { console.show(diagnostic) }
        let isConfirmed = arguments.isSet(yesOption)
        return carryOut(command, on: file, in: context, isConfirmed: isConfirmed, console)
    }

    private static func carryOut(
        _ command: ManagementCommand, on file: AccountFile, in context: CommandContext, isConfirmed: Bool,
        _ console: Console
    ) -> ExitStatus {
        var account = file.account
        let outcome = console.attempt(in: file.path) { () throws(CommandError) in
            let effect = try command.apply(to: &account, in: context)
            return (effect, try effect.printed + (effect.query?.answerWithoutDevices(of: account) ?? []))
        }
        guard let (effect, answer) = outcome else { return .invalidInput }
        for warning in effect.warnings {
            console.show(Diagnostic(severity: .warning, file: file.path, message: warning))
        }
        guard isAgreed(effect.confirmation, isConfirmed: isConfirmed, console) else { return .invalidInput }
        guard !command.changesAccount || write(account, to: file, console) else { return .invalidInput }
        for output in effect.files {
            guard write(output, besides: file, console) else { return .invalidInput }
        }
        console.print(answer + effect.reported)
        return .success
    }

    // Asks what has to be confirmed; without consent nothing happens.
    private static func isAgreed(
        _ confirmation: CommandConfirmation?, isConfirmed: Bool, _ console: Console
    ) -> Bool {
        guard let confirmation else { return true }
        console.print(confirmation.introduction)
        console.output(confirmation.question)
        let answer = isConfirmed ? CommandConfirmation.consent : console.input()
        if isConfirmed || !console.showsInput || answer == nil {
            console.output((answer?.showingControls() ?? "") + "\n")
        }
        if answer == CommandConfirmation.consent { return true }
        console.show(error: "not confirmed, so nothing was changed")
        return false
    }

    private static func write(_ changed: Account, to file: AccountFile, _ console: Console) -> Bool {
        var account = changed
        let hasNewKeys = !account.hasKeys(of: file.account)
        if hasNewKeys, account.keyFile == nil { account.keyFile = KeyFile.newName(besides: file.path) }
        let hint = "nothing was changed"
        let edited = console.attempt(in: file.path, hint: hint) { () throws(EditFailure) in
            try file.bytes(saying: account)
        }
        guard let edited else { return false }
        let written: Void? = console.attempt(in: file.path, hint: hint) { () throws(FileFailure) in
            // First the keys: an account that names keys which are not there would be one without secrets.
            if hasNewKeys { try KeyFile.write(account, besides: file.path) }
            if let edited { try file.replace(with: edited) }
        }
        return written != nil
    }

    private static func write(_ output: CommandFile, besides file: AccountFile, _ console: Console) -> Bool {
        let kept = [file.path] + (file.account.keyFile.map { [KeyFile.path($0, besides: file.path)] } ?? [])
        if kept.contains(where: { FileLocation($0).isSame(as: FileLocation(output.path)) }) {
            console.show(Diagnostic(file: output.path, message: "this is a file of the account"))
            return false
        }
        let written: Void? = console.attempt(in: output.path) { () throws(FileFailure) in
            try OutputFile.write(Array(output.text.utf8), to: output.path, isSecret: output.isSecret)
        }
        return written != nil
    }

    private static func context(_ arguments: ParsedArguments) throws(UsageError) -> CommandContext {
        let role = arguments.choice(of: roleOption, as: CommandRole.self) ?? .admin
        let text = arguments.value(of: timeOption)
        let time = text.flatMap { Instant(rfc3339: $0) }
        if let text, time == nil { throw .badTime(text) }
        var context = CommandContext(time: time, role: role)
        context.user = arguments.value(of: userOption)
        // Keys of an account file are to be secret.
        (context.writesFiles, context.chance) = (true, .system)
        return context
    }

    private static func command(_ words: [String]) throws(UsageError) -> ManagementCommand {
        do throws(CommandError) {
            return try ManagementCommand(words: words)
        } catch {
            throw UsageError(error, hint: hint(for: words))
        }
    }

    // Options of ours that stand behind the command were probably meant for us.
    private static func hint(for words: [String]) -> String? {
        let names = definition.allOptions.map(\.name)
        guard let ours = words.first(where: { word in names.contains { $0 == word || word.hasPrefix($0 + "=") } })
        else { return nil }
        return "\(UsageError.quote(ours)) stands before the command"
    }
}

extension Console {
    /// Writes lines of the result, without what a terminal would act on.
    fileprivate func print(_ lines: [String]) {
        if !lines.isEmpty { output(lines.map { $0.showingControls() + "\n" }.joined()) }
    }
}

extension UsageError {
    fileprivate static var missingAccount: UsageError {
        UsageError(
            "option `\(ApproovCommand.account.label)` is missing",
            hint: "a command is carried out on an account file")
    }

    fileprivate static func badTime(_ text: String) -> UsageError {
        UsageError("`--at` takes an instant such as `2020-07-23T00:00:00Z`, not \(quote(text))")
    }
}
