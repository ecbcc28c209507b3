internal import PolicyEngine

// What groups say of DeviceCheck, SafetyNet and registration.
extension ScenarioLoader {
    mutating func readServices(
        _ fields: inout DocumentMapping, _ group: inout DeviceGroup
    ) {
        if let node = fields.take("registered") { readRegistered(node, &group) }
        if let node = fields.take("devicecheck") { readDeviceCheck(node, &group) }
        if let node = fields.take("safetynet") { group.safetyNet = outcome(node, os: group.operatingSystem) }
    }

    /// What devices answer to DeviceCheck.
    mutating func capability(_ node: Node, os: OperatingSystem?) -> DeviceCheckCapability? {
        if os == .android { reader.error("`devicecheck` is of iOS, and these devices run Android", at: node.position) }
        return reader.choice(node, "`devicecheck`", from: DeviceCheckCapability.allCases.map(\.rawValue))
            .flatMap(DeviceCheckCapability.init)
    }

    /// What devices answer to SafetyNet.
    mutating func outcome(_ node: Node, os: OperatingSystem?) -> SafetyNetOutcome? {
        if os == .ios { reader.error("`safetynet` is of Android, and these devices run iOS", at: node.position) }
        return reader.choice(node, "`safetynet`", from: SafetyNetOutcome.allCases.map(\.rawValue))
            .flatMap(SafetyNetOutcome.init)
    }

    private mutating func readRegistered(_ node: Node, _ group: inout DeviceGroup) {
        guard let isRegistered = reader.boolean(node, "`registered`") else { return }
        group.isRegistered = isRegistered
        if scenario.accounts[group.account].account.registrations != nil {
            reader.warning(
                "`registered` has no effect, because the account lists registrations", at: node.position,
                hint: "`app-sig`, `appid` and `app-version` decide")
        }
    }

    // A state alone, or with the bits that Apple has.
    private mutating func readDeviceCheck(_ node: Node, _ group: inout DeviceGroup) {
        guard case .mapping = node.content, var fields = reader.mapping(node, "`devicecheck`") else {
            group.deviceCheck = capability(node, os: group.operatingSystem)
            return
        }
        group.deviceCheck = fields.require("state", &reader).flatMap { capability($0, os: group.operatingSystem) }
        let bits = fields.take("bits").flatMap { reader.integer($0, "`bits`", in: 0...Int(DeviceCheckSetting.maximum)) }
        let changedNode = fields.take("changed")
        let changed = changedNode.flatMap { month($0) }
        fields.finish(&reader)
        if let changedNode, bits == nil { reader.error("`changed` goes with `bits`", at: changedNode.position) }
        guard let bits else { return }
        group.deviceCheckSetting = DeviceCheckSetting(
            bits: UInt8(bits), changed: changed ?? CalendarMonth(of: scenario.start))
    }

    private mutating func month(_ node: Node) -> CalendarMonth? {
        guard let text = reader.text(node, "`changed`") else { return nil }
        guard let month = CalendarMonth(text) else {
            reader.error("\(text.quoted) is not a month", at: node.position, hint: "such as 2018-03")
            return nil
        }
        if month > CalendarMonth(of: scenario.start) {
            reader.error("`changed` lies after the scenario's start", at: node.position)
        }
        return month
    }

    // R4.7: what is on and not simulated counts as missing.
    private mutating func warnOfMissingChecks(_ group: DeviceGroup, at position: SourcePosition) {
        let account = scenario.accounts[group.account].account
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
                "group \(group.name.quoted) does not say \(name.quoted), so its devices count as "
                    + "\("\(name)-missing".quoted)", at: position)
        }
    }

    /// Lets groups that name the same hardware agree on what it is, and warns of what then is missing.
    mutating func shareHardware(_ positions: [SourcePosition]) {
        var (first, settings): ([String: Int], [TeamHardware: DeviceCheckSetting]) = ([:], [:])
        for (place, group) in scenario.groups.enumerated() {
            guard let name = group.physical else { continue }
            // Apple has one setting of a device for a team, whichever account asks.
            let hardware = TeamHardware(name: name, team: scenario.accounts[group.account].account.developerTeam)
            let before = settings[hardware]
            settings[hardware] = before ?? group.deviceCheckSetting
            guard let known = first[name] else {
                first[name] = place
                continue
            }
            let hasOtherBits = differ(before, group.deviceCheckSetting)
            unite(known, place, of: name, hasOtherBits: hasOtherBits, at: positions[place])
        }
        // Only now does the first group of some hardware know what all of them say.
        for place in scenario.groups.indices {
            guard let known = scenario.groups[place].physical.flatMap({ first[$0] }) else { continue }
            scenario.groups[place].operatingSystem = scenario.groups[known].operatingSystem
            scenario.groups[place].deviceCheck = scenario.groups[known].deviceCheck
            scenario.groups[place].safetyNet = scenario.groups[known].safetyNet
        }
        for (group, position) in zip(scenario.groups, positions) { warnOfMissingChecks(group, at: position) }
    }

    private struct TeamHardware: Hashable {
        let name: String
        let team: String
    }

    // Gathers in the first group what another one says of the same hardware.
    private mutating func unite(
        _ known: Int, _ place: Int, of name: String, hasOtherBits: Bool, at position: SourcePosition
    ) {
        let (before, group) = (scenario.groups[known], scenario.groups[place])
        if differ(before.operatingSystem, group.operatingSystem) || differ(before.deviceCheck, group.deviceCheck)
            || differ(before.safetyNet, group.safetyNet) || hasOtherBits
        {
            reader.error(
                "groups \(before.name.quoted) and \(group.name.quoted) are the same hardware "
                    + "\(name.quoted), but do not say the same of it", at: position)
        }
        scenario.groups[known].operatingSystem = before.operatingSystem ?? group.operatingSystem
        scenario.groups[known].deviceCheck = before.deviceCheck ?? group.deviceCheck
        scenario.groups[known].safetyNet = before.safetyNet ?? group.safetyNet
    }

    private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
        guard let left, let right else { return false }
        return left != right
    }
}
