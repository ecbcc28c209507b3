internal import Accounts
internal import CLibrary
internal import Documents
internal import PolicyEngine

/// The account that a command line names: a file, and changes to it.
enum AccountOptions {
    /// The word for a new account in place of a file.
    static let newAccount = "new"
    /// The file of a new account, as it would be.
    static let newText = Array("account: account\n".utf8)

    /// Refuses a command line without an account: an answer about one that nobody named would be taken for one about the
    /// user's.
    static func requireAccount(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard !arguments.isSet(Options.account) else { return }
        throw .usage(
            "option `\(Options.account.label)` is missing",
            hint: "`\(Options.account.name) \(newAccount)` is a new account")
    }

    /// The text of an account's file as it would say another account.
    ///
    /// - Parameters:
    ///   - path: The file, or ``newAccount``.
    ///   - changed: The other account; it differs by what management commands change.
    ///   - diagnostics: Gets why there is none.
    static func text(of path: String, saying changed: Account, _ diagnostics: inout Diagnostics) -> [UInt8]? {
        guard let text = bytes(of: path, &diagnostics),
            let file = AccountFile(bytes: text, path: path, diagnostics: &diagnostics)
        else { return nil }
        return diagnostics.attempt(in: path) { () throws(EditFailure) in try file.bytes(saying: changed) ?? text }
    }

    private static func bytes(of path: String, _ diagnostics: inout Diagnostics) -> [UInt8]? {
        diagnostics.attempt(in: path) { () throws(FileFailure) in
            path == newAccount ? newText : try TextFile.bytes(typed: path)
        }
    }

    /// Reads the account and changes it, where nobody reviews its filters.
    ///
    /// - Returns: `nil` after noting an error.
    static func account(_ arguments: ParsedArguments, _ diagnostics: inout Diagnostics) -> Account? {
        var review = FilterReview()
        return changed(arguments, review: &review, diagnostics: &diagnostics)?.after
    }

    /// Reads the account before a change and the one after it: those of commits or of two files, or one that is changed by
    /// `--policy`, then each `--change`, then `--changes`. What a command has no option for makes no difference.
    ///
    /// - Parameters:
    ///   - own: The account of a scenario, which `--account` replaces; its flags keep their indices, by which the devices of the
    ///     scenario have theirs.
    ///   - chains: The chains that API domains present.
    ///   - review: Notes the positions of its filters.
    /// - Returns: `nil` after noting an error.
    static func changed(
        _ arguments: ParsedArguments, besides own: Account? = nil, presenting chains: KnownChains = .unknown,
        review: inout FilterReview, diagnostics: inout Diagnostics
    ) -> ChangedAccount? {
        if arguments.isSet(CommittedAccounts.base) {
            return CommittedAccounts.read(arguments, besides: own, &review, &diagnostics)
        }
        let account = unchanged(arguments, besides: own, review: &review, diagnostics: &diagnostics)
        if let path = arguments[ChangeOptions.candidate] {
            let after = load(
                path, besides: own == nil ? nil : account, within: arguments.reach, review: &review,
                diagnostics: &diagnostics)
            guard let account, let after else { return nil }
            return ChangedAccount(account, after)
        }
        // Errors in the changes can be reported even if the account is not there.
        var changed = account ?? Account()
        let rules = change(
            &changed, by: arguments, diagnostics: &diagnostics, isAccountKnown: account != nil, chains: chains)
        guard let account, !diagnostics.hasErrors else { return nil }
        return ChangedAccount(account, changed, decidedRules: rules)
    }

    /// Reads the account: that of `--account`, or a scenario's own, or a new one.
    ///
    /// - Returns: `nil` after noting an error.
    private static func unchanged(
        _ arguments: ParsedArguments, besides own: Account? = nil, review: inout FilterReview,
        diagnostics: inout Diagnostics
    ) -> Account? {
        guard let path = arguments[Options.account] else { return own ?? Account() }
        return load(path, besides: own, within: arguments.reach, review: &review, diagnostics: &diagnostics)
    }

