internal import Documents
internal import PolicyEngine

extension ScenarioLoader {
    /// Devices in one scenario.
    static let deviceLimit = 10_000_000

    mutating func readGroups() {
        guard let node = mapping.take("devices") else { return }
        var positions: [SourcePosition] = []
        var owners: [OwnedDevice: Int] = [:]
        for entry in reader.mapping(node, "`devices`")?.entries ?? [] {
            if entry.key == "all" {
                reader.error("a group cannot be called `all`, which means every group", at: entry.keyPosition)
            }
            guard let group = group(entry) else { continue }
            if let id = group.id { checkIsAlone(id, in: group, among: &owners, at: entry.keyPosition) }
            groupIndices[ExactText(group.name)] = scenario.groups.count
            scenario.groups.append(group)
            positions.append(entry.keyPosition)
        }
        var hardware = SharedHardware(scenario.groups, accounts: scenario.accounts.map(\.account))
        hardware.check(at: positions, &reader)
        scenario.groups = hardware.groups
        if scenario.deviceCount > Self.deviceLimit {
            reader.error("more than \(Self.deviceLimit.grouped) devices in one scenario", at: node.position)
        }
    }

    private mutating func group(_ entry: Node.Entry) -> DeviceGroup? {
        var group = DeviceGroup(name: entry.key)
        if case .mapping = entry.value.content {
            group.account = account(entry.value["account"], for: "a group", at: entry.keyPosition)
        }
        group.activity = scenario.activity
        let fields = GroupFields(
            isChecked: isChecked, start: scenario.start, activity: scenario.activity,
            account: scenario.accounts[group.account].account)
        return fields.all.read(entry.value, "group \(entry.key.quoted)", from: group, &reader)
    }

    // Accounts know nothing of one another, so one ID may be in each.
    private struct OwnedDevice: Hashable {
        let id: DeviceID
        let account: Int
    }

    private mutating func checkIsAlone(
        _ id: DeviceID, in group: DeviceGroup, among owners: inout [OwnedDevice: Int], at position: SourcePosition
    ) {
        let device = OwnedDevice(id: id, account: group.account)
        if let other = owners[device] {
            reader.error("device `\(id)` is in group \(scenario.groups[other].name.quoted) already", at: position)
        } else {
            owners[device] = scenario.groups.count
        }
    }

    /// The account that a group, a step or an expectation belongs to, by its index.
    mutating func account(_ node: Node?, for what: String, at position: SourcePosition) -> Int {
        let names = scenario.accounts.map(\.name)
        guard let node else {
            if names.count > 1 {
                reader.error("\(what) needs `account`, because the scenario has several", at: position)
            }
            return 0
        }
        if names == [""] {
            reader.error("`account` names one of `accounts`, and the scenario has none", at: node.position)
            return 0
        }
        let name = reader.choice(node, "`account`", from: names)
        return name.flatMap { name in names.firstIndex { ExactText($0) == ExactText(name) } } ?? 0
    }
}
