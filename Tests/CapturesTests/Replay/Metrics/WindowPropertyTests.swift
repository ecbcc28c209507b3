import PolicyEngine
import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The collector's windows against sets, on random streams (R13.2, R13.4).
@Suite struct WindowPropertyTests {
    /// Equal seeds give equal streams on every machine.
    private struct Chance {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let seed: UInt64
        let billingDay: Int
        /// The longest time between two decisions, in seconds.
        let step: Int
        let devices: Int
        var testDescription: String { "seed \(seed), billed on day \(billingDay), steps of up to \(step) s" }
    }

    static let rows = [
        Row(seed: 1, billingDay: 1, step: 60, devices: 40), Row(seed: 2, billingDay: 15, step: 3600, devices: 25),
        Row(seed: 3, billingDay: 28, step: 20_000, devices: 300),
        Row(seed: 4, billingDay: 7, step: 400_000, devices: 4),
        Row(seed: 5, billingDay: 15, step: 2, devices: 1000),
    ]

    private static let flagNames = ["rooted", "frida", "automated", "root-risk", "emulator", "app-not-registered"]
    private static let policies = ["default,default,default", "default,allow-root,risk", "default,blacklist,default"]

    @Test(arguments: rows) func agreeWithSets(_ row: Row) throws {
        var chance = Chance(state: row.seed)
        var account = try AccountText.account("billing-day: \(row.billingDay)\npropagation: 0s")
        var bench = MetricsBench(account)
        var naive = NaiveWindows(billingDay: row.billingDay)
        var time = Instant(secondsSinceEpoch: 1_577_000_000)
        for number in 0..<2000 {
            time = time + chance.next(row.step)
            if number % 400 == 399 {
                account.policy = try account.securityPolicy(Self.policies[chance.next(3)])
                bench.change(to: account, at: time)
            }
            let flags = FlagSet(
                Self.flagNames.filter { _ in chance.next(6) == 0 }.compactMap(account.catalogue.namedFlag))
            // Most devices have one app; some come with several, or with none.
            let device = chance.next(row.devices)
            let app = chance.next(10) == 0 ? chance.next(4) : device % 3
            let name = app == 3 ? nil : "app\(app)"
            let decision = bench.attest(
                DeviceID(first: 7, second: UInt64(device) << 4), at: time, flags: flags, app: name)
            naive.count(decision, app: name, catalogue: account.catalogue)
        }
        let windows = bench.figures.windows
        for kind in WindowKind.allCases {
            expect(NaiveWindows.lines(windows[kind] ?? []), equals: naive.lines(kind), "\(kind)")
        }
    }

    @Test func thereAreEnoughDecisions() { #expect(Self.rows.count * 2000 >= 5000) }
}

/// Unique devices by window, counted with sets: what the collector must agree with.
struct NaiveWindows {
    // By kind and start: the devices behind each figure.
    private var windows: [WindowKind: [Int: [String: Set<DeviceIndex>]]] = [:]
    private let billingDay: Int

    init(billingDay: Int) {
        self.billingDay = billingDay
    }

    /// Counts a decision.
    mutating func count(_ decision: Decision, app: String?, catalogue: FlagCatalogue) {
        let verdict = decision.passed ? "pass" : "fail"
        var names = [verdict]
        if let app { names.append("\(verdict)-app-and-\(app)") }
        names += catalogue.names(of: decision.rejectingFlags).map { "fail-flag-\($0)" }
        for kind in WindowKind.allCases {
            let start = start(of: kind, at: decision.time)
            for name in names {
                windows[kind, default: [:]][start, default: [:]][name, default: []].insert(decision.device)
            }
        }
    }

    /// The windows of a kind, as lines in the order of time.
    func lines(_ kind: WindowKind) -> [String] {
        (windows[kind] ?? [:]).sorted { $0.key < $1.key }.map { Self.line($0.key, $0.value.mapValues(\.count)) }
    }

    /// The same of windows that were collected.
    static func lines(_ windows: [Figures.Window]) -> [String] {
        windows.map { window in
            var counts = Dictionary(uniqueKeysWithValues: window.counts.map { ($0.key.name, $0.value) })
            if window.passed > 0 { counts["pass"] = window.passed }
            if window.failed > 0 { counts["fail"] = window.failed }
            return line(window.start.secondsSinceEpoch, counts)
        }
    }

    private static func line(_ start: Int, _ counts: [String: Int]) -> String {
        "\(start): " + counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    private func start(of kind: WindowKind, at time: Instant) -> Int {
        let second = time.secondsSinceEpoch
        switch kind {
        case .hourly: return second - second % 3600
        case .daily: return second - second % 86_400
        case .monthly:
            // Back to the latest day that is the billing day.
            var day = second - second % 86_400
            while Instant(secondsSinceEpoch: day).date.day != billingDay { day -= 86_400 }
            return day
        }
    }
}

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
