import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The counts of clients, and the times at which the service gets them (R13.3; manual, SDK Metrics).
@Suite struct ClientMetricsTests {
    struct Row: LabelledRow {
        let name: String
        var account = ""
        var device = ""
        let steps: [String]
        /// All metrics of clients at the end.
        let metrics: [String: Int]

        func run() throws -> [String: Int] {
            let result = try ScenarioText.run(
                """
                account: {\(account)}
                devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, \(device)}}
                steps:
                \(steps.map { "  - {\($0)}" }.joined(separator: "\n"))
                expect: {metrics: {sdk-calls-fetch-sync: \(metrics["sdk-calls-fetch-sync"] ?? 0)}}
                """)
            #expect(result.passed)
            let metrics = result.figures.metrics.filter { $0.key.name.hasPrefix("sdk-") }
            return Dictionary(uniqueKeysWithValues: metrics.map { ($0.key.name, $0.value) })
        }
    }

    // The SDK fetches the configuration when it starts for the first time (R17.3).
    private static func totals(
        _ calls: Int, _ successes: Int, _ others: [String: Int] = [:], config: Int = 1
    ) -> [String: Int] {
        let totals = [
            "sdk-calls-fetch-sync": calls, "sdk-result-success": successes, "sdk-calls-fetch-config": config,
        ].filter { $0.value > 0 }
        return totals.merging(others) { $1 }
    }

    private static let nexus =
        "os: android, attributes: {sdkid: '4000', archid: arm64-v8a, sdk-version: 2.4.0, device: 'Android 8.1.0'}"

    static let kinds = [
        Row(
            name: "everything that a client says of itself", device: nexus,
            steps: ["at: 0s, fetch: bob, every: 10s, until: 20s"],
            metrics: totals(
                3, 3, ["sdk-id-4000": 3, "sdk-arch-android-arm64-v8a": 3, "sdk-version-2.4.0": 3])),
        Row(
            name: "iOS, in bitcode mode",
            device: "os: ios, attributes: {sdkid: '4505', archid: arm64, sdk-version: 2.4.0-bitcode}",
            steps: ["at: 0s, fetch: bob"],
            metrics: totals(1, 1, ["sdk-id-4505": 1, "sdk-arch-ios-arm64": 1, "sdk-version-2.4.0-bitcode": 1])),
        Row(
            name: "iOS, named by the `device` attribute",
            device: "attributes: {archid: arm64, device: 'iOS, 12.1.2, iPhone7,2'}",
            steps: ["at: 0s, fetch: bob"], metrics: totals(1, 1, ["sdk-arch-ios-arm64": 1])),
        Row(
            name: "a system that nobody knows", device: "attributes: {archid: riscv64}", steps: ["at: 0s, fetch: bob"],
            metrics: totals(1, 1, ["sdk-arch-unknown-riscv64": 1])),
        Row(
            name: "nothing", device: "os: ios", steps: ["at: 0s, fetch: bob"], metrics: totals(1, 1)),
        Row(
            name: "only a library", device: "attributes: {sdkid: '1'}", steps: ["at: 0s, fetch: bob"],
            metrics: totals(1, 1, ["sdk-id-1": 1])),
        Row(
            name: "an update of the app", device: nexus,
            steps: [
                "at: 0s, fetch: bob, every: 10s, until: 20s",
                "at: 30s, set: {group: bob, attributes: {sdk-version: 2.5.0, sdkid: '4001'}}", "at: 30s, launch: bob",
                "at: 31s, fetch: bob",
            ],
            metrics: totals(
                4, 4,
                [
                    "sdk-id-4000": 3, "sdk-id-4001": 1, "sdk-arch-android-arm64-v8a": 4, "sdk-version-2.4.0": 3,
                    "sdk-version-2.5.0": 1,
                ])),
    ]

    private static let apis = "apis: [{domain: a.com}, {domain: p.com, type: pinOnly}]"

    static let results = [
        Row(
            name: "new tokens and cached ones alike", steps: ["at: 0s, fetch: bob, every: 100s, until: 400s"],
            metrics: totals(5, 5)),
        Row(
            name: "tokens that fail are successes of the fetch", device: "flags: [rooted]",
            steps: ["at: 0s, fetch: bob"],
            metrics: totals(1, 1)),
        Row(
            name: "results without a metric of their own", account: apis,
            steps: [
                "at: 0s, fetch: bob, domain: 'http://a.com'", "at: 1s, fetch: bob, domain: x.com",
                "at: 2s, fetch: bob, domain: p.com", "at: 3s, fetch: bob, domain: a.com",
            ], metrics: totals(4, 1)),
        Row(
            name: "data to bind tokens to",
            steps: [
                "at: 0s, bind: {group: bob, data: a}", "at: 1s, fetch: bob", "at: 2s, bind: {group: bob, data: a}",
                "at: 3s, bind: {group: bob, data: b}",
            ], metrics: totals(1, 1, ["sdk-calls-set-data-hash": 3])),
    ]

