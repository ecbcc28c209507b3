internal import Figures
internal import PolicyEngine
internal import Replay

// Measurements beside tokens, and their proofs (R22).
extension Install {
    /// Measures for the token that was just fetched. The failover knows nothing of measurements; and what did not pass is
    /// handed on to nobody, so that no remote hardware knows it.
    mutating func measure(for service: SimulatedService, by server: TokenService) {
        guard server == .primary, let decision = token?.decision else { return }
        let salt = "\(service.deviceID(of: decision.device))|\(decision.time.secondsSinceEpoch)"
        let measured = measured(by: service, salt: salt)
        token?.attested.measurement = measured
        measurement = decision.passed ? measured : nil
    }

    /// The result of a proof of a measurement; without network (R22.2).
    mutating func prove(_ kind: Measurement.Kind, with service: SimulatedService, at time: Instant) -> ProofResult {
        guard let measurement else { return .none }
        switch kind {
        case .integrity: statistics.integrityProofs &+= 1
        case .device: statistics.deviceProofs &+= 1
        }
        let now = measured(by: service, salt: measurement.salt)
        let number = UInt64(bitPattern: Int64(time.secondsSinceEpoch))
        let nonce = (0..<Measurement.nonceBytes).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) }
        let proof = now.proof(kind, nonce: nonce, key: measurement.proofKey)
        return proof == measurement.proof(kind, nonce: nonce) ? .match : .mismatch
    }

    private func measured(by service: SimulatedService, salt: String) -> Measurement {
        let symbols = service.symbols
        func text(_ name: String) -> String {
            guard let key = symbols.attributes.existingKey(named: name) else { return "" }
            let value = attestation.value(of: key)
            return value == .absent ? "" : symbols.attributes.text(of: value, for: key)
        }
        let model = DeviceModel(text("device"))
        let runtime = symbols.catalogue.names(of: observedFlags.intersection(Self.runtimeFlags(symbols.catalogue)))
        return Measurement(
            app: [text("app-version"), text("app-sig"), model.system, text("sdk-version")] + runtime,
            hardware: ["\(evidence.physical.number)", text("archid")] + model.hardware, salt: salt,
            account: service.engine.history.latest.name, sdk: text("sdk-version"))
    }

    // R22.2: flags of framework, debugging, rooting, tampering.
    private static func runtimeFlags(_ catalogue: FlagCatalogue) -> FlagSet {
        let kinds: Set<PropertyFlag.Kind> = [.framework, .debugging, .rooting, .jailbreaking, .tampering]
        return FlagSet(catalogue.flags.compactMap { kinds.contains($0.kind) ? catalogue.flag(named: $0.name) : nil })
    }
}

/// The result of a proof of a measurement.
enum ProofResult: String, Hashable, Sendable, CaseIterable {
    case match, mismatch
    /// No measurement is stored.
    case none
}

/// The system and the hardware that the attribute `device` names, in either form of the manual's samples:
/// `Android 8.1.0, Nexus 5X, google, bullhead, en` and `iOS, 12.1.2, iPhone7,2, en_GB`.
private struct DeviceModel {
    let system: String
    let hardware: [String]

    init(_ text: String) {
        let parts = text.split(separator: ", ").map(String.init)
        if parts.first == "iOS" {
            (system, hardware) = (parts.prefix(2).joined(separator: " "), Array(parts.dropFirst(2).prefix(1)))
        } else {
            (system, hardware) = (parts.first ?? "", Array(parts.dropFirst().prefix(3)))
        }
    }
}
