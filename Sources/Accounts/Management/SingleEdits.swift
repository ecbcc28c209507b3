package import PolicyEngine

/// One management command that changes an account, and the account after it.
package struct SingleEdit: Sendable {
    package let command: ManagementCommand
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
        let presets = RejectionPreset.allCases.map { ManagementCommand.policy(account.policy.rejecting(by: $0)) }
        let filters = account.filters.flatMap { ManagementCommand.edits(of: $0, switching: actions) }
        let entries = account.devices.map { ManagementCommand.removal(ofDevice: $0.id) }
        let commands = presets + flags(account) + filters + entries
        return commands.compactMap(\.self).compactMap { command in
            command.edited(account).map { SingleEdit(command: command, account: $0) }
        }
    }

    private static func flags(_ account: Account) -> [ManagementCommand?] {
        let (named, policy) = (account.catalogue.declaredFlags, account.policy.rejection)
        return named.filter { !policy.rejecting.contains($0.flag) }.map { .rejectFlag($0.name) }
            + named.filter { policy.anyRejecting.contains($0.flag) }.map { .rejectFlag($0.name, isAdded: false) }
    }

    // The options that affect verdicts, but for the one that restricts a filter to new devices.
    private static let actions: [Filter.Options] = [.reject, .ban, .risky, .executeFilteredPolicy]
}

// The commands that edit one thing of an account; `nil` for one that no line can say.
extension ManagementCommand {
    /// Sets a security policy.
    package static func policy(_ policy: SecurityPolicy) -> ManagementCommand? { made("policy", "-set", "\(policy)") }

    /// Makes a flag one that rejects, or makes it none.
    package static func rejectFlag(_ name: String, isAdded: Bool = true) -> ManagementCommand? {
        made("policy", isAdded ? "-addRejectFlag" : "-removeRejectFlag", name)
    }

    /// Adds a filter, or replaces the one of its name.
    package static func addition(of filter: Filter) -> ManagementCommand? {
        let command = try? ManagementCommand(words: FilterTopic.words(adding: filter))
        return command?.value as? FilterTopic == .add(filter) ? command : nil
    }

    /// Removes a filter.
    package static func removal(ofFilter name: String) -> ManagementCommand? { made("filter", "-remove", name) }

    /// Removes a filter, or switches one of these options of it on or off.
    package static func edits(of filter: Filter, switching options: [Filter.Options]) -> [ManagementCommand?] {
        let switched = options.map { option in
            try? Filter(name: filter.name, test: filter.test, options: filter.options.symmetricDifference(option))
        }
        return [removal(ofFilter: filter.name)] + switched.map { $0.flatMap(addition) }
    }

    /// Sets the share of devices that the filtered policy samples.
    package static func sampling(_ percentage: Int) -> ManagementCommand? {
        made("filter", "-setSamplingPercentage", "\(percentage)")
    }

    /// Adds the entry of a device, or of all filtered devices, with one option.
    package static func entry(_ device: String, _ option: String, _ value: String) -> ManagementCommand? {
        made("device", "-add", device, option, value)
    }

    /// Removes the entry of a device.
    package static func removal(ofDevice id: DeviceID) -> ManagementCommand? { made("device", "-remove", "\(id)") }

    /// Removes a registration.
    package static func removal(of registration: Registration) -> ManagementCommand? {
        made("registration", "-remove", registration.overallSignature)
    }

    private static func made(_ words: String...) -> ManagementCommand? { try? ManagementCommand(words: words) }

    /// The account after the command; `nil` if the account refuses it, or is the same afterwards.
    package func edited(_ account: Account) -> Account? {
        var edited = account
        guard (try? apply(to: &edited, in: CommandContext())) != nil, edited != account else { return nil }
        return edited
    }
}
