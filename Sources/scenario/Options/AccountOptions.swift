internal import Accounts
internal import Documents
internal import PolicyEngine

/// The account that a command line names: a file, and changes to it.
enum AccountOptions {
    /// Reads the account and changes it, where nobody reviews its filters.
    ///
    /// - Returns: `nil` after noting an error.
    static func account(_ arguments: ParsedArguments, diagnostics: inout Diagnostics) -> Account? {
        var review = FilterReview()
        return account(arguments, review: &review, diagnostics: &diagnostics)
    }

    /// Reads the account and changes it: `--account`, then `--policy`, then each `--change`.
    ///
    /// - Parameter review: Learns where its filters stand.
    /// - Returns: `nil` after noting an error.
    static func account(
        _ arguments: ParsedArguments, review: inout FilterReview, diagnostics: inout Diagnostics
    ) -> Account? {
        var account: Account? = Account()
        if let path = arguments.value(of: .account) {
            account = AccountLoader.load(path: path, review: &review, diagnostics: &diagnostics)
        }
        // What is wrong with the changes can be said even where the account is not there.
        var changed = account ?? Account()
        let isKnown = account != nil
        change(&changed, by: arguments, diagnostics: &diagnostics, isAccountKnown: isKnown)
        return diagnostics.hasErrors ? nil : changed
    }

    /// Changes an account by `--policy`, then each `--change`, then the commands of `--changes`.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - arguments: What was typed.
    ///   - diagnostics: Gets what is wrong with it.
    ///   - isAccountKnown: Whether it is the account that was meant; else only commands that cannot be understood are
    ///     reported.
    ///   - chains: What API domains present.
    static func change(
        _ account: inout Account, by arguments: ParsedArguments, diagnostics: inout Diagnostics,
        isAccountKnown: Bool = true, chains: KnownChains = .unknown
    ) {
        var commands: [Typed] = []
        if let policy = arguments.value(of: .policy) {
            // The policy is one word, whatever it holds.
            commands.append(Typed(file: "--policy", line: nil, command: .policy(.set(policy))))
        }
        for line in arguments.values(of: .change) {
            commands += understand(line, file: "--change", line: nil, &diagnostics)
        }
        if let path = arguments.value(of: .changes) { commands += read(path, &diagnostics) }
        guard isAccountKnown else { return }
        var context = CommandContext()
        context.chains = chains
        for command in commands { change(&account, by: command, in: context, diagnostics: &diagnostics) }
    }

    // A command, and where it was typed.
    private struct Typed {
        let file: String
        let line: Int?
        let command: ManagementCommand
    }

    private static func read(_ path: String, _ diagnostics: inout Diagnostics) -> [Typed] {
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(path: path) }
        guard let bytes = read else { return [] }
        if let refusal = DocumentKind.commands.refusal(of: bytes, path: path) {
            diagnostics.add(refusal)
            return []
        }
        var found = Diagnostics()
        defer { diagnostics.merge(DocumentKind.commands.mayQuote(bytes) ? found : found.quotingOnly([], in: path)) }
        // By bytes: to a string, CR and LF are one character, and no end of a line.
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { number, line in
            guard let text = String(validating: line, as: UTF8.self) else {
                found.add(Diagnostic(file: path, line: number + 1, message: "the command is not UTF-8"))
                return [Typed]()
            }
            let command = text.trimmingSpace
            if command.isEmpty || command.hasPrefix("#") { return [Typed]() }
            return understand(String(command), file: path, line: number + 1, &found)
        }
    }

    private static func understand(
        _ text: String, file: String, line: Int?, _ diagnostics: inout Diagnostics
    ) -> [Typed] {
        if let warning = CommandMisprint.warning(ofLine: text) {
            diagnostics.add(Diagnostic(severity: .warning, file: file, line: line, message: warning))
        }
        let typed = diagnostics.attempt(in: file, line: line) { () throws(CommandError) in
            let command = try ManagementCommand(text)
            guard command.changesAccount else {
                throw CommandError("\(text.quoted) does not change the account, so it has no effect here")
            }
            return [Typed(file: file, line: line, command: command)]
        }
        return typed ?? []
    }

    private static func change(
        _ account: inout Account, by typed: Typed, in context: CommandContext, diagnostics: inout Diagnostics
    ) {
        // Before anything is evaluated, no device has attested.
        let effect = diagnostics.attempt(in: typed.file, line: typed.line) { () throws(CommandError) in
            try typed.command.apply(to: &account, in: context)
        }
        for warning in effect?.warnings ?? [] {
            diagnostics.add(Diagnostic(severity: .warning, file: typed.file, line: typed.line, message: warning))
        }
    }
}

extension String {
    // Without the white space at both ends, and a byte order mark.
    fileprivate var trimmingSpace: Substring {
        let start = drop { $0 == "\u{FEFF}" || $0.isWhitespace }
        return start.prefix(upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)
    }
}
