internal import Accounts
internal import Documents
internal import PolicyEngine

/// A run of `scenario approov`: carries a management command out on an account file.
///
/// One command at a time changes the files of a folder. While a command waits for a confirmation, it gives its lock back, so that
/// others need not wait; afterwards it changes the files only if they are still as it read them.
struct AccountCommandRun {
    let command: ManagementCommand
    var context: CommandContext
    /// True if questions count as confirmed beforehand.
    let isConfirmed: Bool
    let console: Console
    /// The management token with which the command is given; `nil` if it is given by role. No output shows the token.
    var managementToken: String?
    /// The path of the file that lists the mail which the service would send; `nil` if no such list is written.
    var outboxPath: String?

    /// The reason why a command is not carried out, or not on all accounts.
    enum Refusal: Error {
        case diagnostics(Diagnostics)
        case notConfirmed

        init(_ diagnostic: Diagnostic) {
            self = .diagnostics(Diagnostics(diagnostic))
        }

        // Carries out a step, and turns its error into a refusal with the file and a hint.
        static func wrapping<Value: ~Copyable, Failure: DescribedError>(
            in file: String, hint: String? = nil, _ step: () throws(Failure) -> Value
        ) throws(Refusal) -> Value {
            do throws(Failure) {
                return try step()
            } catch {
                throw Refusal(Diagnostic(error, in: file, hint: hint))
            }
        }
    }

    /// Carries the command out, and shows its answer or why it is refused.
    ///
    /// - Parameter path: The account file.
    /// - Returns: ``ExitStatus/invalidInput`` if the command is refused; ``ExitStatus/expectationFailed`` if a check of it fails.
    func carryOut(on path: String) -> ExitStatus {
        do throws(Refusal) {
            return try attempt(on: path)
        } catch {
            switch error {
            case .diagnostics(let diagnostics): console.show(diagnostics)
            case .notConfirmed: console.show(error: "not confirmed, so nothing was changed")
            }
            return .invalidInput
        }
    }

    private func attempt(on path: String) throws(Refusal) -> ExitStatus {
        var lock = try lock(path)
        let file = try read(path)
        var account = file.account
        let (effect, answer) = try apply(to: &account, try authorized(by: account, path), path)
        if let cloning = effect.cloning {
            try clone(cloning, path)
            return .success
        }
        if let confirmation = effect.confirmation {
            if !isConfirmed { lock = nil }
            try confirm(confirmation)
            if !isConfirmed { lock = try self.lock(path) }
        }
        let isChanged = try write(account, to: file, lock)
        lock = nil
        let done = isChanged ? "\(path.quoted) was changed anyway" : nil
        for output in effect.files { try write(output, besides: file, done: done) }
        try writeOutbox(effect.mail, done: done)
        console.print(answer + effect.reported, done: done)
        return effect.failsCheck ? .expectationFailed : .success
    }

    // The context of the user who gives the command: with a management token, the user of the token (R24.2).
    private func authorized(by account: Account, _ path: String) throws(Refusal) -> CommandContext {
        var context = context
        if let user = try user(of: account, path) { context.act(as: user) }
        return context
    }

    private func user(of account: Account, _ path: String) throws(Refusal) -> UserRole? {
        guard let managementToken else { return nil }
        guard let time = context.time else {
            throw Refusal(Diagnostic(file: path, message: "checking access needs the time", hint: "such as `--at now`"))
        }
        do throws(AccessError) {
            return try ManagementToken.user(of: managementToken, account: account, at: time)
        } catch {
            if error == .ended { console.print([Self.endedAccess]) }
            throw Refusal(Diagnostic(error, in: path))
        }
    }

    // The words of the manual, in Revoking User Access.
    private static let endedAccess = "your access is revoked or expired - contact your Approov administrator"

    // Locks the account for a command that changes it; `nil` for other commands.
    private func lock(_ path: String) throws(Refusal) -> AccountLock? {
        guard command.changesAccount else { return nil }
        return try Refusal.wrapping(in: path) { () throws(FileFailure) in try AccountLock(path: path) }
    }

    func read(_ path: String) throws(Refusal) -> AccountFile {
        var diagnostics = Diagnostics()
        guard let file = AccountFile(path: path, diagnostics: &diagnostics) else { throw .diagnostics(diagnostics) }
        // Warnings about the account file were there before the command; those about other files, such as keys that others can
        // read, are shown.
        for diagnostic in diagnostics.all where diagnostic.file != path { console.show(diagnostic) }
        return file
    }

    private func apply(
        to account: inout Account, _ context: CommandContext, _ path: String
    ) throws(Refusal) -> (effect: CommandEffect, answer: [String]) {
        let (effect, answer) = try Refusal.wrapping(in: path) { () throws(CommandError) in
            let effect = try command.apply(to: &account, in: context)
            return (effect, try effect.printed + (effect.query?.answerWithoutDevices(of: account) ?? []))
        }
        for warning in effect.warnings {
            console.show(Diagnostic(severity: .warning, file: path, message: warning))
        }
        return (effect, answer)
    }

