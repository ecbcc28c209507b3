import Figures
import PolicyEngine
import Testing

@testable import Documents
@testable import Scenarios
@testable import TestSupport

@Suite struct ScenarioLoaderTests {
    private static let everyKey = """
        scenario: Every key
        description: |
          Free text.
        tags: [policy, rooted]
        seed: 42
        start: 2020-07-23T00:00:00+01:00
        accounts:
          a: {account: first, filters: [{name: myip, key: ip, match: 1.2.3.4}]}
          b: {account: second, flags: [{name: new-detection}]}
        devices:
          stock:
            count: 900
            os: android
            account: a
            flags: [init-config-outdated]
            flag-rates: {rooted: 2%, xposed: 0.5%}
            attributes:
              device: "Android 8.1.0, Nexus 5X, google, bullhead, en"
              ip: 10.0.0.0/8
              app-version: {choose: {"3.0(3)": 80%, "2.9(1)": 20%}}
              language: ''
            registered: true
          bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios, account: b, physical: bobs-phone, registered: false, attributes: {appid: x}}
        steps:
          - at: 0s
            fetch: [stock, bob]
            domain: mydomain.com
            expect:
              - {group: bob, verdict: pass, lifetime: 300s, annotations: [], filters: [], result: SUCCESS}
              - {group: all, pass: 882, fail: {at-least: 1, at-most: 18}, attested: {about: {value: 9, within: 20}}}
              - {device: bob, policy: "default,custom,risk", annotations: none, flags: [new-did], cached: 0}
              - {device: h4gubfCFzJu81j/U2BJsdg==, rejections: {policy:blacklist: 1}}
              - {rejections: ['filter:myip', rooted], filters: {myip: {at-least: 1}}}
          - {at: 1m, approov: "policy -set default,allow-root,risk", account: b}
          - {at: 2m, fetch: all, every: 1m, until: 30m, expect: {cached: 0}}
          - {at: 40m, reinstall: bob}
          - {at: 40m, reinstall: {group: [bob, stock], keep-id: true}}
          - {at: 40m30s, factory-reset: stock}
          - {at: 40m40s, bind: {group: bob, data: session-1}}
          - {at: 41m, launch: all}
          - {at: 42m, set: {group: bob, flags: [frida, new-detection], attributes: {ip: 1.2.3.4}}}
        expect:
          - account: b
            metrics: {pass: 900, fail: {at-most: 20}, rejection-flag-new-detection: 0, monthly-pass-app-ios-x: 0}
            device-state: {bob: [devicecheck-completed], DoYouReadThisText01234==: none}
          - {account: a, metrics: {filter-myip: 0, policy-custom: 0, hourly-fail-flag-rooted: 1}}

        """

    @Test func readsTheHead() throws {
        let scenario = try ScenarioText.load(Self.everyKey)
        expect(scenario.file, equals: "file.yaml")
        expect(scenario.name, equals: "Every key")
        expect(scenario.tags, equals: ["policy", "rooted"])
        expect(scenario.seed, equals: 42)
        expect(scenario.start.description, equals: "2020-07-22T23:00:00Z")
        expect(scenario.accounts.map(\.name), equals: ["a", "b"])
        expect(scenario.accounts.map(\.account.name), equals: ["first", "second"])
    }

    @Test func readsTheGroups() throws {
        let groups = try ScenarioText.load(Self.everyKey).groups
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
        let steps = try ScenarioText.load(Self.everyKey).steps
        expect(steps.map(\.at), equals: [0, 60, 120, 2400, 2400, 2430, 2440, 2460, 2520])
        expect(steps.map(\.repetition).compactMap(\.self), equals: [Step.Repetition(every: 60, until: 1800)])
        expect(steps.map(\.lastTime), equals: [0, 60, 1800, 2400, 2400, 2430, 2440, 2460, 2520])
        expect(steps[0].expectations.map(\.checks.count), equals: [5, 3, 4, 1, 2])
        let targets = steps[0].expectations.map(\.target)
        let id = try #require(DeviceID("h4gubfCFzJu81j/U2BJsdg=="))
        expect(targets, equals: [.group(1), .all, .group(1), .device(id), .all])
    }

    @Test func readsWhatMustHoldAtTheEnd() throws {
        let finals = try ScenarioText.load(Self.everyKey).finalExpectations
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
