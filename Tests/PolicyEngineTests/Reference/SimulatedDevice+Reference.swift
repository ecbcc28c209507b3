@testable import PolicyEngine
@testable import TestSupport

extension SimulatedDevice {
    /// The engine's device that a reference phone describes.
    init(_ phone: ReferencePhone, _ observation: Observation) {
        let system: OperatingSystem =
            switch phone.system {
            case "ios": .ios
            case "android": .android
            default: .unknown
            }
        var evidence = DeviceEvidence(
            system: system, physical: PhysicalDevice(number: UInt32(phone.hardware)),
            deviceCheck: phone.capability.flatMap(DeviceCheckCapability.init(rawValue:)),
            safetyNet: phone.outcome.flatMap(SafetyNetOutcome.init(rawValue:)), launched: phone.launched)
        evidence.isFirstSinceLaunch = phone.isFirstSinceLaunch
        evidence.isRegistered = phone.isRegistered
        self.init(id: phone.id, evidence: evidence, flags: observation.flags, attributes: observation.attributes)
    }
}
