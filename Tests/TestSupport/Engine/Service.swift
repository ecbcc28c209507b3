internal import PolicyEngine

/// An engine that is spoken to in words.
struct Service {
    var symbols: SymbolTable
    private(set) var engine: Engine

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - account: The account in force from the start.
    ///   - keptValues: The number of distinct values of an attribute that are kept.
    init(_ account: Account, keptValues: Int = .max) {
        var symbols = SymbolTable(catalogue: account.catalogue, keptValues: keptValues)
        engine = Engine(account: account, symbols: &symbols)
        self.symbols = symbols
    }

    /// Decides an attestation that is given in words.
    mutating func attest(_ observation: Observation) throws -> NamedDecision {
        // In two steps: an unknown flag gets its name in the first.
        let decision = try decide(observation)
        return outcome(of: decision)
    }

    /// Evaluates one attestation of a device.
    mutating func attest(
        _ flags: [String] = [],
        with attributes: [String: String] = [:],
        by device: String = Sample.device,
        at time: Instant = Sample.time
    ) throws -> NamedDecision {
        try attest(Observation(time: time, device: device, flags: flags, attributes: attributes))
    }

    /// The decision itself, in numbers.
    mutating func decide(_ observation: Observation) throws -> Decision {
        var attestation = Attestation(time: observation.time, device: try index(of: observation.device))
        for name in observation.flags { attestation.flags.insert(try symbols.catalogue.intern(observed: name)) }
        for (name, value) in observation.attributes {
            guard let key = symbols.attributes.existingKey(named: name) else { continue }
            attestation.set(symbols.attributes.intern(value, for: key), for: key)
        }
        return engine.attest(attestation, symbols: symbols)
    }

    /// Evaluates an attestation that is there in numbers.
    mutating func decide(_ attestation: Attestation) -> Decision {
        engine.attest(attestation, symbols: symbols)
    }

    /// The decided rules on which the latest decision rests.
    mutating func decidedRules(of decision: Decision) -> DecidedRules {
        engine.decidedRules(of: decision, among: engine.possibleRules, symbols: symbols)
    }

    /// Changes the account.
    mutating func change(to account: Account, at time: Instant = Sample.time) {
        engine.change(to: account, at: time, symbols: &symbols)
    }

    /// Forgets every device.
    mutating func clearDeviceState() { engine.clearDeviceState() }

    /// The names of a device's persisted flags, or `nil` when its state has not been set.
    mutating func state(of device: String = Sample.device) throws -> [String]? {
        engine.deviceState(of: try index(of: device)).map { symbols.catalogue.names(of: $0) }
    }

    /// The pin mode of a device.
    mutating func pinMode(of device: String = Sample.device, at time: Instant) throws -> PinMode {
        let index = try index(of: device)
        return engine.pinMode(of: index, at: time)
    }

    /// The number of a device.
    mutating func index(of device: String) throws -> DeviceIndex {
        guard let identifier = DeviceID(device) else { throw TestFailure("no device ID: \(device)") }
        return symbols.devices.intern(identifier)
    }

    /// A decision in words.
    func outcome(of decision: Decision) -> NamedDecision { NamedDecision(decision, of: engine, symbols: symbols) }
}
