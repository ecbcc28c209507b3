internal import Accounts
internal import PolicyEngine

/// The result of a rotation of a domain.
package struct RehearsedRotation: Sendable {
    package let domain: String
    package let rotation: Rotation
    /// The chain that the backend presents from then on, the leaf first, by names of keys or as pins.
    package let chain: [String]
    /// The key of the chain of which the account has a pin, by its name or as a pin; `nil` where it has none.
    package let match: String?
    /// True if pins apply to the domain.
    package let isPinned: Bool
    /// The management commands by which the account is made to fit; none where it fits.
    package let commands: [String]
    /// By group; only groups that made requests.
    package let groups: [Group]
    /// The number of devices that, at the end, connect to somebody with the stolen key; `nil` for other rotations.
    package let trustingThief: Int?

    /// The devices of a group.
    package struct Group: Sendable {
        package let devices: Int
        package let requests: RequestFigures
    }

    /// True if apps with the pins of the account connect as before.
    package var survives: Bool { match != nil || !isPinned }
    /// The number of devices.
    package var devices: Int { groups.reduce(0) { $0 + $1.devices } }
    /// The figures of all groups.
    package var requests: RequestFigures {
        groups.reduce(into: RequestFigures()) { $0.merge($1.requests) }
    }

    /// - Parameters:
    ///   - planned: The rotation.
    ///   - rotated: The run in which it happens.
    ///   - thief: The run in which somebody presents the old chain; `nil` where devices meet nobody.
    ///   - groups: The groups of the scenario.
    ///   - names: The names of keys.
    init(
        _ planned: RotationRehearsal.Planned, _ rotated: ScenarioResult, thief: ScenarioResult?,
        of groups: [DeviceGroup], _ names: KeyNames
    ) {
        (domain, rotation) = (planned.domain.domain.name, planned.rotation)
        chain = planned.change.chain.keys.map(names.name)
        (match, isPinned) = (planned.change.match.map(names.name), planned.change.isPinned)
        commands = planned.change.commands.map(\.text)
        func figures(_ result: ScenarioResult) -> [Group] {
            result.requests.compactMap { requests in
                groups.first { $0.name == requests.group }.map { Group(devices: $0.count, requests: requests) }
            }
        }
        self.groups = figures(rotated)
        let trusting = thief.map { thief in
            figures(thief).reduce(0) { sum, group in
                sum + (group.requests[.accepted] == 0 ? 0 : group.devices - group.requests.stillBlocked)
            }
        }
        trustingThief = planned.rotation == .stolenKey ? trusting ?? 0 : nil
    }
}
