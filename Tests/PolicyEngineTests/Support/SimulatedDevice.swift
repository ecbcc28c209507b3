@testable import PolicyEngine
@testable import TestSupport

/// A device with an app on it: what it sends, and what can be found out of it.
struct SimulatedDevice: Sendable {
    /// The device ID.
    var id: String
    var evidence: DeviceEvidence
    /// The observed flags.
    var flags: [String] = []
    var attributes: [String: String] = [:]

    /// An iPhone on which the app was just installed.
    ///
    /// - Parameters:
    ///   - id: Its device ID.
    ///   - hardware: Equal numbers are the same physical device.
    ///   - capability: What it answers to DeviceCheck; `nil` where that is not simulated.
    static func iPhone(
        _ id: String = Sample.device, hardware: UInt32 = 1, answering capability: DeviceCheckCapability? = .available
    ) -> SimulatedDevice {
        let evidence = DeviceEvidence(
            system: .ios, physical: PhysicalDevice(number: hardware), deviceCheck: capability, launched: Sample.time)
        return SimulatedDevice(id: id, evidence: evidence)
    }

    /// An Android phone on which the app was just installed.
    ///
    /// - Parameters:
    ///   - id: Its device ID.
    ///   - hardware: Equal numbers are the same physical device.
    ///   - outcome: What SafetyNet comes to; `nil` where that is not simulated.
    static func android(
        _ id: String = Sample.device, hardware: UInt32 = 1, answering outcome: SafetyNetOutcome? = .pass
    ) -> SimulatedDevice {
        let evidence = DeviceEvidence(
            system: .android, physical: PhysicalDevice(number: hardware), safetyNet: outcome, launched: Sample.time)
        return SimulatedDevice(id: id, evidence: evidence)
    }

    /// The app is started.
    mutating func launch(at time: Instant) {
        evidence.launched = time
        evidence.isFirstSinceLaunch = true
    }

    /// The app is removed, installed and started.
    ///
    /// - Parameter newID: The device ID of the new install; `nil` keeps the old one (R1.3).
    mutating func reinstall(as newID: String? = nil, at time: Instant) {
        launch(at: time)
        id = newID ?? id
    }
}
