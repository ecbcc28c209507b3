internal import Accounts
internal import PolicyEngine

/// What a step does; groups by their place in the scenario.
enum StepAction: Sendable {
    /// Each device asks for a token once.
    case fetch(groups: [Int], domain: String?)
    /// A management command, as it was typed.
    case approov(ManagementCommand, line: String, account: Int)
    /// What is observed of the devices changes from now on; flags replace, attributes are added.
    case set(group: Int, DeviceChange)
    /// The app starts anew.
    case launch(groups: [Int])
    /// The app is removed and installed again (R1.3).
    case reinstall(groups: [Int], keepsID: Bool)
    /// The device is reset: on Android, a new device ID (R1.3).
    case factoryReset(groups: [Int])
    /// The app binds tokens to other data, which ends the cached one (R14.1).
    case bind(group: Int, data: String)
    /// The devices move to another network (R14.2).
    case network(groups: [Int], state: NetworkState)
    /// The primary service does not answer, up to some seconds from the scenario's start; `nil` is without end (R14.3).
    case outage(until: Int?)

    /// The team ID that a command gives to an account, if the step is such a command.
    func teamID(givenToAccount place: Int) -> String? {
        guard case .approov(.deviceCheck(.addAuthKey(let options)), _, place) = self else { return nil }
        return options.teamID
    }
}
