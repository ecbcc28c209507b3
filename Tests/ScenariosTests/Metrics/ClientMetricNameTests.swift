import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// Which names of clients' metrics, and of the bill, expectations may ask for (R13.2, R13.3).
@Suite struct ClientMetricNameTests {
    static let valid = [
        "sdk-calls-fetch-sync", "sdk-calls-set-data-hash", "sdk-result-success", "sdk-result-no-network",
        "sdk-result-poor-network", "sdk-result-mitm-detected", "sdk-id-4000", "sdk-version-2.4.0",
        "sdk-version-2.4.0-bitcode", "sdk-arch-ios-arm64", "sdk-arch-android-arm64-v8a", "sdk-arch-unknown-x",
        "billing",
    ]

    static let unknown = [
        "sdk", "sdk-", "sdk-id", "sdk-id-", "sdk-version-", "sdk-arch-", "sdk-arch-arm64", "sdk-arch-ios-",
        "sdk-arch-android", "sdk-arch-and-arm64", "sdk-arch-windows-x86", "sdk-calls", "sdk-calls-", "sdk-calls-fetch",
        "sdk-result-", "sdk-result-bad-url", "sdk-result-SUCCESS", "sdk-result-no-approov-service",
        "hourly-sdk-result-success", "daily-sdk-id-4000", "monthly-billing", "billing-1", "Billing",
        "pass-sdk-id-4000",
    ]

    private static func text(_ name: String) -> String {
        "scenario: s\ndevices: {bob: {}}\nexpect: {metrics: {①\"\(name)\": 0}, vacuous: allowed}\n"
    }

    @Test("R13.3 can be asked for", arguments: valid) func isKnown(name: String) throws {
        let result = try ScenarioText.run(MarkedText(Self.text(name)).text)
        #expect(result.passed)
        #expect(result.expectations.map(\.message) == ["metric \(name)"])
    }

    @Test("R13.3 an expectation of 0 of what cannot be counted would hold for ever", arguments: unknown)
    func isUnknown(name: String) {
        let marked = MarkedText(Self.text(name))
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(YAMLParser.parse(marked.source), diagnostics: &diagnostics)
        #expect(scenario == nil)
        #expect(diagnostics.all.map(\.message) == ["unknown metric `\(name)`"])
        #expect(diagnostics.all.map(\.position) == [marked.positions["①"]])
    }

    @Test func whatIsNearIsSuggested() {
        for (wrong, right) in [
            ("sdk-result-sucess", "sdk-result-success"), ("sdk-calls-fetch-sycn", "sdk-calls-fetch-sync"),
            ("biling", "billing"),
        ] {
            guard
                case .unknown(let hint) = Metric.check(
                    wrong, catalogue: FlagCatalogue(), filters: [], apps: AppNames())
            else {
                Issue.record("\(wrong) is taken")
                continue
            }
            #expect(hint == "did you mean `\(right)`?")
        }
    }

    @Test("R13.3 every name that is counted can be asked for") func countedNames() throws {
        let result = try ScenarioText.run(
            """
            devices:
              one: {os: android, attributes: {sdkid: "1", archid: a, sdk-version: "2"}}
              two: {os: ios, attributes: {archid: a}}
              three: {attributes: {archid: a}}
            steps:
              - {at: 0s, bind: {group: one, data: x}}
              - {at: 1s, network: {group: one, state: none}}
              - {at: 1s, network: {group: two, state: poor}}
              - {at: 1s, network: {group: three, state: mitm}}
              - {at: 2s, fetch: all}
              - {at: 3s, network: {group: all, state: ok}}
              - {at: 4s, fetch: all}
            """.replacing("\n\n", with: "\nexpect: {metrics: {pass: 3}}\n"))
        let names = result.figures.metrics.keys.map(\.name).filter { $0.hasPrefix("sdk-") }
        #expect(names.count == 12)
        for name in names {
            guard case .valid = Metric.check(name, catalogue: FlagCatalogue(), filters: [], apps: AppNames()) else {
                Issue.record("\(name) cannot be asked for")
                continue
            }
        }
    }
}
