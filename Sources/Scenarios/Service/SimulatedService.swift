internal import Figures
internal import PolicyEngine
internal import Replay

/// The names that an attestation carries.
enum NameAspect: String, Hashable, Sendable, CaseIterable {
    case rejections, flags, annotations, filters
}

/// The service of one account of a scenario: it evaluates attestations, numbers and counts them, keeps the latest
/// information, and makes response codes and tokens.
///
/// A class, since there is one for each account and every fetch of every device goes to it.
final class SimulatedService {
    private var core: Core
    private let platforms: SimulatedPlatforms
    private var responseCodes = ResponseCodeCache()
    private var tokenIssuer = TokenIssuer()
    // The attribute that says why a client attests, and its values.
    private let reasonKey: AttributeKey
    /// The attribute that says what a device found where a probe URL leads.
    let probeKey: AttributeKey
    private var reasons: [AttestReason: ValueNumber] = [:]
    private var limits: SDKLimits
    // The time of the latest attestation, by device number; `nil` for a device that never attested.
    private var latestAttestations: [Instant?] = []
    /// The backends that devices probe.
    var backends = Backends()
    /// True if it evaluated any attestation, as the primary service or as the failover.
    private(set) var hasEvaluated = false

    init(
        _ account: Account, platforms: SimulatedPlatforms, keepsSeries: Bool = false,
        source: AttestationSource = .simulation, patterns: PatternMatcher = PatternMatcher(),
        inPlaceOf earlier: Account? = nil
    ) {
        core = Core(account, keepsSeries: keepsSeries, source: source, patterns, inPlaceOf: earlier)
        self.platforms = platforms
        limits = SDKLimits(attributes: core.symbols.attributes)
        reasonKey = core.symbols.attributes.key(named: AttestReason.key)
        probeKey = core.symbols.attributes.key(named: InformationKeys.probeResult)
        for reason in AttestReason.allCases {
            reasons[reason] = core.symbols.attributes.intern(reason.rawValue, for: reasonKey)
        }
    }

    /// The numbering of this account's attestations.
    var symbols: SymbolTable {
        get { core.symbols }
        _modify { yield &core.symbols }
    }

    /// The engine, for names and rules.
    var engine: Engine { _read { yield core.engine } }

    /// The ID of a device.
    func deviceID(of device: DeviceIndex) -> DeviceID { core.symbols.devices[device] }

    /// The figures counted so far.
    var figures: Figures { core.figures }

    /// The coverage so far.
    var coverage: Coverage { core.coverage }

    /// Changes the account, as a command did.
    func change(to account: Account, at time: Instant) { core.change(to: account, at: time) }

    /// Forgets every device, at once (R1.5, R6.5).
    func clearDeviceState() { core.engine.clearDeviceState() }

    /// Writes into an attestation why it is made (R14.2b), unless the scenario says so itself.
    ///
    /// - Returns: True if it was written.
    func write(_ reason: AttestReason, into attestation: inout Attestation) -> Bool {
        guard attestation.value(of: reasonKey) == .absent, let value = reasons[reason] else { return false }
        attestation.set(value, for: reasonKey)
        return true
    }

    /// True if the SDK behind an attestation supports a feature.
    func supports(_ feature: SDKFeature, _ attestation: borrowing Attestation) -> Bool {
        limits.supports(feature, attestation, attributes: core.symbols.attributes)
    }

    /// Lets the service no longer know a version of the SDK (R20.1).
    func retire(_ version: SDKVersion) { limits.retired.insert(version) }

    /// True if the service no longer knows the SDK behind an attestation.
    func isRetired(_ attestation: borrowing Attestation) -> Bool {
        limits.isRetired(attestation, attributes: core.symbols.attributes)
    }

    /// Takes out of an attestation and its evidence what an old SDK can neither send nor find out.
    func limit(_ attestation: inout Attestation, _ evidence: inout DeviceEvidence) {
        limits.apply(to: &attestation, &evidence, attributes: core.symbols.attributes)
    }

    /// Evaluates an attestation, and counts and keeps it where it is the primary service that does.
    ///
    /// - Parameters:
    ///   - evidence: The facts that can be found out about the device.
    ///   - server: The service that evaluates it; after the primary one, ``probe(after:on:showing:through:)`` keeps it.
    func attest(
        _ attestation: borrowing Attestation, evidence: DeviceEvidence, by server: TokenService
    ) -> Decision {
        let decision = core.attest(attestation, evidence: evidence, by: server, platforms: &platforms.services)
        hasEvaluated = true
        if server == .primary { noteLatest(decision) }
        return decision
    }