    // Asks for a confirmation, and refuses the command without consent.
    func confirm(_ confirmation: CommandConfirmation) throws(Refusal) {
        console.print(confirmation.introduction)
        console.output(confirmation.question.showingControls(keepingLines: true))
        let answer = isConfirmed ? CommandConfirmation.consent : console.input()
        // A terminal shows the answer that a user types, and its newline.
        if isConfirmed || !console.showsInput || answer == nil {
            console.output((answer?.showingControls() ?? "") + "\n")
        }
        guard answer == CommandConfirmation.consent else { throw .notConfirmed }
    }

    // Writes the account. Returns whether a file was changed; without a lock none is.
    private func write(
        _ account: Account, to file: AccountFile, _ lock: borrowing AccountLock?
    ) throws(Refusal) -> Bool {
        do throws(OutputFile.Failure) {
            switch lock {
            case .some(let lock): return try file.change(to: account, lock: lock)
            case nil: return false
            }
        } catch {
            throw Refusal(Diagnostic(error, in: error.path))
        }
    }

    // Writes a file that the command makes. `done` says which change was made already, for the hint of an error.
    private func write(_ output: CommandFile, besides file: AccountFile, done: String?) throws(Refusal) {
        let kept = [file.path] + (file.account.keyFile.map { [KeyFile.path($0, besides: file.path)] } ?? [])
        if kept.contains(where: { FileLocation($0).isSame(as: FileLocation(output.path)) }) {
            throw Refusal(Diagnostic(file: output.path, message: "this is a file of the account", hint: done))
        }
        try Refusal.wrapping(in: output.path, hint: done) { () throws(FileFailure) in
            try OutputFile.write(Array(output.text.utf8), to: output.path, isSecret: output.isSecret)
        }
    }

    // Writes the list of the mail that the service would send, which may be empty (R24.2).
    private func writeOutbox(_ mail: [MailMessage], done: String?) throws(Refusal) {
        guard let outboxPath else { return }
        try Refusal.wrapping(in: outboxPath, hint: done) { () throws(FileFailure) in
            try OutputFile.write(Mailbox.bytes(of: mail), to: outboxPath)
        }
    }
}

extension Console {
    /// Writes lines of the result, without characters that a terminal would act on.
    ///
    /// - Parameter done: A change made already, to be reported if the lines cannot be written.
    func print(_ lines: [String], done: String? = nil) {
        if !lines.isEmpty { output(lines.map { $0.showingControls() + "\n" }.joined(), done: done) }
    }
}

// The part of `scenario approov` that clones registrations into other account files (R24.4).
extension AccountCommandRun {
    /// Carries a cloning out, once it is confirmed. Each account is changed as a whole or not at all, one after another.
    ///
    /// - Parameters:
    ///   - cloning: The registrations, and the accounts that they are cloned into.
    ///   - path: The file of the account from which registrations are cloned.
    /// - Throws: ``Refusal``. Accounts that were changed before stay changed, and the hint names them.
    func clone(_ cloning: RegistrationCloning, _ path: String) throws(Refusal) {
        let targets = try targets(of: cloning, path)
        // Tries it on copies first, so that no account is changed if one of them refuses it.
        for target in targets {
            var account = target.account
            try apply(cloning, to: &account, in: target.path)
        }
        try confirm(cloning.confirmation(of: targets.map(\.account.name)))
        var done: [String] = []
        for target in targets {
            try change(target.path, by: cloning, done: done)
            done.append(target.path.quoted)
            console.print([cloning.line(for: target.account.name)], done: Self.words(for: done))
        }
    }

    private static func words(for done: [String]) -> String? {
        done.isEmpty ? nil : "\(done.joined(separator: ", ")) \(done.count == 1 ? "was" : "were") changed all the same"
    }

    // The accounts that the cloning names, in the order of their files.
    private func targets(of cloning: RegistrationCloning, _ path: String) throws(Refusal) -> [AccountFile] {
        var files: [AccountFile] = []
        for file in cloning.files {
            guard !FileLocation(file).isSame(as: FileLocation(path)) else {
                throw Refusal(Diagnostic(file: file, message: "this is the account that is cloned"))
            }
            files.append(try read(file))
        }
        guard let names = cloning.names else { return files }
        let known = files.map(\.account.name)
        if let unknown = names.first(where: { !known.contains($0) }) {
            let hint = Suggestion.hint(for: unknown, among: known)
            throw Refusal(Diagnostic(file: path, message: "there is no delegate account \(unknown.quoted)", hint: hint))
        }
        return files.filter { names.contains($0.account.name) }
    }

    // The file may have changed while the command waited, so that it is read again.
    private func change(_ path: String, by cloning: RegistrationCloning, done: [String]) throws(Refusal) {
        let hint = Self.words(for: done)
        let lock = try Refusal.wrapping(in: path, hint: hint) { () throws(FileFailure) in try AccountLock(path: path) }
        let file = try read(path)
        var account = file.account
        for warning in try apply(cloning, to: &account, in: path) {
            console.show(Diagnostic(severity: .warning, file: path, message: warning))
        }
        do throws(OutputFile.Failure) {
            _ = try file.change(to: account, lock: lock)
        } catch {
            throw Refusal(Diagnostic(error, in: error.path, hint: hint ?? error.hint))
        }
    }

    @discardableResult
    private func apply(
        _ cloning: RegistrationCloning, to account: inout Account, in path: String
    ) throws(Refusal) -> [String] {
        try Refusal.wrapping(in: path) { () throws(CommandError) in try cloning.apply(to: &account, at: context.time) }
    }
}
