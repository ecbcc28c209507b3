import Figures
import PolicyEngine
import Testing

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
            #expect(NaiveWindows.lines(windows[kind] ?? []) == naive.lines(kind), "\(kind)")
        }
    }

    @Test func thereAreEnoughDecisions() { #expect(Self.rows.count * 2000 >= 5000) }
}
