internal import PolicyEngine

/// What changes about the devices of a group (formats: Scenario, `set`); what is `nil` stays.
struct DeviceChange: Sendable {
    /// Instead of the flags observed so far.
    var flags: FlagSet?
    /// Beside the attributes that are there, or instead of those of the same key.
    var attributes: [DeviceGroup.Attribute] = []
    var deviceCheck: DeviceCheckCapability?
    var safetyNet: SafetyNetOutcome?
    var isRegistered: Bool?
}
