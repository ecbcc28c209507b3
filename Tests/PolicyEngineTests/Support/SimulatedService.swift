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
