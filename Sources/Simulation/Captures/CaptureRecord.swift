package import PolicyEngine

/// One record of a capture, understood; its attributes are in the numbers of whoever read it.
package struct CaptureRecord {
    /// Whose it is.
    package var id: DeviceID
    /// What was observed; its device has no number yet.
    package var attestation = Attestation(time: Instant(secondsSinceEpoch: 0), device: DeviceIndex(offset: 0))
    /// The list of flags, where it has names that the catalogue lacks; the attestation then has no flags yet.
    package var newFlags: String?
    /// The device's system, by its `device` attribute (R13.1).
    package var operatingSystem = OperatingSystem.unknown
    /// Whether the service passed it, where the record has `rejection-flags` (present and empty means passed).
    package var capturedVerdict: Bool?
    /// The line at which the record starts, counted from the start of what was read at a time.
    package var line = 0
}
