internal import Documents
package import PolicyEngine

/// Registrations that are to be cloned into other accounts (R24.4; manual, Registration Cloning).
package struct RegistrationCloning: Hashable, Sendable {
    /// The files of the accounts, as they were named.
    package let files: [String]
    /// Of those accounts, the names of those that are meant; `nil` is all of them.
    package let names: [String]?
    /// The name of the account that they come from.
    package let source: String
    /// The registrations to clone.
    package let registrations: [Registration]

    /// The accounts that a command names.
    package enum Target: Hashable, Sendable {
        /// `-cloneTo file`
        case file(String)
        /// `-cloneToAccounts name,name`
        case named([String])
        /// `-cloneToAllDelegateAccounts`
        case all
    }

    /// Finds the accounts and the registrations that a command names.
    ///
    /// - Throws: ``CommandError`` if there are no such accounts, or too many registrations.
    init(
        into target: Target, from account: Account, in context: CommandContext
    ) throws(CommandError) {
        guard context.writesFiles else {
            throw CommandError("the command changes other accounts, which only `scenario approov` can do")
        }
        switch target {
        case .file(let path): (files, names) = ([path], nil)
        case .named(let named): (files, names) = (try Self.delegateFiles(of: account, context), named)
        case .all: (files, names) = (try Self.delegateFiles(of: account, context), nil)
        }
        source = account.name
        registrations = try CommandError.wrapping { () throws(ServiceError) in try account.registrationsToClone() }
    }

    private static func delegateFiles(
        of account: Account, _ context: CommandContext
    ) throws(CommandError) -> [String] {
        guard !account.delegateAccounts.isEmpty else {
            throw CommandError(
                "the account names no accounts in which it is a delegate",
                hint: "`delegate-accounts` lists their files, or `-cloneTo` names one")
        }
        return account.delegateAccounts.map { $0.hasPrefix("/") ? $0 : context.accountFolder + $0 }
    }

    /// Takes the registrations over into an account.
    ///
    /// - Parameters:
    ///   - account: The account that they are cloned into.
    ///   - time: Now; `nil` if that is not known.
    /// - Returns: The warnings.
    /// - Throws: ``CommandError`` if none of the account's users is a delegate (R24.1).
    package func apply(to account: inout Account, at time: Instant?) throws(CommandError) -> [String] {
        // R14.2a: an account without a list says nothing about user roles.
        if let users = account.users {
            let delegates = users.filter { $0.kind == .delegate }
            let isOpen = delegates.contains { user in
                time.map { !user.isRefused(at: $0, propagation: account.propagation) } ?? (user.revoked == nil)
            }
            guard isOpen else {
                throw CommandError(
                    "a delegate role is required in account \(account.name.quoted)",
                    hint: "`users -add EMAIL -delegate` of that account gives one")
            }
        }
        let refused = account.clone(registrations, from: source)
        guard refused > 0 else { return [] }
        return [
            "\(refused.counting("registration")) \(refused.agreeing("does", "do")) not fit into account "
                + "\(account.name.quoted), which has at most "
                + "\(AccountLimits.registrations)"
        ]
    }

    /// The confirmation that is needed, in the manual's words.
    ///
    /// - Parameter accounts: The names of the accounts that are cloned into.
    package func confirmation(of accounts: [String]) -> CommandConfirmation {
        CommandConfirmation(
            "this will have an immediate impact on production of the target accounts",
            matches: ["registrations will be cloned to the following accounts:"] + accounts.map { "  \($0)" })
    }

    /// The line that says that an account gets them.
    package func line(for account: String) -> String {
        "cloning \(registrations.count.counting("permanent registration")) into account \(account)"
    }
}