    /// Keeps an attestation, with what its device finds where the filtered policy's probe URL leads if that policy is for it
    /// (R18.8). The device gets the URL with the answer, so that only the filters of its next attestation see the result.
    ///
    /// - Parameters:
    ///   - decision: The decision on the attestation.
    ///   - showsProbe: True if the attestation shows the result of an earlier probe.
    ///   - path: The way from the device to its backends.
    /// - Returns: The result; `nil` where nothing is probed.
    func probe(
        after decision: Decision, on attestation: borrowing Attestation, showing showsProbe: Bool,
        through path: NetworkPath
    ) -> ValueNumber? {
        guard let url = core.probeURL(after: decision) else {
            core.keep(decision, on: attestation)
            return nil
        }
        var probed = copy attestation
        if showsProbe { probed.set(.absent, for: probeKey) }
        let isProbed = write(probeOf: url, into: &probed, through: path)
        core.keep(decision, on: probed)
        return isProbed ? probed.value(of: probeKey) : nil
    }

    /// The strings that an attestation brings which passes (R21.2); `nil` where the account has none.
    func secureStrings(at time: Instant) -> [ExactText: ExactText]? {
        guard core.definesStrings else { return nil }
        let account = core.engine.account(inForceAt: time)
        return account.has(.secureStrings) ? account.secureStrings : nil
    }

    /// Evaluates an attestation whose flags are what the service saw, and counts it likewise.
    ///
    /// - Parameters:
    ///   - system: The device's.
    ///   - verdict: True if the service passed it, where that is known.
    func attest(
        captured attestation: borrowing Attestation, on system: OperatingSystem, verdict: Bool?,
        by server: TokenService
    ) -> Decision {
        let decision = core.attest(captured: attestation, on: system, verdict: verdict, by: server)
        if server == .primary { noteLatest(decision) }
        return decision
    }

    private func noteLatest(_ decision: Decision) {
        let device = decision.device.offset
        if device >= latestAttestations.count {
            latestAttestations.append(contentsOf: repeatElement(nil, count: device + 1 - latestAttestations.count))
        }
        latestAttestations[device] = decision.time
    }

    /// The response code of a decision; `nil` where there is none (R12.4).
    func responseCode(of decision: Decision) -> String? { responseCodes.code(of: decision, engine: core.engine) }

    /// The token that a client has for a domain, and the key that it was made with.
    ///
    /// - Throws: ``TokenIssueError`` where the key is not there.
    func issue(
        _ cached: CachedToken, for domain: String, withMeasurement isMeasured: Bool
    ) throws(TokenIssueError) -> (token: String, key: TokenKey?) {
        var (token, attested): ([UInt8], _) = ([], cached.attested)
        // R22.1: only the token that was asked for with it carries a measurement.
        if !isMeasured { attested.measurement = nil }
        try tokenIssuer.write(
            cached.decision, attested, domain: domain, engine: core.engine, symbols: core.symbols,
            to: &token)
        let key = try tokenIssuer.key(at: cached.moment, domain: domain, engine: core.engine)
        return (String(decoding: token, as: UTF8.self), key)
    }

    /// A token of the account with claims of the app's (R21.3).
    func customToken(_ cached: CachedToken, payload: [JSONMember]) -> (text: String, key: TokenKey) {
        tokenIssuer.customToken(
            cached.decision, cached.attested, payload: payload, engine: core.engine, symbols: core.symbols)
    }

    /// The meaning of a response code to the account that made a decision (R12.3).
    func responseCodeMeaning(_ code: String, of decision: Decision) -> ResponseMeaning? {
        responseCodes.meaning(of: code, for: decision, engine: core.engine)
    }

    /// The pin mode of a device at a time (R6.6).
    func pinMode(of device: DeviceIndex, at time: Instant) -> PinMode { core.engine.pinMode(of: device, at: time) }

    /// The URL that a device probes for pins (R18.8).
    func probeURL(of device: DeviceIndex, at time: Instant) -> String? { core.engine.probeURL(of: device, at: time) }

    /// The configurations of the account (R17).
    var configurations: ConfigurationHistory { core.configurations }

    /// Lets running apps apply the pins as they are now (R17.4).
    func forcePins(at time: Instant) {
        core.configurations.force(at: time, propagation: core.engine.history.latest.propagation)
    }

    /// The domain that a fetch names.
    func domain(_ text: String?, at time: Instant) -> RequestedDomain {
        text.map { RequestedDomain($0, in: core.engine.history, at: time) } ?? .any
    }

    /// Gives a client the number of its kind (R13.3).
    func numberKind(of install: inout Install) {
        install.become(core.clients.kind(of: install.attestation, on: install.evidence.system))
    }

    /// Takes what a client counted of its calls, and leaves it nothing.
    func add(_ statistics: inout ClientStatistics, ofKind kind: Int, at time: Instant) {
        core.clients.add(statistics, ofKind: kind, at: time)
        statistics = ClientStatistics()
    }

