/// The effect of a change on a device: a device may be newly rejected at one time and newly accepted at another.
package struct DeviceOutcome: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It is not known, or the device did not attest.
    package static let unknown: DeviceOutcome = []
    /// It is known, and part of the two others.
    package static let unaffected = DeviceOutcome(rawValue: 1)
    /// The device is newly rejected at least once.
    package static let rejected = DeviceOutcome(rawValue: 1 | 2)
    /// The device is newly accepted at least once.
    package static let accepted = DeviceOutcome(rawValue: 1 | 4)
}

/// The effects of a change by device, and the same without what depends on new devices.
struct DoubtedOutcomes {
    let sure: [DeviceOutcome]
    /// `nil` if nothing depends on new devices, or a record has `new-did`.
    let doubtful: [DeviceOutcome]?
}
