/// Apple's side of DeviceCheck, simulated: two bits by physical device and developer team (R8.3).
///
/// A value of its own, so that several accounts can share it, and so that it can start with bits set years ago. Nothing
/// that happens to an account or an install changes it but ``update(_:team:bits:in:)``.
package struct DeviceCheckService: Sendable {
    private var settings: [ExactText: [PhysicalDevice: DeviceCheckSetting]] = [:]

    /// Makes a service that knows no device.
    package init() {}

    /// The setting of a device, or `nil` when none was ever made ("not found").
    ///
    /// - Parameters:
    ///   - device: The physical device.
    ///   - team: The developer team; teams do not see each other's bits (R8.10).
    package func query(_ device: PhysicalDevice, team: String) -> DeviceCheckSetting? {
        settings[ExactText(team)]?[device]
    }

    /// Sets both bits of a device; the month of the change goes with them, whether or not they differ from before.
    ///
    /// - Parameters:
    ///   - device: The physical device.
    ///   - team: The developer team.
    ///   - bits: 0 through 3.
    ///   - month: The month of the change.
    package mutating func update(_ device: PhysicalDevice, team: String, bits: UInt8, in month: CalendarMonth) {
        settings[ExactText(team), default: [:]][device] = DeviceCheckSetting(bits: bits, changed: month)
    }
}

/// The two bits that Apple keeps of a physical device for a developer team, and when they changed last (R8.3).
package struct DeviceCheckSetting: Hashable, Sendable {
    /// Both bits as a number from 0 through 3; bit 0 counts 1, bit 1 counts 2.
    package let bits: UInt8
    /// The month of their last change; Apple reports no more.
    package let changed: CalendarMonth

    /// The highest number that two bits hold.
    package static let maximum: UInt8 = 3

    /// Makes a setting.
    ///
    /// - Parameters:
    ///   - bits: 0 through 3; more is taken as 3.
    ///   - changed: The month of their last change.
    package init(bits: UInt8, changed: CalendarMonth) {
        self.bits = min(bits, Self.maximum)
        self.changed = changed
    }
}

/// The answer of a physical device that is asked for a DeviceCheck token (R8.2).
package enum DeviceCheckCapability: String, Hashable, Sendable, CaseIterable {
    /// A token that Apple takes.
    case available
    /// No token: the system is too old, or not on real hardware.
    case unavailable
    /// A token that Apple refuses.
    case invalid
}

/// A device as hardware, by a number of the caller's: what stays when an app install and its device ID go (R1.3).
package struct PhysicalDevice: Hashable, Sendable {
    /// The number; equal numbers share the hardware.
    package let number: UInt32

    /// Makes the device of a number.
    package init(number: UInt32) {
        self.number = number
    }
}
