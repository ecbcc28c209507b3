internal import Accounts
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
        guard var fields = reader.mapping(entry.value, "group \(entry.key.quoted)") else { return nil }
        var group = DeviceGroup(name: entry.key)
        if let node = fields.take("count") {
            group.count = reader.integer(node, "`count`", in: 1...Self.deviceLimit) ?? 1
        }
        if let node = fields.take("os"), let text = reader.choice(node, "`os`", from: ["android", "ios"]) {
            group.operatingSystem = text == "ios" ? .ios : .android
        }
        group.account = account(fields.take("account"), for: "a group", at: entry.keyPosition)
        let catalogue = scenario.accounts[group.account].account.catalogue
        if let node = fields.take("flags") { group.flags = flags(node, catalogue) }
        if let node = fields.take("flag-rates") { group.flagRates = flagRates(node, catalogue) }
        if let node = fields.take("attributes") {
            group.attributes = AttributeLoader.load(node, isChecked: isChecked, &reader)
        }
        if let node = fields.take("id") { readID(node, &group) }
        group.activity = scenario.activity
        if let node = fields.take("activity") {
            group.activity = ActivityLoader.load(node, otherwise: scenario.activity, &reader)
        }
        if let node = fields.take("physical") { group.physical = reader.text(node, "`physical`") }
        if let node = fields.take("registered") { readRegistered(node, &group) }
        if let node = fields.take("devicecheck") {
            PlatformLoader.load(deviceCheck: node, into: &group, start: scenario.start, &reader)
        }
        if let node = fields.take("safetynet") {
            group.safetyNet = PlatformLoader.outcome(node, os: group.operatingSystem, &reader)
        }
        if let node = fields.take("client") {
            group.client = ClientLoader.load(node, start: scenario.start, &reader)
        }
        if let node = fields.take("dev-key") { group.developmentKey = reader.text(node, "`dev-key`") }
        if let node = fields.take("pinning") {
            group.hasCompromisedPinning =
                reader.choice(node, "`pinning`", from: ["sound", "compromised"]) == "compromised"
        }
        fields.finish(&reader)
        return group
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

    private mutating func readID(_ node: Node, _ group: inout DeviceGroup) {
        group.id = DeviceLoader.id(node, &reader)
        if group.count > 1 {
            reader.error("`id` needs `count: 1`, but group \(group.name.quoted) has \(group.count)", at: node.position)
        }
        if group.id?.isFilteredPolicy == true {
            reader.error("`\(DeviceID.filteredPolicyText)` is not a device", at: node.position)
        }
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

    /// A list of flags that exist.
    ///
    /// - Parameter isObserved: True if they are flags of devices, rather than expected ones.
    mutating func flags(_ node: Node, _ catalogue: FlagCatalogue, isObserved: Bool = true) -> FlagSet {
        var flags = FlagSet.empty
        for (name, position) in reader.texts(node, "`flags`") ?? [] {
            if ["new-did", "risky-device"].contains(name), isObserved {
                reader.warning("\(name.quoted) is derived; it need not be given", at: position)
            }
            if let flag = FlagLoader.flag(name, at: position, catalogue, &reader) { flags.insert(flag) }
        }
        return flags
    }

    private mutating func flagRates(_ node: Node, _ catalogue: FlagCatalogue) -> [(flag: Flag, rate: Percentage)] {
        var rates: [(flag: Flag, rate: Percentage)] = []
        for entry in reader.mapping(node, "`flag-rates`")?.entries ?? [] {
            let flag = FlagLoader.flag(entry.key, at: entry.keyPosition, catalogue, &reader)
            let rate = reader.percentage(entry.value, entry.key.quoted)
            if let flag, let rate { rates.append((flag, rate)) }
        }
        return rates
    }
}
