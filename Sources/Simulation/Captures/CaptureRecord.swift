package import PolicyEngine

/// One record of a capture, understood: an attestation, and what the service said of it.
package struct CaptureRecord {
    /// What the engine judges.
    package var attestation: Attestation
    /// The device's system, by its `device` attribute (R13.1).
    package var operatingSystem = OperatingSystem.unknown
    /// Whether the service passed it, where the record has `rejection-flags` (present and empty means passed).
    package var capturedVerdict: Bool?
    /// The line at which the record starts, counted from 1.
    package var line = 0
}
