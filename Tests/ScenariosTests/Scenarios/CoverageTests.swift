import PolicyEngine
import Testing

@testable import Documents
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The coverage of scenarios, and expectations that hold without what they name.
@Suite struct CoverageTests {
    private static let text = """
        scenario: s
        account:
          account: shop
          propagation: 0s
          rules: [special]
          policy: default,default,risk
          reject-flags: {remove: [cydia]}
          filters:
            - {name: always, key: device, regex: A}
            - {name: never, key: ip, match: 1.2.3.4}
            - {name: some, key: flags-all, match: rooted}
          devices:
            - {id: h4gubfCFzJu81j/U2BJsdg==, policy: "default,whitelist,all"}
            - {id: qZka0yfv+ExvOq3PRh6pGw==, label: nobody}
        devices:
          bob: {id: h4gubfCFzJu81j/U2BJsdg==, attributes: {device: "A"}}
          eve: {flags: [rooted], attributes: {device: "A"}}
        steps:
          - {at: 0s, fetch: all, expect: EXPECT}

        """

    private static func run(_ expectation: String) throws -> ScenarioResult {
        let scenario = try ScenarioText.load(text.replacing("EXPECT", with: expectation))
        var decisions = try LineFile(path: nil)
        var diagnostics = Diagnostics()
        var run = ScenarioRun(scenario, coversRules: true)
        let result = try run.run(decisions: &decisions, progress: { _, _ in }, diagnostics: &diagnostics)
        #expect(diagnostics.isEmpty)
        return result
    }

    // Worked out: whitelist and custom are applied, so of eleven names two; custom rejects on the 22 flags of default
    // less `cydia`, of which `rooted` caused a rejection, and whitelist's three are among those; `risk` annotates one flag;
    // one of two entries attested; of `default` and `special` one was used; one filter matched each, one none.
    @Test func tellsWhatWasExercised() throws {
        let coverage = try #require(try Self.run("{pass: 1, fail: 1}").coverage)
        let shares = coverage.shares.map { "\($0.kind.rawValue) \($0.covered)/\($0.total)" }
        #expect(
            shares == [
                "presets 2/11", "reject-flags 1/21", "filters-matched 2/3", "filters-not-matched 2/3",
                "annotations 1/1", "device-overrides 1/2", "rules 1/2",
            ])
        let missing = Dictionary(uniqueKeysWithValues: coverage.shares.map { ($0.kind, $0.missing) })
        #expect(missing[.filtersMatched] == ["shop: never"])
        #expect(missing[.filtersNotMatched] == ["shop: always"])
        #expect(missing[.deviceOverrides] == ["shop: qZka0yfv+ExvOq3PRh6pGw=="])
        #expect(missing[.rules] == ["shop: special"])
        #expect((coverage.covered, coverage.total) == (10, 43))
    }

    @Test func whatOneScenarioExercisedIsExercised() throws {
        var both = Coverage()
        both.note(.rules, "a: default", true)
        var other = Coverage()
        other.note(.rules, "a: default", false)
        other.note(.rules, "a: special", false)
        both.merge(other)
        #expect((both.covered, both.total) == (1, 2))
        #expect(both.reaches(try #require(Percentage("50"))))
        #expect(!both.reaches(try #require(Percentage("50.000000001"))))
    }

    struct Row: LabelledRow {
        let expectation: String
        let isVacuous: Bool
    }

    static let rows = [
        Row(expectation: "{filters: {never: {at-most: 5}}}", isVacuous: true),
        Row(expectation: "{rejections: {'filter:never': {at-most: 1}}}", isVacuous: true),
        Row(expectation: "{filters: {never: 0}}", isVacuous: false),
        Row(expectation: "{filters: {some: {at-most: 5}}}", isVacuous: false),
        Row(expectation: "{filters: {always: {at-most: 5}}}", isVacuous: false),
        Row(expectation: "{rejections: {cloned: {at-most: 5}}}", isVacuous: false),
        Row(expectation: "{group: bob, filters: [always]}", isVacuous: false),
    ]

    @Test(arguments: rows) func whatHoldsWithoutWhatItNamesIsVacuous(_ row: Row) throws {
        let result = try Self.run(row.expectation)
        #expect(result.expectations.map(\.passed) == [!row.isVacuous])
        #expect(result.expectations.allSatisfy { $0.actual.contains("vacuous") == row.isVacuous })
    }

    @Test(arguments: [("policy-strict", true), ("policy-custom", false), ("filter-never", true), ("pass", false)])
    func metricsMayBeVacuousToo(_ name: String, isVacuous: Bool) throws {
        let result = try Self.run("{pass: 1}}\nexpect: {metrics: {\(name): {at-most: 9}}")
        #expect(result.expectations.map(\.passed) == [true, !isVacuous])
    }
}
