internal import PolicyEngine

/// One or many installs that are alike (formats: Scenario, `devices`).
struct DeviceGroup: Sendable {
    let name: String
    var count = 1
    /// The system, where the group says; else the `device` attribute names it.
    var operatingSystem: OperatingSystem?
    /// The account by its index in the scenario.
    var account = 0
    /// Flags observed on every device.
    var flags = FlagSet.empty
    /// Flags observed on a share of the devices; each device draws once, independently.
    var flagRates: [(flag: Flag, rate: Percentage)] = []
    var attributes: [Attribute] = []
    /// True if the app is registered; if not, `app-not-registered` is set (R15.1).
    var isRegistered = true
    /// The name of hardware that it shares with other groups; without one its hardware is its own.
    var physical: String?
    /// The answer of its devices to DeviceCheck, if that is simulated (R8.2).
    var deviceCheck: DeviceCheckCapability?
    /// The bits that Apple has of its devices at the start (R8.3).
    var deviceCheckSetting: DeviceCheckSetting?
    /// The answer of its devices to SafetyNet, if that is simulated (R9.2).
    var safetyNet: SafetyNetOutcome?
    /// The settings of its app for the SDK (R17–R19).
    var client = ClientSettings()
    /// True if the systems of its devices connect though a pin forbids it (R18.7).
    var hasCompromisedPinning = false
    /// The key by which its app counts as a development version (R21.5).
    var developmentKey: String?
    /// The device ID of a single device.
    var id: DeviceID?
    /// The frequency and the times of its devices' attestations in a generated capture.
    var activity = Activity()

    struct Attribute: Sendable {
        let key: String
        let source: AttributeSource
    }
}
