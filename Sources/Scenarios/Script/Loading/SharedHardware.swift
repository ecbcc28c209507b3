internal import Documents
internal import PolicyEngine

/// The groups of a scenario, some of which may name the same hardware: they must say the same of it (R14.2c).
struct SharedHardware {
    private(set) var groups: [DeviceGroup]
    private let accounts: [Account]
    // By the name of some hardware: the first group that has it.
    private var first: [ExactText: Int] = [:]
    private var settings: [TeamHardware: DeviceCheckSetting] = [:]

    // Apple has one setting of a device for a team, whichever account asks.
    private struct TeamHardware: Hashable {
        @ByteExact private(set) var name: String
        @ByteExact private(set) var team: String
    }

    /// - Parameters:
    ///   - groups: The groups as the file has them.
    ///   - accounts: Those of the scenario.
    init(_ groups: [DeviceGroup], accounts: [Account]) {
        self.groups = groups
        self.accounts = accounts
    }

    /// Lets groups that name the same hardware agree on what it is, and warns of what then is missing.
    ///
    /// - Parameters:
    ///   - positions: The position of each group.
    ///   - reader: Gets what is wrong.
    mutating func check(at positions: [SourcePosition], _ reader: inout DocumentReader) {
        for (index, position) in zip(groups.indices, positions) { unite(index, at: position, &reader) }
        // Only now does the first group of some hardware know what all of them say.
        for index in groups.indices {
            guard let known = groups[index].physical.flatMap({ first[ExactText($0)] }) else { continue }
            groups[index].operatingSystem = groups[known].operatingSystem
            groups[index].deviceCheck = groups[known].deviceCheck
            groups[index].safetyNet = groups[known].safetyNet
        }
        for (group, position) in zip(groups, positions) { warnOfMissingChecks(group, at: position, &reader) }
    }

    // Gathers in the first group what another one says of the same hardware.
    private mutating func unite(_ index: Int, at position: SourcePosition, _ reader: inout DocumentReader) {
        let group = groups[index]
        guard let name = group.physical else { return }
        let hardware = TeamHardware(name: name, team: accounts[group.account].developerTeam)
        let setting = settings[hardware]
        settings[hardware] = setting ?? group.deviceCheckSetting
        guard let known = first[ExactText(name)] else {
            first[ExactText(name)] = index
            return
        }
        let before = groups[known]
        if Self.differ(before.operatingSystem, group.operatingSystem)
            || Self.differ(before.deviceCheck, group.deviceCheck) || Self.differ(before.safetyNet, group.safetyNet)
            || Self.differ(setting, group.deviceCheckSetting)
        {
            reader.error(
                "groups \(before.name.quoted) and \(group.name.quoted) share the hardware "
                    + "\(name.quoted), but describe it differently", at: position)
        }
        groups[known].operatingSystem = before.operatingSystem ?? group.operatingSystem
        groups[known].deviceCheck = before.deviceCheck ?? group.deviceCheck
        groups[known].safetyNet = before.safetyNet ?? group.safetyNet
    }

    private static func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
        guard let left, let right else { return false }
        return left != right
    }

    // R4.7: what is on and not simulated counts as missing.
    private func warnOfMissingChecks(
        _ group: DeviceGroup, at position: SourcePosition, _ reader: inout DocumentReader
    ) {
        let account = accounts[group.account]
        let services: [(String, Bool, OperatingSystem, FlagSet)] = [
            (
                "devicecheck", account.deviceCheck?.keyID != nil && group.deviceCheck == nil, .ios,
                [.deviceCheckCompleted, .deviceCheckFailed, .deviceCheckUnavailable]
            ),
            (
                "safetynet", account.safetyNet?.apiKey != nil && group.safetyNet == nil, .android,
                [.safetyNetCompleted, .safetyNetUnavailable]
            ),
        ]
        for (name, isMissing, system, results) in services
        where isMissing && group.operatingSystem == system && group.flags.intersection(results).isEmpty {
            reader.warning(
                "group \(group.name.quoted) has no \(name.quoted), so its devices count as "
                    + "\("\(name)-missing".quoted)", at: position)
        }
    }
}
