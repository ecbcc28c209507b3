internal import PolicyEngine
internal import Replay

/// One account of a scenario and everything that it judges: the service's side.
///
/// A class, since there is one of each account and every fetch of every device goes to it.
final class World {
    // All of it in one value, so that its parts are borrowed from one another and not copied.
    private var evaluator: Evaluator
    private let platforms: SimulatedPlatforms
    private var responseCodes = ResponseCodeCache()
    private var tokenIssuer = TokenIssuer()
    // The attribute that tells why a client attests, and its values.
    private let reasonKey: AttributeKey
    private var reasons: [AttestReason: ValueNumber] = [:]
    // By device number; `nil` for one that never attested.
    private var latestAttestations: [Instant?] = []
    /// Whether any attestation was judged, by whichever service.
    private(set) var hasJudged = false

    init(_ account: Account, platforms: SimulatedPlatforms, keepsSeries: Bool = false) {
        evaluator = Evaluator(account, keepsSeries: keepsSeries)
        self.platforms = platforms
        reasonKey = evaluator.symbols.attributes.key(named: AttestReason.key)
        for reason in AttestReason.allCases {
            reasons[reason] = evaluator.symbols.attributes.intern(reason.rawValue, for: reasonKey)
        }
    }

    /// The numbering of this account's attestations.
    var symbols: SymbolTable {
        get { evaluator.symbols }
        _modify { yield &evaluator.symbols }
    }

    /// The engine, for names.
    var engine: Engine { evaluator.engine }

    /// The ID of a device.
    func deviceID(of device: DeviceIndex) -> DeviceID { evaluator.symbols.devices[device] }

    /// The figures counted so far.
    var figures: Figures { evaluator.figures }

    /// What was exercised so far.
    var coverage: Coverage { evaluator.coverage }

    /// Changes the account, as a command did.
    func change(to account: Account, at time: Instant) { evaluator.change(to: account, at: time) }

    /// Forgets every device, at once (R1.5, R6.5).
    func clearDeviceState() { evaluator.clearDeviceState() }

    /// Lets an attestation tell why it is made (R14.2b), unless the scenario says so itself.
    func tell(_ reason: AttestReason, in attestation: inout Attestation) {
        guard attestation.value(of: reasonKey) == .absent, let value = reasons[reason] else { return }
        attestation.set(value, for: reasonKey)
    }

    /// Judges an attestation and counts it.
    func attest(
        _ attestation: borrowing Attestation, evidence: DeviceEvidence, by service: TokenService
    ) -> Decision {
        let decision = evaluator.attest(attestation, evidence: evidence, by: service, platforms: &platforms.services)
        hasJudged = true
        guard service == .primary else { return decision }
        let device = decision.device.offset
        if device >= latestAttestations.count {
            latestAttestations.append(contentsOf: repeatElement(nil, count: device + 1 - latestAttestations.count))
        }
        latestAttestations[device] = decision.time
        return decision
    }

    /// The response code of a decision; `nil` where there is none (R12.4).
    func responseCode(of decision: Decision) -> String? { responseCodes.code(of: decision, engine: evaluator.engine) }

    /// The token that a client has for a domain, and the key that it was made with.
    ///
    /// - Throws: ``TokenIssueError`` where the key is not there.
    func issue(
        _ cached: CachedToken, for domain: String
    ) throws(TokenIssueError) -> (token: String, key: TokenKey?) {
        var token: [UInt8] = []
        try tokenIssuer.write(
            cached.decision, cached.attested, domain: domain, engine: evaluator.engine, symbols: evaluator.symbols,
            to: &token)
        let key = try tokenIssuer.key(for: cached.decision, domain: domain, engine: evaluator.engine)
        return (String(decoding: token, as: UTF8.self), key)
    }

    /// What a response code means to the account that made a decision (R12.3).
    func responseCodeMeaning(_ code: String, of decision: Decision) -> ResponseMeaning? {
        responseCodes.meaning(of: code, for: decision, engine: evaluator.engine)
    }

    /// How pins are handled for a device (R6.6).
    func pinMode(of device: DeviceIndex, at time: Instant) -> PinMode { evaluator.pinMode(of: device, at: time) }

    /// The domain that a fetch names.
    func domain(_ text: String?, at time: Instant) -> RequestedDomain {
        text.map { RequestedDomain($0, in: evaluator.engine.history, at: time) } ?? .any
    }

    /// Gives a client the number of its kind (R13.3).
    func numberKind(of install: inout Install) {
        install.become(evaluator.kind(of: install.attestation, on: install.evidence.system))
    }

    /// Takes what a client counted of its calls, and leaves it nothing.
    func take(_ statistics: inout ClientStatistics, ofKind kind: Int) {
        evaluator.take(statistics, ofKind: kind)
        statistics = ClientStatistics()
    }

    /// The devices that attested in the last two minutes (R6.2), in order of first sight.
    func latestDevices(at time: Instant) -> [DeviceID] {
        latestAttestations.indices.compactMap { device in
            guard let latest = latestAttestations[device], time - latest <= Self.latestSeconds else { return nil }
            return evaluator.symbols.devices[DeviceIndex(offset: device)]
        }
    }

    /// What is kept of the latest attestations.
    var information: InformationLog {
        get { evaluator.information }
        _modify { yield &evaluator.information }
    }

    /// The seconds for which an attestation makes its device `latest`.
    private static let latestSeconds = 120
}
