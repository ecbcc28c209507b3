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
    ///   - account: The account.
    ///   - device: The device.
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

    private func edit(_ command: String, _ kind: AccountEdit.Kind, size: Int = 1) -> AccountEdit {
        AccountEdit(command: command, kind: kind, size: size)
    }
}

// MARK: Flags and filters

extension AccountEdits {
    private var flagEdits: [AccountEdit] {
        let catalogue = account.catalogue
        let named = flags.filter { Int($0.index) < catalogue.namedCount }.map { catalogue[$0].name }
        return ["-addRejectFlag", "-removeRejectFlag"].flatMap { action in
            named.map { edit("policy \(action) \($0)", .flag) }
        }
    }

    private var filterEdits: [AccountEdit] {
        account.filters.flatMap { filter in
            let kind = AccountEdit.Kind.filter(filter.name)
            let options = Self.options.compactMap { option in
                let options = filter.options.symmetricDifference(option)
                return (try? Filter(name: filter.name, test: filter.test, options: options))
                    .flatMap(FilterCommandText.addition)
            }
            return [edit("filter -remove \(filter.name)", kind)] + options.map { edit($0, kind) }
        }
    }

    // The options that affect verdicts.
    private static let options: [Filter.Options] = [
        .reject, .ban, .risky, .executeFilteredPolicy, .newDevicesOnly,
    ]

    private var samplingEdits: [AccountEdit] {
        ["0", "100"].map { edit("filter -setSamplingPercentage \($0)", .sampling) }
    }

    private var registrationEdits: [AccountEdit] {
        let own = (account.registrations ?? []).filter { values.contains(ExactText($0.signature)) }
        return own.map { edit("registration -remove \($0.overallSignature)", .registration) }
    }
}

// MARK: Policies and entries

extension AccountEdits {
    private var entryEdits: [AccountEdit] {
        let modes = ["ban", "unban"].map { edit("device -add \(device) -banMode \($0)", .entry) }
        let hasEntry = account.devices.contains { $0.id == device }
        return modes + (hasEntry ? [edit("device -remove \(device)", .entry)] : [])
    }

    // The presets between the two ends, those first that change the fewest flags.
    private var policyEdits: [AccountEdit] {
        let presets = RejectionPreset.allCases.filter { !Self.ends.contains($0) }
        let edits = presets.map { edit("policy -set \(policy(account.policy.rules, $0))", .policy, size: size(of: $0)) }
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
        Self.ends.map { edit("device -add \(device) -policy \(policy(account.policy.rules, $0))", .ownPolicy) }
    }

    private var filteredPolicyEdits: [AccountEdit] {
        let entry = DeviceID.filteredPolicyText
        let removal = account.filteredPolicyEntry == nil ? [] : [edit("device -remove \(entry)", .filteredPolicy)]
        let additions = account.rules.flatMap { rules in
            Self.ends.map { edit("device -add \(entry) -policy \(policy(rules, $0))", .filteredPolicy) }
        }
        return removal + additions
    }

    private var lastResorts: [AccountEdit] {
        let others = account.rules.filter { $0 != account.policy.rules }
        // Rules affect the filtered policy alone, which can be given others as well.
        let moved = account.filteredPolicyEntry == nil ? [] : others
        return newFilters + policies(account.policy.rules, Self.ends)
            + moved.flatMap { policies($0, RejectionPreset.allCases) }
    }

    private func policies(_ rules: String, _ presets: [RejectionPreset]) -> [AccountEdit] {
        presets.map { edit("policy -set \(policy(rules, $0))", .lastResort, size: size(of: $0)) }
    }

    // A filter that matches the device and no other, with each thing that one can bring about.
    private var newFilters: [AccountEdit] {
        let test = Filter.Test.exact(key: "device-id", value: device.description)
        let names = ["this-device"] + (1...25).map { "this-device-\($0)" }
        let free = names.first { name in !account.filters.contains { $0.name == name } }
        guard let name = free else { return [] }
        return Self.options.dropLast().compactMap { option in
            (try? Filter(name: name, test: test, options: option)).flatMap(FilterCommandText.addition)
        }.map { edit($0, .lastResort) }
    }

    private func policy(_ rules: String, _ preset: RejectionPreset) -> String {
        "\(rules),\(preset.rawValue),\(account.policy.annotation.text)"
    }
}

/// One management command that may turn verdicts, and its rank among others.
struct AccountEdit: Hashable {
    /// The command, as `--change` takes it.
    let command: String
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
    var rank: Int { command.hasPrefix("policy -set ") || command.hasPrefix("device -remove ") ? 0 : 1 }
}
