internal import PolicyEngine

/// The devices of a scenario as they are at its start, and the service that they attest to.
struct AttestingPopulation {
    /// The numbering of their attestations.
    private(set) var symbols: SymbolTable
    /// The account's engine.
    private(set) var engine: Engine
    private var platforms = PlatformServices()
    // The devices, by their numbers over all groups.
    private var devices: [Device] = []
    // The attributes that each device sends, one for each key: flat, so that a device costs few cache lines.
    private var values: [ValueNumber] = []
    private let keyCount: Int
    // The attributes that the account's rules look at.
    private let filteredKeys: [AttributeKey]
    // The attestation that is sent; one value for all attestations, so that none allocates.
    private var sent: Attestation

    // The parts of an install that are needed if it only ever attests.
    private struct Device {
        let index: DeviceIndex
        let flags: FlagSet
        var evidence: DeviceEvidence
    }

    /// Draws the devices, the same as in a run of the scenario.
    ///
    /// - Parameters:
    ///   - scenario: One with a single account.
    ///   - seed: Draws them.
    init(_ scenario: Scenario, account: Account, seed: UInt64) {
        symbols = SymbolTable(catalogue: account.catalogue)
        engine = Engine(account: account, source: .simulation, symbols: &symbols)
        filteredKeys = symbols.attributes.keys.map(\.key)
        for name in Population.attributeNames(of: scenario) { _ = symbols.attributes.key(named: name) }
        keyCount = symbols.attributes.keyCount
        sent = Attestation(time: scenario.start, device: DeviceIndex(offset: 0))
        let population = Population(scenario, seed: seed)
        var (hardware, limits) = (PhysicalDevices(), SDKLimits(attributes: symbols.attributes))
        devices.reserveCapacity(scenario.deviceCount)
        values.reserveCapacity(scenario.deviceCount * keyCount)
        let keys = symbols.attributes.keys.map(\.key)
        for (index, group) in scenario.groups.enumerated() {
            for number in 0..<group.count {
                var install = population.install(number, ofGroup: index, on: &hardware, symbols: &symbols)
                limits.apply(to: &install.attestation, &install.evidence, attributes: symbols.attributes)
                population.setBits(of: install, in: &platforms.deviceCheck)
                devices.append(
                    Device(
                        index: install.attestation.device, flags: install.attestation.flags, evidence: install.evidence)
                )
                for key in keys { values.append(install.attestation.value(of: key)) }
            }
        }
    }

    /// The number of devices.
    var count: Int { devices.count }

    /// An attribute that a device sends.
    ///
    /// - Parameter device: Its number over all groups.
    func value(of key: AttributeKey, on device: Int) -> ValueNumber { values[device * keyCount + key.index] }

    /// Lets a device attest.
    ///
    /// - Parameters:
    ///   - device: Its number over all groups.
    ///   - time: When; not before the attestation before it.
    mutating func attest(_ device: Int, at time: Instant) -> Decision {
        (sent.time, sent.device, sent.flags) = (time, devices[device].index, devices[device].flags)
        for key in filteredKeys { sent.set(value(of: key, on: device), for: key) }
        let decision = engine.attest(
            sent, evidence: devices[device].evidence, platforms: &platforms, symbols: symbols)
        devices[device].evidence.isFirstSinceLaunch = false
        return decision
    }
}
