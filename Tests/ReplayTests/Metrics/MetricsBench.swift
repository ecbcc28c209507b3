import PolicyEngine

@testable import Figures
@testable import Replay

/// An engine and a collector that counts what it decides.
struct MetricsBench {
    var engine: Engine
    private var symbols: SymbolTable
    private var collector: MetricsCollector
    private var apps: AppTable
    private let ip: AttributeKey
    private let app: AttributeKey

    init(_ account: Account) {
        symbols = SymbolTable(catalogue: account.catalogue)
        collector = MetricsCollector(billingDay: account.billingDay)
        apps = AppTable(attributes: &symbols.attributes)
        ip = symbols.attributes.key(named: "ip")
        app = symbols.attributes.key(named: "appid")
        engine = Engine(account: account, symbols: &symbols)
    }

    /// Changes the account.
    mutating func change(to account: Account, at time: Instant) {
        engine.change(to: account, at: time, symbols: &symbols)
    }

    /// Attests, and counts the decision.
    @discardableResult
    mutating func attest(
        _ device: Character, at time: Instant, flags: FlagSet = .empty, app appName: String? = nil,
        ip address: String? = nil
    ) -> Decision {
        let id = DeviceID(String(repeating: device, count: 22) + "==") ?? DeviceID(first: 0, second: 0)
        return attest(id, at: time, flags: flags, app: appName, ip: address)
    }

    /// The same for any device.
    @discardableResult
    mutating func attest(
        _ id: DeviceID, at time: Instant, flags: FlagSet = .empty, app appName: String? = nil, ip address: String? = nil
    ) -> Decision {
        var attestation = Attestation(time: time, device: symbols.devices.intern(id), flags: flags)
        if let appName { attestation.set(symbols.attributes.intern(appName, for: app), for: app) }
        if let address { attestation.set(symbols.attributes.intern(address, for: ip), for: ip) }
        let decision = engine.attest(attestation, symbols: symbols)
        collector.count(decision, app: apps.numbers(of: attestation, on: .android))
        return decision
    }

    /// The figures so far.
    var figures: Figures { collector.figures(engine: engine, symbols: symbols, apps: apps.labels(symbols.attributes)) }
}