    /// The devices that attested in the last two minutes (R6.2), in order of first sight.
    func latestDevices(at time: Instant) -> [DeviceID] {
        latestAttestations.indices.compactMap { device in
            guard let latest = latestAttestations[device], time - latest <= Self.latestSeconds else { return nil }
            return core.symbols.devices[DeviceIndex(offset: device)]
        }
    }

    /// The records of the latest attestations.
    var information: InformationLog {
        get { core.information }
        _modify { yield &core.information }
    }

    /// The seconds for which an attestation makes its device `latest`.
    private static let latestSeconds = 120

    // The state that an attestation needs, in one value: so its parts are borrowed from one another and not copied by
    // attestation.
    private struct Core {
        var symbols: SymbolTable
        var engine: Engine
        var clients: ClientMetrics
        var information = InformationLog()
        var configurations: ConfigurationHistory
        /// True if the account defines secure strings at any time.
        private(set) var definesStrings: Bool
        private var collector: MetricsCollector
        private var apps: AppTable

        init(
            _ account: Account, keepsSeries: Bool, source: AttestationSource, _ patterns: PatternMatcher,
            inPlaceOf earlier: Account?
        ) {
            symbols = SymbolTable(catalogue: account.catalogue)
            configurations = ConfigurationHistory(account)
            definesStrings = !account.secureStrings.isEmpty
            collector = MetricsCollector(billingDay: account.billingDay, keepsSeries: keepsSeries)
            apps = AppTable(attributes: &symbols.attributes)
            clients = ClientMetrics(attributes: &symbols.attributes, keepsSeries: keepsSeries)
            engine = Engine(
                account: account, source: source, symbols: &symbols, matcher: patterns, inPlaceOf: earlier)
        }

        // Attestations that the primary service evaluates are counted (R10, step 14; R14.3).
        mutating func attest(
            _ attestation: borrowing Attestation, evidence: DeviceEvidence, by server: TokenService,
            platforms: inout PlatformServices
        ) -> Decision {
            let decision = engine.attest(
                attestation, evidence: evidence, by: server, platforms: &platforms, symbols: symbols)
            guard server == .primary else { return decision }
            collector.count(decision, app: apps.numbers(of: attestation, on: evidence.system))
            return decision
        }

        // The URL that the device probes because of a decision (R18.8).
        mutating func probeURL(after decision: Decision) -> String? {
            engine.filteredProbeURL(after: decision, symbols: symbols)
        }

        // Keeps an attestation with its decision.
        mutating func keep(_ decision: Decision, on attestation: borrowing Attestation) {
            information.record(decision, on: attestation, engine: engine)
        }

        // A capture says itself what the platforms found.
        mutating func attest(
            captured attestation: borrowing Attestation, on system: OperatingSystem, verdict: Bool?,
            by server: TokenService
        ) -> Decision {
            let decision = engine.attest(attestation, by: server, symbols: symbols)
            guard server == .primary else { return decision }
            let app = apps.numbers(of: attestation, on: system)
            collector.count(decision, app: app, capturedVerdict: verdict)
            keep(decision, on: attestation)
            return decision
        }

        mutating func change(to account: Account, at time: Instant) {
            engine.change(to: account, at: time, symbols: &symbols)
            configurations.change(to: account, at: time)
            definesStrings = definesStrings || !account.secureStrings.isEmpty
        }

        var coverage: Coverage { collector.coverage(engine: engine, symbols: symbols) }

        var figures: Figures {
            var figures = collector.figures(engine: engine, symbols: symbols, apps: apps.labels(symbols.attributes))
            clients.add(to: &figures, attributes: symbols.attributes)
            return figures
        }
    }
}

/// The services of Apple and Google, one of each for all accounts of a scenario (R8.10).
///
/// A class, since every account speaks to the same ones.
final class SimulatedPlatforms {
    var services = PlatformServices()
}

// MARK: Names

extension SimulatedService {
    /// The names that an attestation carries; `nil` where there is no token, or no annotation (R5.3).
    func names(of aspect: NameAspect, in decision: Decision?) -> [String]? {
        guard let decision else { return nil }
        switch aspect {
        case .rejections: return engine.rejections(of: decision, catalogue: symbols.catalogue)
        case .flags: return symbols.catalogue.names(of: decision.flags)
        case .annotations: return decision.annotations.map(symbols.catalogue.annotationNames)
        case .filters: return engine.filterNames(decision.filters, of: decision)
        }
    }

    /// The policy that was applied.
    func policy(of decision: Decision?) -> String {
        decision.map { engine.policy(of: $0).description } ?? ""
    }

    /// The persisted state of a device, in words (R6.5).
    func stateText(of device: DeviceIndex) -> String { stateText(engine.deviceState(of: device)) }

    /// A device's state in words; `nil` where it was never set.
    func stateText(_ flags: FlagSet?) -> String {
        guard let flags else { return "none" }
        return "[" + symbols.catalogue.names(of: flags).joined(separator: ", ") + "]"
    }
}
