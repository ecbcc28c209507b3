import Testing

@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The identity of a device after launches, reinstalls and resets (R1.3, R10 step 5).
@Suite struct ClientIdentityTests {
    struct Row: LabelledRow {
        let name, device, event: String
        /// True if the device has another ID afterwards.
        let isNew: Bool
    }

    static let rows = [
        Row(name: "launch on iOS", device: "os: ios", event: "launch: bob", isNew: false),
        Row(name: "reinstall on iOS", device: "os: ios", event: "reinstall: bob", isNew: true),
        Row(
            name: "reinstall on iOS that keeps the ID", device: "os: ios",
            event: "reinstall: {group: bob, keep-id: true}", isNew: false),
        Row(
            name: "reinstall on iOS, which the `device` attribute names",
            device: "attributes: {device: 'iOS 13.5, iPhone'}",
            event: "reinstall: bob", isNew: true),
        Row(
            name: "reinstall that says it does not keep the ID", device: "os: ios",
            event: "reinstall: {group: bob, keep-id: false}", isNew: true),
        Row(name: "reinstall on Android", device: "os: android", event: "reinstall: bob", isNew: false),
        Row(name: "factory reset on Android", device: "os: android", event: "factory-reset: bob", isNew: true),
    ]

    @Test(arguments: rows) func theIDStaysOrGoes(_ row: Row) throws {
        let result = try ScenarioText.run(
            """
            scenario: s
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, \(row.device)}}
            steps:
              - {at: 0s, fetch: bob, expect: {flags: [new-did]}}
              - {at: 1s, \(row.event)}
              - {at: 2s, fetch: bob, expect: {attested: 1, flags: \(row.isNew ? "[new-did]" : "[]")}}
              - {at: 3s, \(row.event)}
              - {at: 4s, fetch: bob, expect: {attested: 1, flags: \(row.isNew ? "[new-did]" : "[]")}}

            """)
        #expect(result.expectations.filter { !$0.passed } == [])
        #expect(result.figures.devices.unique == (row.isNew ? 3 : 1))
    }

    @Test(arguments: ["launch: bob", "reinstall: bob", "factory-reset: bob"])
    func whatIsSetIsObservedOverEverything(event: String) throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {filters: [{name: myip, key: ip, match: 1.2.3.4}, {name: model, key: device, regex: ^iOS}]}
            devices: {bob: {os: ios, flags: [debug], attributes: {device: "iOS 13"}}}
            steps:
              - {at: 0s, fetch: bob, expect: {rejections: [debug], filters: [model]}}
              - {at: 1s, set: {group: bob, flags: [frida], attributes: {ip: 1.2.3.4}}}
              - {at: 2s, fetch: bob, expect: {rejections: [frida], filters: [myip, model]}}
              - {at: 3s, \(event)}
              - {at: 4s, fetch: bob, expect: {attested: 1, rejections: [frida], filters: [myip, model]}}

            """)
        #expect(failures == [])
    }

    @Test func filtersSeeTheNewID() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {filters: [{name: bob, key: device-id, match: h4gubfCFzJu81j/U2BJsdg==}]}
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==, os: ios}}
            steps:
              - {at: 0s, fetch: bob, expect: {filters: [bob]}}
              - {at: 1s, reinstall: bob}
              - {at: 2s, fetch: bob, expect: {filters: []}}

            """)
        #expect(failures == [])
    }

    @Test func tamperedPinningSticksToTheInstall() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {os: android}}
            steps:
              - {at: 0s, set: {group: bob, flags: [pinning-tampered]}}
              - {at: 0s, fetch: bob, expect: {rejections: [pinning-tampered], lifetime: 120s}}
              - {at: 1s, set: {group: bob, flags: []}}
              - {at: 2s, fetch: bob, expect: {cached: 1}}
              - {at: 3s, launch: bob}
              - {at: 4s, fetch: bob, expect: {attested: 1, rejections: [pinning-tampered]}}
              - {at: 5s, reinstall: bob}
              - {at: 6s, fetch: bob, expect: {attested: 1, verdict: pass, flags: []}}

            """)
        #expect(failures == [])
    }

    @Test func aReinstallEndsWhatTokensWereBoundTo() throws {
        let row = ClientRow(
            name: "bind, reinstall, bind",
            steps: [
                "at: 0s, bind: {group: bob, data: a}", "at: 1s, reinstall: bob", "at: 2s, fetch: bob",
                "at: 3s, bind: {group: bob, data: a}", "at: 4s, fetch: bob",
            ], outcomes: ["attested", "attested"])
        #expect(try row.run() == row.outcomes)
    }
}
