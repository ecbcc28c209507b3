extension Account {
    /// The account without what hangs on whether a device is new: filters for new devices alone never match, and no
    /// policy rejects on `new-did`; `nil` where that makes no difference.
    ///
    /// It judges captures that do not tell which devices were new.
    package var withoutNewDevices: Account? {
        var account = self
        account.policy.rejection.overlook(.newDevice)
        for place in devices.indices { account.devices[place].policy?.rejection.overlook(.newDevice) }
        guard account != self || filters.contains(where: { $0.options.contains(.newDevicesOnly) }) else { return nil }
        account.tellsNewDevices = false
        return account
    }
}
