internal import PolicyEngine

/// A change of the devices of a group (formats: Scenario, `set`); a property that is `nil` stays.
struct DeviceChange: Sendable {
    /// Instead of the flags observed so far.
    var flags: FlagSet?
    /// Beside the attributes that are there, or instead of those of the same key.
    var attributes: [DeviceGroup.Attribute] = []
    var deviceCheck: DeviceCheckCapability?
    var safetyNet: SafetyNetOutcome?
    var isRegistered: Bool?
    /// The key by which the app counts as a development version (R21.5); `some(nil)` takes it away.
    var developmentKey: String??
    /// The client settings of a new version of the app; the app is launched then (R18.4).
    var client: ClientSettings?
}

extension Install {
    /// Takes over what changes about the device, beside its attributes.
    mutating func apply(_ change: DeviceChange) {
        attestation.flags = change.flags ?? attestation.flags
        evidence.isRegistered = change.isRegistered ?? evidence.isRegistered
        evidence.developmentKey = change.developmentKey ?? evidence.developmentKey
        if let client = change.client { update(to: client) }
        applyToPhone(change)
        // Another SDK may sign messages, or no longer.
        epoch &+= 1
    }

    // The app of another version keeps what was stored.
    private mutating func update(to client: ClientSettings) {
        if let builtIn = client.builtIn { configuration.builtIn = builtIn }
        (configuration.handling, configuration.reading) = (client.handling, client.reading)
    }

    /// Takes over what changes about the phone, on which other installs may be (R14.2c).
    mutating func applyToPhone(_ change: DeviceChange) {
        evidence.deviceCheck = change.deviceCheck ?? evidence.deviceCheck
        evidence.safetyNet = change.safetyNet ?? evidence.safetyNet
    }
}
