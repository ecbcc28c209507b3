internal import Documents
internal import PolicyEngine

/// The groups of a scenario, some of which may name the same hardware: they must say the same of it (R14.2c).
enum SharedHardware {
    // Apple has one setting of a device for a team, whichever account asks.
    private struct TeamHardware: Hashable {
        @ByteExact private(set) var name: String
        @ByteExact private(set) var team: String
    }

    /// Lets groups that name the same hardware agree on what it is, and warns of what then is missing.
    ///
    /// - Parameters:
    ///   - groups: The groups as the file has them.
    ///   - accounts: Those of the scenario.
    ///   - positions: The position of each group.
    ///   - reader: Gets what is wrong.
    static func unite(
        _ groups: [DeviceGroup], accounts: [Account], at positions: [SourcePosition], _ reader: inout DocumentReader
    ) -> [DeviceGroup] {
        var groups = groups
        let first = gather(&groups, accounts, positions, &reader)
        for index in groups.indices {
            guard let known = groups[index].physical.flatMap({ first[ExactText($0)] }) else { continue }
            let shared = groups[known]
            (groups[index].operatingSystem, groups[index].deviceCheck) = (shared.operatingSystem, shared.deviceCheck)
            groups[index].safetyNet = shared.safetyNet
        }
        for (group, position) in zip(groups, positions) {
            for name in group.missingChecks(accounts[group.account]) {
                reader.warning(
                    "group \(group.name.quoted) has no \(name.quoted), so its devices count as "
                        + "\("\(name)-missing".quoted)", at: position)
            }
        }
        return groups
    }

    // Lets the first group that has some hardware say all that groups say of it; the result is that group, by the hardware's name.
    private static func gather(
        _ groups: inout [DeviceGroup], _ accounts: [Account], _ positions: [SourcePosition],
        _ reader: inout DocumentReader
    ) -> [ExactText: Int] {
        var first: [ExactText: Int] = [:]
        var settings: [TeamHardware: DeviceCheckSetting] = [:]
        for (index, position) in zip(groups.indices, positions) {
            let group = groups[index]
            guard let name = group.physical else { continue }
            let hardware = TeamHardware(name: name, team: accounts[group.account].developerTeam)
            let setting = settings[hardware]
            settings[hardware] = setting ?? group.deviceCheckSetting
            guard let known = first[ExactText(name)] else {
                first[ExactText(name)] = index
                continue
            }
            let before = groups[known]
            if differ(before.operatingSystem, group.operatingSystem) || differ(before.deviceCheck, group.deviceCheck)
                || differ(before.safetyNet, group.safetyNet) || differ(setting, group.deviceCheckSetting)
            {
                reader.error(
                    "groups \(before.name.quoted) and \(group.name.quoted) share the hardware "
                        + "\(name.quoted), but describe it differently", at: position)
            }
            groups[known].adopt(group)
        }
        return first
    }

    private static func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
        guard let left, let right else { return false }
        return left != right
    }
}

extension DeviceGroup {
    // Takes over what is said of the same hardware, where nothing was said before.
    fileprivate mutating func adopt(_ other: DeviceGroup) {
        operatingSystem = operatingSystem ?? other.operatingSystem
        deviceCheck = deviceCheck ?? other.deviceCheck
        safetyNet = safetyNet ?? other.safetyNet
    }

    // R4.7: the checks that are on and not simulated count as missing, unless their results are observed.
    fileprivate func missingChecks(_ account: Account) -> [String] {
        func observes(_ results: FlagSet) -> Bool { !flags.intersection(results).isEmpty }
        if operatingSystem == .ios, account.deviceCheck?.keyID != nil, deviceCheck == nil,
            !observes([.deviceCheckCompleted, .deviceCheckFailed, .deviceCheckUnavailable])
        {
            return ["devicecheck"]
        }
        if operatingSystem == .android, account.safetyNet?.apiKey != nil, safetyNet == nil,
            !observes([.safetyNetCompleted, .safetyNetUnavailable])
        {
            return ["safetynet"]
        }
        return []
    }
}
