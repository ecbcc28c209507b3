/// The two bits that Apple keeps of a physical device for a developer team, and when they changed last (R8.3).
public struct DeviceCheckSetting: Hashable, Sendable {
    /// Both bits as a number from 0 through 3; bit 0 counts 1, bit 1 counts 2.
    public let bits: UInt8
    /// The month of their last change; Apple tells no more.
    public let changed: CalendarMonth

    /// The highest number that two bits hold.
    public static let maximum: UInt8 = 3

    /// Makes a setting.
    ///
    /// - Parameters:
    ///   - bits: 0 through 3; more is taken as 3.
    ///   - changed: The month of their last change.
    public init(bits: UInt8, changed: CalendarMonth) {
        self.bits = min(bits, Self.maximum)
        self.changed = changed
    }
}
