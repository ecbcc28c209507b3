import Figures
import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioLoaderTests {
    private static func everyKey() throws -> Scenario {
        try ScenarioText.load(Repository.text(of: "Tests/Tables/documents/every-key.yaml"))
    }

    @Test func readsTheHead() throws {
        let scenario = try Self.everyKey()
        expect(scenario.file, equals: "file.yaml")
        expect(scenario.name, equals: "Every key")
        expect(scenario.tags, equals: ["policy", "rooted"])
        expect(scenario.seed, equals: 42)
        expect(scenario.start.description, equals: "2020-07-22T23:00:00Z")
        expect(scenario.accounts.map(\.name), equals: ["a", "b"])
        expect(scenario.accounts.map(\.account.name), equals: ["first", "second"])
    }

    @Test func readsTheGroups() throws {
        let groups = try Self.everyKey().groups
        expect(groups.map(\.name), equals: ["stock", "bob"])
        expect(groups.map(\.count), equals: [900, 1])
        expect(groups.map(\.operatingSystem), equals: [.android, .ios])
        expect(groups.map(\.account), equals: [0, 1])
        expect(groups.map(\.isRegistered), equals: [true, false])
        expect(groups.map { $0.id?.description }, equals: [nil, "h4gubfCFzJu81j/U2BJsdg=="])
        expect(groups[0].attributes.map(\.key), equals: ["device", "ip", "app-version", "language"])
        expect(groups[0].flagRates.map(\.rate.description), equals: ["2.00%", "0.50%"])
        expect(groups[0].flags.count, equals: 1)
    }

    @Test func readsTheSteps() throws {
        let steps = try Self.everyKey().steps
        expect(steps.map(\.at), equals: [0, 60, 120, 2400, 2400, 2430, 2440, 2460, 2520])
        expect(steps.map(\.repetition).compactMap(\.self), equals: [Step.Repetition(every: 60, until: 1800)])
        expect(steps.map(\.lastTime), equals: [0, 60, 1800, 2400, 2400, 2430, 2440, 2460, 2520])
        expect(steps[0].expectations.map(\.checks.count), equals: [5, 3, 4, 1, 2])
        let targets = steps[0].expectations.map(\.target)
        let id = try #require(DeviceID("h4gubfCFzJu81j/U2BJsdg=="))
        expect(targets, equals: [.group(1), .all, .group(1), .device(id), .all])
    }

    @Test func readsWhatMustHoldAtTheEnd() throws {
        let finals = try Self.everyKey().finalExpectations
        expect(finals.map(\.account), equals: [1, 0])
        let states = finals[0].checks.filter { $0.metric == nil }.map(\.message)
        expect(states, equals: ["device state of bob", "device state of DoYouReadThisText01234=="])
        let metrics = finals[1].checks.compactMap(\.metric?.name)
        expect(metrics, equals: ["filter-myip", "policy-custom", "hourly-fail-flag-rooted"])
    }

    @Test func aNameIsEnough() {
        var diagnostics = Diagnostics()
        let document = YAMLParser.parse(SourceFile(path: "file.yaml", text: "scenario: s\n"))
        let scenario = ScenarioLoader.load(document, diagnostics: &diagnostics)
        expect(scenario?.name, equals: "s")
        expect(scenario?.seed, equals: 1)
        expect(scenario?.start.description, equals: "2020-01-01T00:00:00Z")
        expect(scenario?.accounts.map(\.account.name), equals: ["account"])
        #expect(!diagnostics.hasErrors)
        expect(
            diagnostics.all.map(\.rendered),
            equals: [
                "file.yaml:1:1: warning: the scenario expects nothing, so it cannot fail\n  scenario: s\n  ^\n"
                    + "  hint: add `expect` to a step or at the end"
            ])
    }

    @Test("commands are tried in the order of time, again and again, up to a limit") func longerThanIsRehearsed() throws
    {
        let scenario = try ScenarioText.load(
            """
            steps:
              - {at: 0s, approov: filter -add f -key ip -matchValue x, every: 1s, until: 10d}
              - {at: 9d, approov: filter -remove f}
              - {at: 10d, approov: filter -add f -key ip -matchValue x}
              - {at: 11d, approov: filter -remove f}
            expect: {metrics: {pass: 0}}
            """)
        expect(scenario.steps.count, equals: 4)
    }

    @Test func anAbsolutePathIsTakenAsItStands() throws {
        let folder = try TemporaryFolder()
        let account = try folder.write("account: prod\n", to: "prod.yaml")
        let path = try folder.write(
            "scenario: s\naccount: \(account)\nexpect: {metrics: {pass: 0}}\n", to: "deeper/s.yaml")
        var diagnostics = Diagnostics()
        let scenario = ScenarioLoader.load(path: path, within: .anywhere, diagnostics: &diagnostics)
        expect(scenario?.accounts.map(\.account.name), equals: ["prod"])
    }
}
