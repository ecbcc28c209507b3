internal import Accounts
internal import Documents
internal import PolicyEngine
internal import Scenarios

/// `scenario approov`: a management command on an account file.
extension Command {
    static let approov = Command(
        "approov", "Carry out a management command on an account file.",
        .commandLine(
            "COMMAND", "The command as it would be typed after `approov`; all words from its first one on belong to it."
        ),
        options: [
            account, yesOption, roleOption, userOption, tokenOption, timeOption, outboxOption, backendsOption,
            Options.shownTimezone,
        ],
        discussion: """
            Prints the same output as the service, asks for the same confirmations, and refuses the same commands. A
            change is written into FILE as a whole or not at all, and keeps comments, layout and all other parts of
            the file. A file has no devices that attested: questions about devices are answered accordingly.

            The commands are those of the topics policy, device, filter, devicecheck, safetynet, appsigncert,
            registration, api, pin, token, secret, keyset, users and monitoring.

            The roles may give the same commands as at the service. A management token gives its user's role and
            name; access that was revoked or has expired is refused. `users -add` and `-getManagementToken` write
            tokens beside FILE; everybody who can read one can give commands. No mail is sent.

            Keys are in a separate file, which `keys` of the account names and only its owner may read. The first
            command that makes a key makes the file. Keys that are missing there are derived from the account's
            name; they are not secret, and commands that use them warn about that.

            Asking a domain for its certificates needs a network, and the command uses none. `--backends` takes the
            certificates from a scenario: then `api -add` adds a pin, and `api -check` can succeed.

            Commands on the files of one folder wait for each other, up to a minute. A command that waited for its
            confirmation changes nothing if FILE or its keys were changed meanwhile.

            Exits with 0 when the command was carried out, 1 when `api -check` finds a problem, 2 when it was
            refused, not confirmed, or FILE cannot be read or written or was changed by somebody else meanwhile, and
            3 when there is no such command.
            """,
        examples: [
            "scenario approov --account prod.yaml policy -get":
                "Shows the meaning of the account's policy, flag by flag.",
            "alias approov='scenario approov --account prod.yaml'":
                "From now on, lines of a runbook can be typed without changes.",
            "scenario approov --account prod.yaml --yes policy -set default,allow-root,risk":
                "A change that is confirmed beforehand, for scripts.",
        ],
        takesSettings: true, answer: answer)

    fileprivate static let account = Options.account.described(
        as: "The account that is read or changed; required, and the file has to exist.")
    private static let yesOption = Option(
        "--yes", "Answer `YES` to each confirmation, instead of reading standard input.")
    private static let roleOption = Option(
        "--role", "Give the command with this role; by default admin.", .choice(usually: CommandRole.admin))
    private static let userOption = Option(
        "--user", "Give the command under this name, which new devices and registrations keep; by default the role's.",
        .text("NAME"))
    private static let tokenOption = Option(
        "--token", "Give the command as the user whose management token is in FILE; needs --at.", .file(.reads),
        relations: [.excludes([roleOption.given, userOption.given], reason: ", which says role and name")])
    private static let outboxOption = Option(
        "--outbox", "Write the mail that would be sent to FILE, as a mailbox.", .file(.writes), in: .output)
    private static let backendsOption = Option(
        "--backends", "Take the certificates of API domains from the `backends` of the scenario FILE.", .file(.reads))

    private static let timeOption = Options.instant.described(
        as:
            "Set the time, such as 2020-07-23T00:00:00Z or now, for commands that make or check tokens, add or revoke user roles, or list or remove registrations by age."
    )

    private static func answer(_ call: CommandCall) throws(CommandFailure) -> ExitStatus {
        guard let path = call[account] else { throw .missingAccount }
        let context = try context(call.arguments)
        let command = try command(call.operands)
        if let warning = CommandMisprint.warning(of: call.operands) {
            call.console.show(Diagnostic(severity: .warning, file: path, message: warning))
        }
        var run = AccountCommandRun(
            command: command, context: context, isConfirmed: call[yesOption], console: call.console)
        run.context.accountFolder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        run.outboxPath = call[outboxOption]
        if let file = call[backendsOption] { run.context.chains = try chains(of: file, call) }
        if let file = call[tokenOption] {
            run.managementToken = try call.attempt(in: tokenOption.name) { () throws(CommandError) in
                try token(in: file)
            }
        }
        return run.carryOut(on: path)
    }

    private static func chains(of path: String, _ call: CommandCall) throws(CommandFailure) -> KnownChains {
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, isChecked: false, diagnostics: &diagnostics)
        guard let scenario else {
            call.console.show(diagnostics)
            throw .shown(.invalidInput)
        }
        return scenario.presentedChains()
    }

    // Of the file nothing is shown, and of its name nothing where it may be the token itself.
    private static func token(in path: String) throws(CommandError) -> String {
        guard !path.hasPrefix("eyJ") else {
            throw CommandError("that is a token; the option takes the file that contains it")
        }
        let bytes = try CommandError.wrapping(about: "file \(path.quoted)") { () throws(FileFailure) in
            try TextFile.bytes(path: path)
        }
        let lines = String(decoding: bytes.prefix(TokenLimits.tokenBytes), as: UTF8.self).split(separator: "\n")
        return lines.first.map(String.init) ?? ""
    }

    private static func context(_ arguments: ParsedArguments) throws(CommandFailure) -> CommandContext {
        let role = arguments[roleOption]
        var context = CommandContext(time: try arguments.instant(), role: role)
        context.user = arguments[userOption]
        context.zone = try arguments.shownZone()
        // Keys of an account file are to be secret.
        (context.writesFiles, context.chance) = (true, .system)
        return context
    }

    private static func command(_ words: [String]) throws(CommandFailure) -> ManagementCommand {
        do throws(CommandError) {
            return try ManagementCommand(words: words)
        } catch {
            throw .usage(by: error, hint: hint(for: words))
        }
    }

    // Options of ours behind the command were probably meant for us.
    private static func hint(for words: [String]) -> String? {
        guard let ours = words.first(where: { approov.option(called: $0.prefix { $0 != "=" }) != nil })
        else { return nil }
        return "\(ours.asTyped) has to come before the command"
    }
}

extension CommandFailure {
    fileprivate static var missingAccount: CommandFailure {
        .usage(
            "option `\(Options.account.label)` is missing",
            hint: "a command is carried out on an account file")
    }
}
