/// The services of Apple and Google that an engine asks about simulated devices (R8, R9).
///
/// One value for all accounts of a simulation: they share the bits of a team and the quota of a key.
public struct PlatformServices: Sendable {
    /// Apple's DeviceCheck.
    public var deviceCheck = DeviceCheckService()
    /// Google's SafetyNet.
    public var safetyNet = SafetyNetService()

    /// Makes services that know nothing yet.
    public init() {}
}
