internal import Accounts
internal import Figures
internal import PolicyEngine

/// Every single command that can turn the verdict of one device, whatever it attests; those of a kind are together, the
/// smallest kinds first.
///
/// Left out are edits that cannot affect it: flags that are never set on the device, entries of other devices, services (a
/// capture holds what they found), settings of tokens and domains. Of settings with many values, only the strongest ones
/// are there: presets stand for policies, all and none for shares, one filter for all that match the device.
struct AccountEdits {
    private let account: Account
    private let device: DeviceID
    // The flags that are set on the device, or can be.
    private let flags: FlagSet
    // The values of its attributes.
    private let values: Set<ExactText>

    /// - Parameters:
    ///   - flags: The flags that were observed of it.
    ///   - values: The values of its attributes.
    init(_ account: Account, device: DeviceID, flags: FlagSet, values: Set<ExactText>) {
        self.account = account
        self.device = device
        self.flags = flags.union([.newDevice, .deviceBan, .deviceUnban, .riskyDevice, .appNotRegistered])
        self.values = values
    }

    /// All of them.
    var all: [AccountEdit] {
        flagEdits + filterEdits + entryEdits + samplingEdits + registrationEdits + policyEdits + ownPolicyEdits
            + filteredPolicyEdits + lastResorts
    }

    private func edits(
        _ commands: [ManagementCommand?], _ kind: AccountEdit.Kind, size: Int = 1
    ) -> [AccountEdit] {
        commands.compactMap { command in command.map { AccountEdit(command: $0, kind: kind, size: size) } }
    }
}

// MARK: Flags and filters

extension AccountEdits {
    private var flagEdits: [AccountEdit] {
        let catalogue = account.catalogue
        let named = flags.filter { Int($0.index) < catalogue.namedCount }.map { catalogue[$0].name }
        return [true, false].flatMap { isAdded in
            edits(named.map { .rejectFlag($0, isAdded: isAdded) }, .flag)
        }
    }

    private var filterEdits: [AccountEdit] {
        account.filters.flatMap { filter in
            edits(ManagementCommand.edits(of: filter, switching: Self.options), .filter(filter.name))
        }
    }

    // The options that affect verdicts.
    private static let options: [Filter.Options] = [
        .reject, .ban, .risky, .executeFilteredPolicy, .newDevicesOnly,
    ]

    private var samplingEdits: [AccountEdit] { edits([.sampling(0), .sampling(100)], .sampling) }

    private var registrationEdits: [AccountEdit] {
        let own = (account.registrations ?? []).filter { values.contains(ExactText($0.signature)) }
        return edits(own.map { .removal(of: $0) }, .registration)
    }
}

// MARK: Policies and entries

extension AccountEdits {
    private var entryEdits: [AccountEdit] {
        let hasEntry = account.devices.contains { $0.id == device }
        let modes = ["ban", "unban"].map { ManagementCommand.entry("\(device)", "-banMode", $0) }
        return edits(modes + [hasEntry ? .removal(ofDevice: device) : nil], .entry)
    }

    // The presets between the two ends, those first that change the fewest flags.
    private var policyEdits: [AccountEdit] {
        let edits = policies(RejectionPreset.allCases.filter { !Self.ends.contains($0) }, .policy)
        return edits.enumerated().sorted { ($0.element.size, $0.offset) < ($1.element.size, $1.offset) }.map(\.element)
    }

    private static let ends: [RejectionPreset] = [.whitelist, .blacklist]

    private func size(of preset: RejectionPreset) -> Int {
        let catalogue = account.catalogue
        let other = RejectionPolicy(preset: preset)
        return max(1, PolicyDifference(account.policy.rejection, of: catalogue, other, of: catalogue).size)
    }

    // No preset accepts what whitelist rejects, and none rejects more than blacklist.
    private var ownPolicyEdits: [AccountEdit] {
        edits(ownPolicies(of: "\(device)", rules: account.policy.rules), .ownPolicy)
    }

    private var filteredPolicyEdits: [AccountEdit] {
        let removal = account.filteredPolicyEntry.flatMap { ManagementCommand.removal(ofDevice: $0.id) }
        let additions = account.rules.flatMap { ownPolicies(of: DeviceID.filteredPolicyText, rules: $0) }
        return edits([removal] + additions, .filteredPolicy)
    }

    private var lastResorts: [AccountEdit] {
        let others = account.rules.filter { $0 != account.policy.rules }
        // Rules affect the filtered policy alone, which can be given others as well.
        let moved = account.filteredPolicyEntry == nil ? [] : others
        return newFilters + policies(Self.ends, .lastResort)
            + moved.flatMap { policies(RejectionPreset.allCases, .lastResort, rules: $0) }
    }

    private func policies(
        _ presets: [RejectionPreset], _ kind: AccountEdit.Kind, rules: String? = nil
    ) -> [AccountEdit] {
        presets.flatMap { edits([.policy(policy($0, rules: rules))], kind, size: size(of: $0)) }
    }

    private func ownPolicies(of device: String, rules: String) -> [ManagementCommand?] {
        Self.ends.map { .entry(device, "-policy", "\(policy($0, rules: rules))") }
    }

    // A filter that matches the device and no other, with each thing that one can bring about.
    private var newFilters: [AccountEdit] {
        let test = Filter.Test.exact(key: "device-id", value: device.description)
        let names = ["this-device"] + (1...25).map { "this-device-\($0)" }
        let free = names.first { name in !account.filters.contains { $0.name == name } }
        guard let name = free else { return [] }
        let filters = Self.options.dropLast().map { try? Filter(name: name, test: test, options: $0) }
        return edits(filters.map { $0.flatMap(ManagementCommand.addition) }, .lastResort)
    }

    private func policy(_ preset: RejectionPreset, rules: String?) -> SecurityPolicy {
        var policy = account.policy.rejecting(by: preset)
        policy.rules = rules ?? policy.rules
        return policy
    }
}

/// One management command that may turn verdicts, and its rank among others.
struct AccountEdit: Hashable {
    let command: ManagementCommand
    /// The part of the account that it changes.
    let kind: Kind
    /// The number of settings that it changes: 1 for a single setting, for a policy the number of flags that it treats
    /// otherwise.
    let size: Int

    /// Kinds of edits, the narrowest first. Of some, not all that turn a verdict are named.
    enum Kind: Hashable {
        /// One flag of the account's rejection policy.
        case flag
        /// One filter; its removal comes before its options.
        case filter(String)
        /// A ban or an unban of the device, or the end of its entry.
        case entry
        /// The share of devices that are sampled.
        case sampling
        /// A registration.
        case registration
        /// Another preset for the account.
        case policy
        /// A policy for the device alone.
        case ownPolicy
        /// The filtered policy.
        case filteredPolicy
        /// An edit that is named only if nothing else helps: it rejects or accepts everything, or changes the rules.
        case lastResort

        /// The greatest number of edits of the kind that are named.
        var limit: Int {
            switch self {
            case .flag, .entry, .registration: .max
            case .policy: 3
            case .filter, .sampling, .ownPolicy, .filteredPolicy, .lastResort: 1
            }
        }
    }

    /// A last resort counts as larger than anything else.
    var weight: Int { kind == .lastResort ? size + 1000 : size }

    /// The position of the command among several: one that sets a whole policy or removes an entry comes before one that
    /// changes a part of it.
    var rank: Int {
        if case .set? = command.value as? PolicyTopic { return 0 }
        if case .remove? = command.value as? DeviceTopic { return 0 }
        return 1
    }
}
