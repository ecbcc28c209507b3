internal import Accounts
internal import Documents
internal import PolicyEngine

/// `scenario approov`: a management command on an account file.
enum ApproovCommand {
    /// Runs the command.
    static func run(_ arguments: ParsedArguments, console: Console) throws(UsageError) -> ExitStatus {
        guard let path = arguments.value(of: accountOption) else { throw .missingAccount }
        let context = try context(arguments)
        let command = try command(arguments.operands)
        var diagnostics = Diagnostics()
        let file = AccountFile(path: path, diagnostics: &diagnostics)
        guard let file else {
            console.show(diagnostics)
            return .invalidInput
        }
        // What the file is warned about is not news; what the command brings about is, and who can read the keys.
        for diagnostic in diagnostics.all where diagnostic.file != path { console.show(Diagnostics(diagnostic)) }
        let isConfirmed = arguments.isSet(yesOption)
        return carryOut(command, on: file, in: context, isConfirmed: isConfirmed, console)
    }

    private static func carryOut(
        _ command: ManagementCommand, on file: AccountFile, in context: CommandContext, isConfirmed: Bool,
        _ console: Console
    ) -> ExitStatus {
        var account = file.account
        do throws(CommandError) {
            let effect = try command.apply(to: &account, in: context)
            let answer = try effect.printed + (effect.query?.answerWithoutDevices(of: account) ?? [])
            for warning in effect.warnings {
                console.show(Diagnostics(Diagnostic(severity: .warning, file: file.path, message: warning)))
            }
            guard isAgreed(effect.confirmation, isConfirmed: isConfirmed, console) else { return .invalidInput }
            guard !command.changesAccount || write(account, to: file, console) else { return .invalidInput }
            for output in effect.files {
                guard write(output, besides: file, console) else { return .invalidInput }
            }
            console.print(answer + effect.reported)
            return .success
        } catch {
            console.show(Diagnostics(Diagnostic(error, in: file.path)))
            return .invalidInput
        }
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
        console.error("scenario: error: not confirmed, so nothing was changed\n")
        return false
    }

    private static func write(_ changed: Account, to file: AccountFile, _ console: Console) -> Bool {
        var account = changed
        let hasNewKeys = !account.hasKeys(of: file.account)
        if hasNewKeys, account.keyFile == nil { account.keyFile = KeyFile.newName(besides: file.path) }
        var failure: String
        do throws(EditFailure) {
            let bytes = try file.bytes(saying: account)
            do throws(FileFailure) {
                // First the keys: an account that names keys which are not there would be one without secrets.
                if hasNewKeys { try KeyFile.write(account, besides: file.path) }
                if let bytes { try file.replace(with: bytes) }
                return true
            } catch {
                failure = error.description
            }
        } catch {
            failure = error.description
        }
        console.show(
            Diagnostics(Diagnostic(file: file.path, message: failure, hint: "nothing was changed")))
        return false
    }

    private static func write(_ output: CommandFile, besides file: AccountFile, _ console: Console) -> Bool {
        var failure: FileFailure?
        let kept = [file.path] + (file.account.keyFile.map { [KeyFile.path($0, besides: file.path)] } ?? [])
        if kept.contains(where: { FileLocation($0).isSame(as: FileLocation(output.path)) }) {
            console.show(Diagnostics(Diagnostic(file: output.path, message: "this is a file of the account")))
            return false
        }
        do throws(FileFailure) {
            var target = try OutputFile(path: output.path, isSecret: output.isSecret)
            try target.write(Array(output.text.utf8))
            try target.finish()
        } catch {
            failure = error
        }
        if let failure { console.show(Diagnostics(Diagnostic(file: output.path, message: failure.description))) }
        return failure == nil
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
            throw UsageError(error.description.showingControls(), hint: hint(for: words) ?? error.hint)
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
            "option `\(ApproovCommand.accountOption.label)` is missing",
            hint: "a command is carried out on an account file")
    }

    fileprivate static func badTime(_ text: String) -> UsageError {
        UsageError("`--at` takes an instant such as `2020-07-23T00:00:00Z`, not \(quote(text))")
    }
}
