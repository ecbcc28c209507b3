/// The class that labels give a device.
package enum DeviceLabel: String, Hashable, Sendable, CaseIterable {
    case bad, good
    /// No label fits the device: it may be either.
    case unknown
}

extension DeviceLabel: PartialCodable {}
