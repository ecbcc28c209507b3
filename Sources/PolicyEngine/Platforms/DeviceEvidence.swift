/// The evidence on a simulated device beyond what it sends: what step 4 of an attestation looks at (R10).
package struct DeviceEvidence: Hashable, Sendable {
    /// The system; DeviceCheck is of iOS, SafetyNet of Android.
    package var system: OperatingSystem
    /// The hardware.
    package var physical: PhysicalDevice
    /// Its answer to DeviceCheck; `nil` if that is not simulated, so that it is never done.
    package var deviceCheck: DeviceCheckCapability?
    /// Its answer to SafetyNet; `nil` if that is not simulated, so that it is never done.
    package var safetyNet: SafetyNetOutcome?
    /// When the app was launched last.
    package var launched: Instant
    /// True if no attestation was made since then.
    package var isFirstSinceLaunch = true
    /// True if only the failover evaluated it since then: SafetyNet, which the failover does not do, is due still (R14.3).
    package var hasMetFailoverOnly = false
    /// True if the app counts as registered when the account lists no registrations (R15.1).
    package var isRegistered = true
    /// The key that the app gives to count as a development version (R21.5).
    package var developmentKey: String?

    /// Makes evidence of an app that was launched and has not attested yet.
    package init(
        system: OperatingSystem,
        physical: PhysicalDevice,
        deviceCheck: DeviceCheckCapability? = nil,
        safetyNet: SafetyNetOutcome? = nil,
        launched: Instant
    ) {
        self.system = system
        self.physical = physical
        self.deviceCheck = deviceCheck
        self.safetyNet = safetyNet
        self.launched = launched
    }
}

/// The services of Apple and Google that an engine asks about simulated devices (R8, R9).
///
/// One value for all accounts of a simulation: they share the bits of a team and the quota of a key.
package struct PlatformServices: Sendable {
    /// Apple's DeviceCheck.
    package var deviceCheck = DeviceCheckService()
    /// Google's SafetyNet.
    package var safetyNet = SafetyNetService()

    /// Makes services that know nothing yet.
    package init() {}
}
