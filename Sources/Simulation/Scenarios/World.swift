internal import PolicyEngine

/// One account of a scenario and everything that it judges: the service's side.
///
/// A class, since there is one of each account and every fetch of every device goes to it.
final class World {
    // All of it in one value, so that its parts are borrowed from one another and not copied.
    private var judge: Judge
    private let apiDomains: [APIDomain]
    // By device number; `nil` for one that never attested.
    private var latestAttestations: [Instant?] = []

    init(_ account: Account) {
        judge = Judge(account)
        apiDomains = account.apiDomains
    }

    /// The numbering of this account's attestations.
    var symbols: SymbolTable {
        get { judge.symbols }
        _modify { yield &judge.symbols }
    }

    /// The engine, for names.
    var engine: Engine { judge.engine }

    /// The ID of a device.
    func deviceID(of device: DeviceIndex) -> DeviceID { judge.symbols.devices[device] }

    /// The figures counted so far.
    var figures: Figures { judge.collector.figures(engine: judge.engine, symbols: judge.symbols) }

    /// Changes the account, as a command did.
    func change(to account: Account, effect: CommandEffect, at time: Instant) {
        judge.change(to: account, effect: effect, at: time)
    }

    /// Judges an attestation and counts it.
    func attest(_ attestation: borrowing Attestation, system: OperatingSystem) -> Decision {
        let decision = judge.attest(attestation, system: system)
        let device = decision.device.offset
        if device >= latestAttestations.count {
            latestAttestations.append(contentsOf: repeatElement(nil, count: device + 1 - latestAttestations.count))
        }
        latestAttestations[device] = decision.time
        return decision
    }

    /// How pins are handled for a device (R6.6).
    func pinMode(of device: DeviceIndex, at time: Instant) -> PinMode { judge.engine.pinMode(of: device, at: time) }

    /// Why there is no token for a domain, if there is none (R14.2); with no API domains in the account, any is served.
    func refusal(of domain: String?) -> FetchResult? {
        guard let domain, !apiDomains.isEmpty else { return nil }
        guard let known = apiDomains.first(where: { $0.name == domain }) else { return .unknownURL }
        return known.type == .pinOnly ? .unprotectedURL : nil
    }

    /// The devices that attested in the last two minutes (R6.2), in order of first sight.
    func latestDevices(at time: Instant) -> [DeviceID] {
        latestAttestations.indices.compactMap { device in
            guard let latest = latestAttestations[device], time - latest <= Self.latestSeconds else { return nil }
            return judge.symbols.devices[DeviceIndex(offset: device)]
        }
    }

    /// The seconds for which an attestation makes its device `latest`.
    private static let latestSeconds = 120
}
