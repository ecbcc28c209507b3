/// What can be found out of a simulated device beyond what it sends: what step 4 of an attestation looks at (R10).
public struct DeviceEvidence: Hashable, Sendable {
    /// The system; DeviceCheck is of iOS, SafetyNet of Android.
    public var system: OperatingSystem
    /// The hardware.
    public var physical: PhysicalDevice
    /// What it answers to DeviceCheck; `nil` where that is not simulated, so that it is never done.
    public var deviceCheck: DeviceCheckCapability?
    /// What it answers to SafetyNet; `nil` where that is not simulated, so that it is never done.
    public var safetyNet: SafetyNetOutcome?
    /// When the app was launched last.
    public var launched: Instant
    /// Whether no attestation was made since then.
    public var isFirstSinceLaunch = true
    /// Whether the failover alone judged it since then: SafetyNet, which the failover does not do, is due still (R14.3).
    public var hasMetFailoverOnly = false
    /// Whether the app counts as registered where the account lists no registrations (R15.1).
    public var isRegistered = true

    /// Makes evidence of an app that was launched and has not attested yet.
    public init(
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
