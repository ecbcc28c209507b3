@testable import PolicyEngine
@testable import TestSupport

extension Account {
    /// The engine's account that a reference account and its services describe.
    init(_ reference: ReferenceAccount, _ services: ReferenceServices) throws {
        try self.init(reference)
        if let deviceCheck = services.deviceCheck {
            guard let bits = DeviceCheckSettings.Bits(rawValue: deviceCheck.bits) else {
                throw TestFailure("no bits: \(deviceCheck.bits)")
            }
            addAuthKey("KEY", teamID: ReferenceServices.team, bits: bits, expiry: deviceCheck.expiry)
        }
        if let key = services.safetyNetKey {
            safetyNet = SafetyNetSettings(apiKey: key, dailyQuota: services.dailyQuota)
        }
        if services.hasCertificate { try addAppSigningCertificate("C0:F3:15:9B:A5:6C:A8:E1") }
        guard let registrations = services.registrations else { return }
        listRegistrations()
        for registration in registrations {
            try append(
                Registration(
                    signature: registration.signature, package: registration.package, version: registration.version,
                    libraryID: registration.library, sdk: registration.sdk, isBundle: registration.isBundle,
                    expiry: registration.expiry))
        }
    }
}
