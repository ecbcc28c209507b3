package import PolicyEngine

/// What a command asks about devices that attested; only the service knows, not the account.
package enum DeviceQuery: Hashable, Sendable {
    /// `device -getDeviceState id`
    case state(DeviceID)
    /// `device -getInfo new-did|filtered|id [-clear]`
    case information(InformationSource, clears: Bool)
    /// `device -getFetches timed|untimed [-clear]`
    case fetches(isTimed: Bool, clears: Bool)

    /// Where device information comes from.
    package enum InformationSource: Hashable, Sendable {
        /// The latest new devices.
        case newDevices
        /// The latest devices that matched a filter which captures.
        case filteredDevices
        /// A device with an entry of its own.
        case device(DeviceID)
    }
}
