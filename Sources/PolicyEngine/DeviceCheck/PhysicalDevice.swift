/// A device as hardware, by a number of the caller's: what stays when an app install and its device ID go (R1.3).
public struct PhysicalDevice: Hashable, Sendable {
    /// The number; equal numbers are the same hardware.
    public let number: UInt32

    /// Makes the device of a number.
    public init(number: UInt32) {
        self.number = number
    }
}
