internal import Documents
internal import PolicyEngine
internal import Replay

/// Draws the installs of a scenario's groups from its seed.
struct Population {
    private let scenario: Scenario
    private let seed: UInt64
    // By account.
    private let developerTeams: [[String]]

    init(_ scenario: Scenario, seed: UInt64) {
        self.scenario = scenario
        self.seed = seed
        developerTeams = scenario.accounts.indices.map(scenario.developerTeams)
    }

    /// The attributes that installs are given, by name; some may come up more than once.
    static func attributeNames(of scenario: Scenario) -> [String] {
        [idKey] + scenario.groups.flatMap { $0.attributes.map(\.key) }
    }

    private static let idKey = "device-id"

    /// Draws the installs of a group.
    ///
    /// - Parameters:
    ///   - hardware: Gives each its physical device; the installs of groups that share hardware must all be drawn in one order.
    ///   - symbols: The numbering of the group's account; takes the devices and all their attributes.
    func installs(
        ofGroup index: Int, on hardware: inout PhysicalDevices, symbols: inout SymbolTable
    ) -> [Install] {
        (0..<scenario.groups[index].count).map { install($0, ofGroup: index, on: &hardware, symbols: &symbols) }
    }

    /// Draws one install of a group likewise.
    func install(
        _ number: Int, ofGroup index: Int, on hardware: inout PhysicalDevices, symbols: inout SymbolTable
    ) -> Install {
        let group = scenario.groups[index]
        var evidence = DeviceEvidence(
            system: group.operatingSystem ?? .unknown, physical: hardware.device(of: group, number: number),
            deviceCheck: group.deviceCheck, safetyNet: group.safetyNet, launched: scenario.start)
        (evidence.isRegistered, evidence.developmentKey) = (group.isRegistered, group.developmentKey)
        let attestation = Attestation(time: scenario.start, device: DeviceIndex(offset: 0))
        var install = Install(
            group: index, number: number, evidence: evidence, attestation: attestation,
            configuration: ConfigurationState(group.client))
        install.hasCompromisedPinning = group.hasCompromisedPinning
        identify(&install, symbols: &symbols)
        set(group.attributes, on: &install, occasion: "", symbols: &symbols)
        install.attestation.flags = flags(of: group, number: number)
        return install
    }

    /// Gives Apple the bits that it has of an install's hardware from the start, if any (R8.3).
    func setBits(of install: Install, in service: inout DeviceCheckService) {
        let group = scenario.groups[install.group]
        guard let setting = group.deviceCheckSetting else { return }
        for team in developerTeams[group.account] {
            service.update(install.evidence.physical, team: team, bits: setting.bits, in: setting.changed)
        }
    }

    /// The device ID of an install, another one for each generation.
    func deviceID(of group: DeviceGroup, number: Int, generation: Int) -> DeviceID {
        if generation == 0, let id = group.id { return id }
        var generator = SeededGenerator(seed: seed, path: "device-id", group.name, "\(number)", "\(generation)")
        return DeviceID(first: generator.next(), second: generator.next())
    }

    /// Draws values for attributes and gives them to an install.
    ///
    /// - Parameter occasion: The occasion that the values are drawn for; another one draws others.
    func set(
        _ attributes: [DeviceGroup.Attribute], on install: inout Install, occasion: String, symbols: inout SymbolTable
    ) {
        let group = scenario.groups[install.group]
        for attribute in attributes {
            let drawn = attribute.source.value {
                SeededGenerator(
                    seed: seed, path: "attribute", group.name, "\(install.number)", attribute.key, occasion)
            }
            let key = symbols.attributes.key(named: attribute.key)
            let value = attribute.key == "user-property" ? UserProperty.sent(drawn) : drawn
            if attribute.key == "device", group.operatingSystem == nil {
                let bytes = Array(drawn.utf8)
                install.evidence.system = OperatingSystem(deviceAttribute: bytes.span)
            }
            guard let value else { continue }
            if !value.hasSameBytes(as: drawn) { install.decidedRules.insert(.replacedCharacters) }
            install.attestation.set(symbols.attributes.intern(value, for: key), for: key)
        }
    }

    /// True if an install is one of a share of its group. A greater share has the installs of a smaller one.
    ///
    /// - Parameter occasion: The occasion of the draw; another one draws others.
    func draws(_ share: Percentage, _ install: Install, by occasion: String) -> Bool {
        guard share < .hundred else { return true }
        let name = scenario.groups[install.group].name
        var generator = SeededGenerator(seed: seed, path: "signal", name, "\(install.number)", occasion)
        return share.contains(generator.next())
    }

    /// Gives an install its device ID, as an attribute too.
    func identify(_ install: inout Install, symbols: inout SymbolTable) {
        let group = scenario.groups[install.group]
        let id = deviceID(of: group, number: install.number, generation: install.generation)
        install.attestation.device = symbols.devices.intern(id)
        let key = symbols.attributes.key(named: Self.idKey)
        install.attestation.set(symbols.attributes.intern(id.description, for: key), for: key)
    }

    private func flags(of group: DeviceGroup, number: Int) -> FlagSet {
        var flags = group.flags
        for (flag, rate) in group.flagRates {
            var generator = SeededGenerator(seed: seed, path: "flag", group.name, "\(number)", "\(flag.index)")
            if rate.contains(generator.next()) { flags.insert(flag) }
        }
        return flags
    }
}

/// Gives the installs of a scenario their hardware (R1.3).
struct PhysicalDevices {
    private var count: UInt32 = 0
    private var named: [Name: PhysicalDevice] = [:]

    private struct Name: Hashable {
        let name: String
        let number: Int
    }

    /// The hardware of an install: its own, or the one that installs of the same number share in groups that name it.
    mutating func device(of group: DeviceGroup, number: Int) -> PhysicalDevice {
        guard let name = group.physical else { return another() }
        let key = Name(name: name, number: number)
        if let known = named[key] { return known }
        let device = another()
        named[key] = device
        return device
    }

    /// Hardware that was never seen.
    mutating func another() -> PhysicalDevice {
        count += 1
        return PhysicalDevice(number: count - 1)
    }
}
