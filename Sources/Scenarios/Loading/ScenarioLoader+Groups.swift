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
        shareHardware(positions)
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
        if let node = fields.take("attributes") { group.attributes = attributes(node) }
        if let node = fields.take("id") { readID(node, &group) }
        group.activity = fields.take("activity").map { activity($0, otherwise: scenario.activity) } ?? scenario.activity
        if let node = fields.take("physical") { group.physical = reader.text(node, "`physical`") }
        readServices(&fields, &group)
        fields.finish(&reader)
        return group
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

    // Accounts know nothing of one another, so one ID may stand in each.
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
    /// - Parameter isObserved: Whether they are flags of devices, rather than expected ones.
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
        for (index, group) in scenario.groups.enumerated() {
            guard let name = group.physical else { continue }
            // Apple has one setting of a device for a team, whichever account asks.
            let hardware = TeamHardware(name: name, team: scenario.accounts[group.account].account.developerTeam)
            let before = settings[hardware]
            settings[hardware] = before ?? group.deviceCheckSetting
            guard let known = first[name] else {
                first[name] = index
                continue
            }
            let hasOtherBits = differ(before, group.deviceCheckSetting)
            unite(known, index, of: name, hasOtherBits: hasOtherBits, at: positions[index])
        }
        // Only now does the first group of some hardware know what all of them say.
        for index in scenario.groups.indices {
            guard let known = scenario.groups[index].physical.flatMap({ first[$0] }) else { continue }
            scenario.groups[index].operatingSystem = scenario.groups[known].operatingSystem
            scenario.groups[index].deviceCheck = scenario.groups[known].deviceCheck
            scenario.groups[index].safetyNet = scenario.groups[known].safetyNet
        }
        for (group, position) in zip(scenario.groups, positions) { warnOfMissingChecks(group, at: position) }
    }

    private struct TeamHardware: Hashable {
        let name: String
        let team: String
    }

    // Gathers in the first group what another one says of the same hardware.
    private mutating func unite(
        _ known: Int, _ index: Int, of name: String, hasOtherBits: Bool, at position: SourcePosition
    ) {
        let (before, group) = (scenario.groups[known], scenario.groups[index])
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

// How often devices attest, and when.
extension ScenarioLoader {
    /// The activity of a scenario or a group.
    ///
    /// - Parameter general: What it is where nothing is said.
    mutating func activity(_ node: Node, otherwise general: Activity) -> Activity {
        guard var fields = reader.mapping(node, "`activity`") else { return general }
        var activity = general
        if let node = fields.take("zipf") { activity.zipf = exponent(node) ?? general.zipf }
        if let node = fields.take("rhythm") { activity.rhythm = rhythm(node) ?? general.rhythm }
        if let node = fields.take("weight") {
            activity.weight = reader.integer(node, "`weight`", in: 1...Activity.weightLimit) ?? general.weight
        }
        fields.finish(&reader)
        return activity
    }

    private mutating func exponent(_ node: Node) -> ZipfExponent? {
        guard let text = reader.text(node, "`zipf`") else { return nil }
        if let exponent = ZipfExponent(text) { return exponent }
        reader.error(
            "`zipf` must be a number from `0` to `10` with at most three decimals, not \(text.quoted)",
            at: node.position)
        return nil
    }

    // A name, or a weight for each hour.
    private mutating func rhythm(_ node: Node) -> Rhythm? {
        guard case .sequence(let nodes) = node.content else {
            let name = reader.choice(node, "`rhythm`", from: ["even", "day"])
            return name.map { $0 == "day" ? .day : .even }
        }
        guard nodes.count == Rhythm.hourCount else {
            reader.error(
                "`rhythm` must have \(Rhythm.hourCount) weights, one for each hour of the day, not \(nodes.count)",
                at: node.position)
            return nil
        }
        let weights = nodes.compactMap { reader.integer($0, "a weight of `rhythm`", in: 0...Rhythm.weightLimit) }
        guard weights.count == nodes.count else { return nil }
        let rhythm = Rhythm(weights: weights)
        if rhythm == nil { reader.error("`rhythm` leaves no hour in which anyone attests", at: node.position) }
        return rhythm
    }
}