    static let keptBack = [
        Row(
            name: "no network, for ever",
            steps: ["at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob, every: 1s, until: 3s"],
            metrics: [:]),
        Row(
            name: "no network, for a while",
            steps: [
                "at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob, every: 1s, until: 3s",
                "at: 4s, network: {group: bob, state: ok}", "at: 5s, fetch: bob",
            ], metrics: totals(4, 1, ["sdk-result-no-network": 3])),
        Row(
            name: "a network again, and nothing asked for",
            steps: [
                "at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob",
                "at: 2s, network: {group: bob, state: ok}",
            ], metrics: [:]),
        Row(
            name: "a poor network, then none",
            steps: [
                "at: 0s, network: {group: bob, state: poor}", "at: 1s, fetch: bob", "at: 2s, fetch: bob",
                "at: 3s, network: {group: bob, state: none}", "at: 4s, fetch: bob",
                "at: 5s, network: {group: bob, state: ok}", "at: 6s, fetch: bob, every: 1s, until: 7s",
            ], metrics: totals(5, 2, ["sdk-result-poor-network": 2, "sdk-result-no-network": 1])),
        Row(
            name: "somebody in between",
            steps: [
                "at: 0s, network: {group: bob, state: mitm}", "at: 1s, fetch: bob",
                "at: 2s, network: {group: bob, state: ok}", "at: 3s, fetch: bob",
            ], metrics: totals(2, 1, ["sdk-result-mitm-detected": 1])),
        Row(
            name: "pins that block",
            account: "propagation: 0s, devices: [{id: h4gubfCFzJu81j/U2BJsdg==, pin-mode: blockAll}]",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, fetch: bob",
                "at: 2s, approov: device -add h4gubfCFzJu81j/U2BJsdg== -pinMode pin", "at: 3s, fetch: bob",
            ], metrics: totals(3, 1, ["sdk-result-mitm-detected": 2])),
        Row(
            name: "cached tokens without network", device: nexus,
            steps: [
                "at: 0s, fetch: bob", "at: 1s, network: {group: bob, state: none}",
                "at: 2s, fetch: bob, every: 1s, until: 11s",
            ],
            metrics: totals(
                1, 1, ["sdk-id-4000": 1, "sdk-arch-android-arm64-v8a": 1, "sdk-version-2.4.0": 1])),
        Row(
            name: "cached tokens without network, and with one again",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, network: {group: bob, state: none}",
                "at: 2s, fetch: bob, every: 1s, until: 11s", "at: 12s, network: {group: bob, state: ok}",
                "at: 12s, fetch: bob",
            ], metrics: totals(12, 12)),
        Row(
            name: "nobody answers",
            steps: [
                "at: 0s, outage: primary, until: 50s", "at: 10s, fetch: bob, every: 10s, until: 40s",
                "at: 50s, fetch: bob",
            ], metrics: totals(5, 1)),
        Row(
            name: "nothing is reported to the failover",
            steps: ["at: 0s, outage: primary", "at: 60s, fetch: bob, every: 300s, until: 1h"], metrics: [:]),
        Row(
            name: "the failover's fetches are reported to the primary service",
            steps: [
                "at: 0s, outage: primary, until: 120s", "at: 60s, fetch: bob", "at: 119s, fetch: bob",
                "at: 120s, fetch: bob",
            ], metrics: totals(3, 3)),
        Row(
            name: "data bound without network",
            steps: [
                "at: 0s, network: {group: bob, state: none}", "at: 1s, bind: {group: bob, data: a}",
                "at: 2s, network: {group: bob, state: ok}", "at: 3s, fetch: bob",
            ], metrics: totals(1, 1, ["sdk-calls-set-data-hash": 1])),
    ]

    static let lost = [
        Row(
            name: "with a reinstall",
            steps: [
                "at: 0s, network: {group: bob, state: none}", "at: 1s, bind: {group: bob, data: a}",
                "at: 1s, fetch: bob, every: 1s, until: 3s", "at: 4s, reinstall: bob",
                "at: 5s, network: {group: bob, state: ok}", "at: 6s, fetch: bob",
            ], metrics: totals(1, 1, config: 0)),
        Row(
            name: "with a reinstall that keeps the ID", device: "os: ios",
            steps: [
                "at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob",
                "at: 4s, reinstall: {group: bob, keep-id: true}", "at: 5s, network: {group: bob, state: ok}",
                "at: 6s, fetch: bob",
            ], metrics: totals(1, 1, config: 0)),
        Row(
            name: "with a reset", device: "os: android",
            steps: [
                "at: 0s, network: {group: bob, state: poor}", "at: 1s, fetch: bob", "at: 4s, factory-reset: bob",
                "at: 5s, network: {group: bob, state: ok}", "at: 6s, fetch: bob",
            ], metrics: totals(1, 1)),
        Row(
            name: "but not what was reported before",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, network: {group: bob, state: none}", "at: 300s, fetch: bob",
                "at: 301s, reinstall: bob", "at: 302s, network: {group: bob, state: ok}", "at: 303s, fetch: bob",
            ], metrics: totals(2, 2)),
    ]

    @Test("R13.3 what clients report", arguments: kinds + results + keptBack + lost)
    func reports(_ row: Row) throws {
        #expect(try row.run() == row.metrics)
    }

    @Test("R13.3 all clients of an account add up, and those of another do not") func addsUp() throws {
        let result = try ScenarioText.run(
            """
            accounts: {a: {}, b: {}}
            devices:
              one: {account: a, count: 3, os: android, attributes: {sdkid: "4000", archid: x86, sdk-version: 2.4.0}}
              two: {account: a, count: 2, os: ios, attributes: {sdkid: "4505", archid: x86, sdk-version: 2.4.0}}
              three: {account: b, count: 5, os: android, attributes: {sdkid: "4000", archid: x86}}
            steps:
              - {at: 0s, fetch: all, every: 1m, until: 2m}
              - {at: 2m, network: {group: three, state: mitm}}
              - {at: 10m, fetch: all}
              - {at: 11m, network: {group: three, state: ok}}
              - {at: 11m, fetch: three}
            expect:
              - account: a
                metrics:
                  {sdk-calls-fetch-sync: 20, sdk-result-success: 20, sdk-id-4000: 12, sdk-id-4505: 8,
                   sdk-arch-android-x86: 12, sdk-arch-ios-x86: 8, sdk-version-2.4.0: 20, sdk-result-mitm-detected: 0}
              - account: b
                metrics:
                  {sdk-calls-fetch-sync: 25, sdk-result-success: 20, sdk-id-4000: 25, sdk-id-4505: 0,
                   sdk-arch-android-x86: 25, sdk-version-2.4.0: 0, sdk-result-mitm-detected: 5}
            """)
        #expect(result.expectations.filter { !$0.passed } == [])
        #expect(result.expectations.count == 15)
        #expect(result.figures.metrics["sdk-calls-fetch-sync"] == 45)
        #expect(result.figures.metrics["sdk-id-4000"] == 37)
    }

    @Test("R13.2a, R13.3 by minute, when clients report them") func series() throws {
        let scenario = try ScenarioText.load(
            """
            account: {apis: [{domain: a.com}]}
            devices: {bob: {os: ios, attributes: {sdkid: "1", archid: arm64, sdk-version: 2.5.0}}}
            steps:
              - {at: 0s, request: bob, to: a.com, every: 30s, until: 90s}
              - {at: 100s, network: {group: bob, state: none}}
              - {at: 310s, fetch: bob, every: 10s, until: 330s}
              - {at: 400s, network: {group: bob, state: ok}}
              - {at: 430s, fetch: bob, expect: {attested: 1}}
            """)
        var run = ScenarioRun(scenario, keepsSeries: true)
        var diagnostics = Diagnostics()
        var decisions = try LineFile(path: nil)
        let result = try run.run(decisions: &decisions, progress: { _, _ in }, diagnostics: &diagnostics)
        let minutes = try #require(result.figures.series).inOrder.map { minute in
            let names = minute.metrics.filter { $0.key.name.hasPrefix("sdk-") }.map { ("\($0.key.name)", $0.value) }
            return (minute.start.minuteNumber, Dictionary(uniqueKeysWithValues: names))
        }
        let start = scenario.start.minuteNumber
        let usual = [
            "sdk-calls-fetch-sync": 2, "sdk-result-success": 2, "sdk-calls-get-pins": 2,
            "sdk-calls-message-signature": 2, "sdk-id-1": 2, "sdk-version-2.5.0": 2, "sdk-arch-ios-arm64": 2,
        ]
        #expect(minutes.map(\.0) == [start, start + 1, start + 7])
        #expect(minutes.map(\.1)[0] == usual.merging(["sdk-calls-fetch-config": 1]) { $1 })
        #expect(minutes.map(\.1)[1] == usual)
        // Three fetches without network are reported with the one that has one.
        #expect(
            minutes.map(\.1)[2] == [
                "sdk-calls-fetch-sync": 4, "sdk-result-success": 1, "sdk-result-no-network": 3, "sdk-id-1": 4,
                "sdk-version-2.5.0": 4, "sdk-arch-ios-arm64": 4,
            ])
    }

    @Test("R13.3 clearing of device state takes nothing from clients") func clearing() throws {
        let row = Row(
            name: "", steps: ["at: 0s, fetch: bob", "at: 1s, approov: device -clearDeviceState", "at: 2s, fetch: bob"],
            metrics: Self.totals(2, 2))
        #expect(try row.run() == row.metrics)
    }
}
