@testable import PolicyEngine
@testable import TestSupport

/// An engine that evaluates simulated devices and is spoken to in words.
struct SimulatedService {
    private(set) var symbols: SymbolTable
    private(set) var engine: Engine

    /// Starts a service.
    ///
    /// - Parameter account: The account in force from the start.
    init(_ account: Account) {
        var symbols = SymbolTable(catalogue: account.catalogue)
        engine = Engine(account: account, source: .simulation, symbols: &symbols)
        self.symbols = symbols
    }

    /// The account with every change made so far.
    var account: Account { engine.history.latest }

    /// Evaluates an attestation of a device; the next one is not the first since its launch any more.
    mutating func attest(
        _ device: inout SimulatedDevice, at time: Instant = Sample.time, by service: TokenService = .primary,
        with platforms: inout PlatformServices
    ) throws -> NamedDecision {
        var attestation = Attestation(time: time, device: try index(of: device.id))
        for name in device.flags { attestation.flags.insert(try symbols.catalogue.intern(observed: name)) }
        for (name, value) in device.attributes {
            guard let key = symbols.attributes.existingKey(named: name) else { continue }
            attestation.set(symbols.attributes.intern(value, for: key), for: key)
        }
        let decision = engine.attest(
            attestation, evidence: device.evidence, by: service, platforms: &platforms, symbols: symbols)
        device.evidence.isFirstSinceLaunch = false
        return NamedDecision(decision, of: engine, symbols: symbols)
    }

    /// Changes the account.
    mutating func change(at time: Instant = Sample.time, _ change: (inout Account) throws -> Void) rethrows {
        engine.change(to: try account.changed(change), at: time, symbols: &symbols)
    }

    /// Forgets every device.
    mutating func clearDeviceState() { engine.clearDeviceState() }

    /// The names of a device's persisted flags, or `nil` when its state has not been set.
    mutating func state(of id: String) throws -> [String]? {
        engine.deviceState(of: try index(of: id)).map { symbols.catalogue.names(of: $0) }
    }

    /// The number of a device.
    mutating func index(of id: String) throws -> DeviceIndex {
        guard let identifier = DeviceID(id) else { throw TestFailure("no device ID: \(id)") }
        return symbols.devices.intern(identifier)
    }
}

/// A device with an app on it: what it sends, and what can be found out of it.
struct SimulatedDevice: Sendable {
    /// The device ID.
    var id: String
    var evidence: DeviceEvidence
    /// The observed flags.
    var flags: [String] = []
    var attributes: [String: String] = [:]

    /// An iPhone on which the app was just installed.
    ///
    /// - Parameters:
    ///   - id: Its device ID.
    ///   - hardware: Equal numbers are the same physical device.
    ///   - capability: What it answers to DeviceCheck; `nil` where that is not simulated.
    static func iPhone(
        _ id: String = Sample.device, hardware: UInt32 = 1, answering capability: DeviceCheckCapability? = .available
    ) -> SimulatedDevice {
        let evidence = DeviceEvidence(
            system: .ios, physical: PhysicalDevice(number: hardware), deviceCheck: capability, launched: Sample.time)
        return SimulatedDevice(id: id, evidence: evidence)
    }

    /// An Android phone on which the app was just installed.
    ///
    /// - Parameters:
    ///   - id: Its device ID.
    ///   - hardware: Equal numbers are the same physical device.
    ///   - outcome: The result of SafetyNet; `nil` if that is not simulated.
    static func android(
        _ id: String = Sample.device, hardware: UInt32 = 1, answering outcome: SafetyNetOutcome? = .pass
    ) -> SimulatedDevice {
        let evidence = DeviceEvidence(
            system: .android, physical: PhysicalDevice(number: hardware), safetyNet: outcome, launched: Sample.time)
        return SimulatedDevice(id: id, evidence: evidence)
    }

    /// The app is started.
    mutating func launch(at time: Instant) {
        evidence.launched = time
        evidence.isFirstSinceLaunch = true
    }

    /// The app is removed, installed and started.
    ///
    /// - Parameter newID: The device ID of the new install; `nil` keeps the old one (R1.3).
    mutating func reinstall(as newID: String? = nil, at time: Instant) {
        launch(at: time)
        id = newID ?? id
    }
}
