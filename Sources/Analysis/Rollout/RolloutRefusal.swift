internal import Documents
internal import PolicyEngine

/// Why sampling cannot bring a change to a share of the devices.
package struct RolloutRefusal: DescribedError, Hashable {
    /// The reason: lower case, no final period.
    package let description: String
    /// Advice that might help.
    package let hint: String?

    init(_ description: String, hint: String? = nil) {
        (self.description, self.hint) = (description, hint)
    }

    /// Checks that a change is one of the security policy alone, which an account can give to sampled devices.
    ///
    /// - Throws: The first reason against it.
    static func check(from before: Account, to after: Account) throws(RolloutRefusal) {
        let change = AccountChange(from: before, to: after)
        guard !change.parts.isEmpty else { throw RolloutRefusal("the change changes nothing") }
        if let part = change.parts.first(where: { $0 != .policy }) { throw RolloutRefusal(part) }
        guard !after.policy.rejection.isCustom else {
            throw RolloutRefusal(
                "a custom rejection policy cannot be brought to sampled devices: only presets can be set for them (R4.4)",
                hint: "`scenario diff` reports the effect on all devices at once")
        }
        try check(before)
    }

    // The means of a rollout have to be free.
    private static func check(_ account: Account) throws(RolloutRefusal) {
        guard account.filteredPolicyEntry == nil, account.samplingPercentage == .zero else {
            throw RolloutRefusal(
                "the account has a filtered policy or a sampling percentage already, and a rollout needs both",
                hint: "a rollout begins without the entry `\(DeviceID.filteredPolicyText)` and with a percentage of 0")
        }
        if let filter = account.filters.first(where: { $0.options.contains(.executeFilteredPolicy) }) {
            throw RolloutRefusal(
                "the filter \(filter.name.quoted) has `execFilteredSecPolicy`, so that all devices that it matches "
                    + "would get the policy in the first step (R7.3)",
                hint: "a rollout begins with filters that do not have it")
        }
    }

    private init(_ part: AccountPart) {
        switch part {
        case .filters:
            self.init(
                "a filter cannot be brought to a sampled share of devices: sampling selects a policy (R7.6), and it is no "
                    + "filter that a conjunction could have as an input (R7.4)",
                hint: "add the filter without `-reject` and `-ban` first, and look at its metric")
        case .devices:
            self.init(
                "an entry of a device cannot be brought to a sampled share of devices: it is for one device (R6)",
                hint: "`scenario diff` reports its effect")
        case .filteredPolicy:
            self.init(
                "the filtered policy and the sampling percentage are the means of a rollout, and not what is rolled out",
                hint: "give the change of the account's policy, such as `policy -set default,strict,default`")
        default:
            self.init(
                "only the security policy can be brought to a sampled share of devices (R7.3), and the change concerns "
                    + "other settings, too",
                hint: "`scenario diff` reports the effect on all devices at once")
        }
    }
}
