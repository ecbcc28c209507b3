internal import PolicyEngine

/// What a step does; groups by their place in the scenario.
enum StepAction: Sendable {
    /// Each device asks for a token once.
    case fetch(groups: [Int], domain: String?)
    /// A management command, as it was typed.
    case approov(ManagementCommand, line: String, account: Int)
    /// What is observed of the devices changes from now on; flags replace, attributes are added.
    case set(group: Int, flags: FlagSet?, attributes: [DeviceGroup.Attribute])
    /// The app starts anew.
    case launch(groups: [Int])
    /// The app is removed and installed again (R1.3).
    case reinstall(groups: [Int], keepsID: Bool)
    /// The device is reset: on Android, a new device ID (R1.3).
    case factoryReset(groups: [Int])
    /// The app binds tokens to other data, which ends the cached one (R14.1).
    case bind(group: Int, data: String)
}