    /// Reads the account of a file, or makes a new one.
    ///
    /// - Parameters:
    ///   - path: The file, or ``newAccount``.
    ///   - other: An account whose flags are to have the same indices.
    ///   - reach: The files among which its key file must be.
    /// - Returns: `nil` after noting an error.
    static func load(
        _ path: String, besides other: Account? = nil, within reach: FileBoundary, review: inout FilterReview,
        diagnostics: inout Diagnostics
    ) -> Account? {
        guard let bytes = bytes(of: path, &diagnostics) else { return nil }
        let document = YAMLParser.parse(bytes: bytes, path: path, as: .account)
        return AccountLoader.load(document, besides: other, within: reach, review: &review, diagnostics: &diagnostics)
    }

    // Changes an account by `--policy`, then each `--change`, then the commands of `--changes`. If it is not the account that was
    // meant, only commands that cannot be understood are reported. Returns the decided rules on which the changes rest.
    private static func change(
        _ account: inout Account, by arguments: ParsedArguments, diagnostics: inout Diagnostics, isAccountKnown: Bool,
        chains: KnownChains
    ) -> DecidedRules {
        var commands: [Typed] = []
        if let policy = arguments[Options.policy] {
            let command = Self.command(setting: policy, of: account, isAccountKnown: isAccountKnown, &diagnostics)
            if let command { commands.append(Typed(file: Options.policy.name, line: nil, command: command)) }
        }
        for line in arguments[Options.change] {
            commands += understand(line, file: "--change", line: nil, &diagnostics)
        }
        if let path = arguments[Options.changes] { commands += read(path, &diagnostics) }
        var rules: DecidedRules = []
        guard isAccountKnown else { return rules }
        var context = CommandContext()
        (context.chains, context.boundary) = (chains, arguments.reach)
        for command in commands {
            rules.formUnion(change(&account, by: command, in: context, diagnostics: &diagnostics))
        }
        return rules
    }

    // The command that sets a policy: a whole one, or a preset that leaves the other two names as they are.
    private static func command(
        setting policy: String, of account: Account, isAccountKnown: Bool, _ diagnostics: inout Diagnostics
    ) -> ManagementCommand? {
        let (file, preset) = (Options.policy.name, RejectionPreset(rawValue: policy))
        guard preset != nil || policy.contains(",") else {
            let presets = RejectionPreset.allCases.map(\.rawValue)
            let known = "there are \(presets.joined(separator: ", ")); a whole policy is `rules,rejection,annotation`"
            diagnostics.add(
                Diagnostic(
                    file: file, message: "\(policy.quoted) is not a rejection policy",
                    hint: Suggestion.hint(for: policy, among: presets) ?? known))
            return nil
        }
        let whole = preset.map { account.policy.rejecting(by: $0).description } ?? policy
        // The policy is one word, whatever it holds.
        return diagnostics.attempt(in: file) { () throws(CommandError) in
            try ManagementCommand(words: ["policy", "-set=\(whole)"])
        }
    }

    // A command, and where it was typed.
    private struct Typed {
        let file: String
        let line: Int?
        let command: ManagementCommand
    }

    private static func read(_ path: String, _ diagnostics: inout Diagnostics) -> [Typed] {
        let read = diagnostics.attempt(in: path) { () throws(FileFailure) in try TextFile.bytes(typed: path) }
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
            let command = CommandWords.withoutComment(text.trimmingSpace)
            if command.isEmpty { return [Typed]() }
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
    ) -> DecidedRules {
        // Before anything is evaluated, no device has attested.
        let effect = diagnostics.attempt(in: typed.file, line: typed.line) { () throws(CommandError) in
            try typed.command.apply(to: &account, in: context)
        }
        for warning in effect?.warnings ?? [] {
            diagnostics.add(Diagnostic(severity: .warning, file: typed.file, line: typed.line, message: warning))
        }
        return effect?.decidedRules ?? []
    }
}

