package import PolicyEngine

/// A management command of the manual, understood but not carried out.
///
/// Texts that only an account can understand, such as policies and flags, are still texts here.
package enum ManagementCommand: Hashable, Sendable {
    /// `policy -set rules,rejection,annotation`
    case setPolicy(String)
    /// `policy -addRejectFlag flag`
    case addRejectFlag(String)
    /// `policy -removeRejectFlag flag`
    case removeRejectFlag(String)
    /// `policy -setARC on|off`
    case setResponseCode(Bool)
    /// `device -add id|latest [options]`
    case addDevice(DeviceTarget, DeviceOptions)
    /// `device -remove id`
    case removeDevice(DeviceID)
    /// `device -clearDeviceState`
    case clearDeviceState
    /// `filter -add name [options]`
    case addFilter(Filter)
    /// `filter -remove name`
    case removeFilter(String)
    /// `filter -setSamplingPercentage number`
    case setSamplingPercentage(Percentage)

    /// Which device a command speaks of.
    package enum DeviceTarget: Hashable, Sendable {
        case id(DeviceID)
        /// The one device that attested in the last two minutes (R6.2).
        case latest
    }

    /// The options of `device -add`.
    package struct DeviceOptions: Hashable, Sendable {
        package var policy: String?
        package var label: String?
        package var pinMode: PinMode?
        package var banMode: BanMode?
        package var probeURL: String?

        package init() {}
    }
}
