internal import PolicyEngine
internal import Replay

/// An engine, the numbering that it uses, and what counts and keeps its decisions.
struct Evaluator {
    var symbols: SymbolTable
    private(set) var engine: Engine
    private(set) var collector: MetricsCollector
    private var apps: AppTable
    private(set) var clients: ClientMetrics
    var information = InformationLog()

    init(_ account: Account, keepsSeries: Bool) {
        symbols = SymbolTable(catalogue: account.catalogue)
        collector = MetricsCollector(billingDay: account.billingDay, keepsSeries: keepsSeries)
        apps = AppTable(attributes: &symbols.attributes)
        clients = ClientMetrics(attributes: &symbols.attributes)
        engine = Engine(account: account, source: .simulation, symbols: &symbols)
    }

    /// Judges an attestation; what the primary service judges is counted and kept (R10, step 14; R14.3).
    mutating func attest(
        _ attestation: borrowing Attestation, evidence: DeviceEvidence, by service: TokenService,
        platforms: inout PlatformServices
    ) -> Decision {
        let decision = engine.attest(
            attestation, evidence: evidence, by: service, platforms: &platforms, symbols: symbols)
        guard service == .primary else { return decision }
        collector.count(decision, app: apps.numbers(of: attestation, on: evidence.system))
        information.record(decision, on: attestation, engine: engine)
        return decision
    }

    /// Changes the account, as a command did.
    mutating func change(to account: Account, at time: Instant) {
        engine.change(to: account, at: time, symbols: &symbols)
    }

    /// Forgets every device, at once (R1.5, R6.5).
    mutating func clearDeviceState() { engine.clearDeviceState() }

    /// How pins are handled for a device (R6.6).
    mutating func pinMode(of device: DeviceIndex, at time: Instant) -> PinMode {
        engine.pinMode(of: device, at: time)
    }

    /// The number of the kind of client that sends an attestation.
    mutating func kind(of attestation: borrowing Attestation, on system: OperatingSystem) -> Int {
        clients.kind(of: attestation, on: system)
    }

    /// Takes what a client reports.
    mutating func take(_ statistics: ClientStatistics, ofKind kind: Int) { clients.take(statistics, ofKind: kind) }

    /// What was exercised so far.
    var coverage: Coverage { collector.coverage(engine: engine, symbols: symbols) }

    /// The figures counted so far.
    var figures: Figures {
        var figures = collector.figures(engine: engine, symbols: symbols, apps: apps.labels(symbols.attributes))
        clients.add(to: &figures, attributes: symbols.attributes)
        return figures
    }
}
