extension Account {
    /// Reads a policy for this account or one of its devices (R3).
    ///
    /// - Throws: ``PolicyError``.
    public func securityPolicy(_ text: String) throws(PolicyError) -> SecurityPolicy {
        try SecurityPolicy(text, catalogue: catalogue, rules: rules)
    }

    /// Reads a policy for the filtered pseudo device, whose rules may be unknown; it then has no effect (R3.2).
    ///
    /// - Throws: ``PolicyError``.
    public func filteredSecurityPolicy(_ text: String) throws(PolicyError) -> SecurityPolicy {
        try SecurityPolicy(text, catalogue: catalogue, rules: nil)
    }

    /// The entry that carries the filtered policy, if there is one (R7.3).
    package var filteredPolicyEntry: DeviceEntry? {
        devices.first { $0.id.isFilteredPolicy }
    }

    /// The filtered policy where it has an effect: the account has its rules (R3.2), and they differ from those of the
    /// account's own policy (R7.3).
    package var effectiveFilteredPolicy: SecurityPolicy? {
        filteredPolicyEntry?.policy.flatMap { $0.rules != policy.rules && rules.contains($0.rules) ? $0 : nil }
    }
}

extension Account {
    /// The account without all that depends on whether a device is new: filters for new devices alone never match, and no
    /// policy rejects on `new-did`; `nil` where that makes no difference.
    ///
    /// It evaluates captures that do not say which devices were new.
    package var withoutNewDevices: Account? {
        var account = self
        account.policy.rejection.overlook(.newDevice)
        for index in devices.indices { account.devices[index].policy?.rejection.overlook(.newDevice) }
        guard account != self || filters.contains(where: { $0.options.contains(.newDevicesOnly) }) else { return nil }
        account.knowsNewDevices = false
        return account
    }
}
