internal import Accounts
internal import Documents
internal import PolicyEngine

// The part of `scenario approov` that clones registrations into other account files (R24.4).
extension AccountCommandRun {
    /// Carries a cloning out, once it is confirmed. Each account is changed as a whole or not at all, one after another.
    ///
    /// - Parameters:
    ///   - cloning: The registrations, and the accounts that they are cloned into.
    ///   - path: The account that it comes from.
    func clone(_ cloning: RegistrationCloning, _ path: String) throws(Refusal) {
        let targets = try targets(of: cloning, path)
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

    // The accounts that are meant, in the order of their files.
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
            throw Refusal(
                Diagnostic(file: path, message: "there is no delegate account \(unknown.quoted)", hint: hint))
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
        do throws(AccountChangeFailure) {
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