extension ParsedArguments {
    /// The files that an option has the command read; a new account is none.
    func files(of option: any CommandOption) -> [String] {
        switch option.definition.shape?.file {
        case .reads: words(of: option)
        case .readsAccount: words(of: option).filter { $0 != AccountOptions.newAccount }
        case .writes, nil: []
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

/// An account and the same after a change.
struct ChangedAccount {
    let before: Account
    let after: Account
    /// The decided rules on which the change itself rests.
    let decidedRules: DecidedRules

    init(_ before: Account, _ after: Account, decidedRules: DecidedRules = []) {
        (self.before, self.after, self.decidedRules) = (before, after, decidedRules)
    }
}

/// The options by which a command takes a change, and the account before it.
enum ChangeOptions {
    static let account = Options.account.described(
        as: "The account before the change, in FILE; required, except for a scenario, which has one.")
    static let change = Options.change.described(as: "Change the account by a management command, in the order given.")
    static let policy = Options.policy.described(as: "Change the account's security policy to SPEC.")
    static let candidate = Option("--candidate", "Compare with the account in FILE.", .file(.readsAccount), in: .change)

    /// The rule that there is one change.
    static let choice = OptionChoice(
        options: [change, Options.changes, policy, candidate], missing: "there is no change")
}

/// The account before and the one after a change, as commits of git have them.
enum CommittedAccounts {
    /// Names the commit before.
    static let base = Option(
        "--base", "Compare the account as the commit REF of git has it with the one of --head.", .text("REF"),
        in: .change)

    /// Names the commit after.
    static let head = Option(
        "--head", "The account after, as the commit REF has it; by default WORKTREE, the file as it is now.",
        .text("REF|WORKTREE", words: .words([workingTree])), in: .change, relations: [.needs([base.given])])

    private static let workingTree = "WORKTREE"

    /// Refuses a commit without a file; a new account is none.
    static func check(_ arguments: ParsedArguments) throws(CommandFailure) {
        if arguments.isSet(base), arguments.files(of: Options.account).allSatisfy({ $0 == "-" }) {
            throw .usage("`\(base.name)` needs `\(Options.account.name)`", hint: "it says which file of the commit")
        }
    }

    /// The commit that has the account after; `nil` for the working tree, and where no commits are compared.
    static func commitAfter(_ arguments: ParsedArguments) -> String? {
        arguments[head].flatMap { $0 == workingTree ? nil : $0 }
    }

    /// Reads both accounts.
    ///
    /// A commit has no key file: it counts as having the keys of the account after.
    ///
    /// - Parameters:
    ///   - own: The account of a scenario, whose flags are to have the same indices.
    ///   - review: Notes the positions of their filters.
    /// - Returns: `nil` after noting an error.
    static func read(
        _ arguments: ParsedArguments, besides own: Account?, _ review: inout FilterReview,
        _ diagnostics: inout Diagnostics
    ) -> ChangedAccount? {
        guard let path = arguments[Options.account], let base = arguments[base] else { return nil }
        let reach = arguments.reach
        let before = read(path, at: base, besides: own, within: reach, &review, &diagnostics)
        let after = read(
            path, at: arguments[head] ?? workingTree, besides: own == nil ? nil : before, within: reach,
            &review, &diagnostics)
        guard let before, let after else { return nil }
        return ChangedAccount(before.withKeys(of: after), after)
    }

    private static func read(
        _ path: String, at reference: String, besides other: Account?, within reach: FileBoundary,
        _ review: inout FilterReview, _ diagnostics: inout Diagnostics
    ) -> Account? {
        guard let document = document(path, at: reference, &diagnostics) else { return nil }
        return AccountLoader.load(document, besides: other, within: reach, review: &review, diagnostics: &diagnostics)
    }

    private static func document(
        _ path: String, at reference: String, _ diagnostics: inout Diagnostics
    ) -> ParsedDocument? {
        if reference == workingTree { return TextFile.parse(path: path, as: .account, diagnostics: &diagnostics) }
        // As git calls a file of a commit.
        let name = "\(reference):\(path)"
        return diagnostics.attempt(in: name) { () throws(GitFailure) in
            YAMLParser.parse(bytes: try GitRepository.bytes(of: path, at: reference), path: name, as: .account)
        }
    }
}

// The time that somebody names: no command reads the clock unless it is asked to by name.
extension Options {
    // The word for the time of the clock.
    private static let present = "now"

    static let instant = Option(
        "--at", "The time of the tokens, such as 2020-07-23T00:00:00Z or now.",
        .text("INSTANT", words: .words([present])), in: .change)

    fileprivate static func instant(_ text: String) throws(CommandFailure) -> Instant {
        if text == present { return Instant(secondsSinceEpoch: time(nil)) }
        if let instant = Instant(rfc3339: text) { return instant }
        throw .usage(
            "`\(instant.name)` takes an instant such as `2020-07-23T00:00:00Z`, or `\(present)`, not \(text.asTyped)")
    }
}

extension ParsedArguments {
    /// The time that ``Options/instant`` names, if it was given.
    func instant() throws(CommandFailure) -> Instant? {
        guard let text = self[Options.instant] else { return nil }
        return try Options.instant(text)
    }
}
