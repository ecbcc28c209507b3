internal import Documents
package import PolicyEngine

/// One management command that changes an account, and the account after it.
package struct SingleEdit: Sendable {
    /// The command, as `--change` takes it.
    package let command: String
    /// The account after the command.
    package let account: Account
}

/// Every single edit of an account that may affect the verdicts of a capture: each preset, each reject flag added or
/// removed, each filter removed or one of its actions switched on or off, each device entry removed.
///
/// Edits that change nothing are left out, and so are those that the account refuses. So is the action that captures device
/// information, which affects no verdict.
package enum SingleEdits {
    /// The edits, always in the same order: policies, flags in catalogue order, filters in their order, entries in theirs.
    package static func all(of account: Account) -> [SingleEdit] {
        let commands = presets(account) + flags(account) + account.filters.flatMap(filter) + entries(account)
        return commands.compactMap { edit($0, of: account) }
    }

    /// Carries a command out on a copy of an account.
    ///
    /// - Returns: `nil` if the account refuses it, or is the same afterwards.
    package static func edit(_ command: String, of account: Account) -> SingleEdit? {
        var edited = account
        do throws(CommandError) {
            _ = try ManagementCommand(command).apply(to: &edited, in: CommandContext())
        } catch {
            return nil
        }
        return edited == account ? nil : SingleEdit(command: command, account: edited)
    }

    private static func presets(_ account: Account) -> [String] {
        let policy = account.policy
        return RejectionPreset.allCases.map { "policy -set \(policy.rules),\($0.rawValue),\(policy.annotation.text)" }
    }

    private static func flags(_ account: Account) -> [String] {
        let (catalogue, policy) = (account.catalogue, account.policy.rejection)
        let named = catalogue.declaredNames.compactMap { name in catalogue.namedFlag(name).map { (name, $0) } }
        return named.filter { !policy.rejecting.contains($0.1) }.map { "policy -addRejectFlag \($0.0)" }
            + named.filter { policy.rejecting.union(policy.rejectingUnlessXposed).contains($0.1) }
            .map { "policy -removeRejectFlag \($0.0)" }
    }

    private static func filter(_ filter: Filter) -> [String] {
        let switched = actions.compactMap { action in
            (try? Filter(name: filter.name, test: filter.test, options: filter.options.symmetricDifference(action)))
                .flatMap(FilterCommandText.addition)
        }
        return ["filter -remove \(filter.name)"] + switched
    }

    // The options that affect verdicts.
    private static let actions: [Filter.Options] = [.reject, .ban, .risky, .executeFilteredPolicy]

    private static func entries(_ account: Account) -> [String] { account.devices.map { "device -remove \($0.id)" } }
}
