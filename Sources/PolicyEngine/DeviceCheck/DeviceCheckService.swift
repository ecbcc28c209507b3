/// Apple's side of DeviceCheck, simulated: two bits by physical device and developer team (R8.3).
///
/// A value of its own, so that several accounts can share it, and so that it can start with bits set years ago. Nothing
/// that happens to an account or an install changes it but ``update(_:team:bits:in:)``.
public struct DeviceCheckService: Sendable {
    private var settings: [String: [PhysicalDevice: DeviceCheckSetting]] = [:]

    /// Makes a service that knows no device.
    public init() {}

    /// The setting of a device, or `nil` when none was ever made ("not found").
    ///
    /// - Parameters:
    ///   - device: The physical device.
    ///   - team: The developer team; teams do not see each other's bits (R8.10).
    public func query(_ device: PhysicalDevice, team: String) -> DeviceCheckSetting? {
        settings[team]?[device]
    }

    /// Sets both bits of a device; the month of the change goes with them, whether or not they differ from before.
    ///
    /// - Parameters:
    ///   - device: The physical device.
    ///   - team: The developer team.
    ///   - bits: 0 through 3.
    ///   - month: The month of the change.
    public mutating func update(_ device: PhysicalDevice, team: String, bits: UInt8, in month: CalendarMonth) {
        settings[team, default: [:]][device] = DeviceCheckSetting(bits: bits, changed: month)
    }
}
