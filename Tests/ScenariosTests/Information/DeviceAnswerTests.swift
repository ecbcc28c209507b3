import Testing

@testable import Scenarios
@testable import TestSupport

/// The lines printed about single devices, in the words of the manual (Getting State of a Device, Getting Specific Device
/// Information).
@Suite struct DeviceAnswerTests {
    private static let (bob, amy) = ("h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234==")

    struct State: LabelledRow {
        let name: String
        var account = "", device = "os: ios"
        var steps: [String] = ["at: 0s, fetch: bob"]
        let printed: [String]
    }

    private static let unset = ["device state has not been set"]

    static let states = [
        State(name: "a device that nobody has seen", steps: ["at: 0s, fetch: other"], printed: unset),
        State(
            name: "a device that asked for a token without network",
            steps: ["at: 0s, network: {group: bob, state: none}", "at: 1s, fetch: bob"], printed: unset),
        State(
            name: "a device with an entry and a ban to come", account: "devices: [{id: \(bob), ban-mode: ban}]",
            steps: ["at: 0s, fetch: other"], printed: unset),
        State(name: "a ban", account: "devices: [{id: \(bob), ban-mode: ban}]", printed: ["did-ban"]),
        State(
            name: "a ban and an unban: both, the unban behind",
            account: "propagation: 0s, devices: [{id: \(bob), ban-mode: ban}]",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, approov: device -add \(bob) -banMode unban", "at: 300s, fetch: bob",
            ], printed: ["did-ban", "did-unban"]),
        State(
            name: "an unban of a device that was not banned", account: "devices: [{id: \(bob), ban-mode: unban}]",
            printed: ["did-unban"]),
        State(
            name: "a ban by a filter", account: "filters: [{name: f, key: ip, match: x, ban: true}]",
            device: "attributes: {ip: x}", printed: ["did-ban"]),
        State(
            name: "DeviceCheck", account: "devicecheck: {team-id: T, key-id: K}",
            device: "os: ios, devicecheck: available", printed: ["devicecheck-completed"]),
        State(
            name: "DeviceCheck that was not available", account: "devicecheck: {team-id: T, key-id: K}",
            device: "os: ios, devicecheck: unavailable", printed: ["devicecheck-unavailable"]),
        State(
            name: "a ban that DeviceCheck found, in catalogue order",
            account: "devicecheck: {team-id: T, key-id: K, bits: bit0}, devices: [{id: \(bob), ban-mode: ban}]",
            device: "os: ios, devicecheck: {state: available, bits: 1}",
            printed: ["did-ban", "devicecheck-completed", "devicecheck-ban"]),
        State(
            name: "SafetyNet that failed", account: "safetynet: {api-key: k}",
            device: "os: android, safetynet: fail-integrity",
            printed: ["safetynet-completed", "safetynet-fail-integrity"]),
        State(
            name: "flags that are observed do not persist", device: "flags: [rooted, did-ban, devicecheck-completed]",
            printed: []),
        State(
            name: "cleared", account: "devices: [{id: \(bob), ban-mode: ban}]",
            steps: ["at: 0s, fetch: bob", "at: 1s, approov: device -clearDeviceState"], printed: unset),
        State(
            name: "cleared, and seen again", account: "devices: [{id: \(bob), ban-mode: ban}]",
            steps: [
                "at: 0s, fetch: bob", "at: 1s, approov: device -clearDeviceState", "at: 120s, fetch: bob",
                "at: 300s, fetch: bob",
            ],
            printed: ["did-ban"]),
    ]

    @Test("R6.5 `-getDeviceState`: a flag a line, or that it was not set", arguments: states)
    func state(_ row: State) throws {
        let result = try ScenarioText.run(
            """
            account: {\(row.account)}
            devices: {bob: {id: \(Self.bob), \(row.device)}, other: {}}
            steps:
            \(row.steps.map { "  - {\($0)}" }.joined(separator: "\n"))
              - {at: 10m, approov: device -getDeviceState \(Self.bob)}
            expect: {metrics: {pass: {at-least: 0}}, vacuous: allowed}
            """)
        #expect(result.printed == row.printed)
    }

    // The samples of the manual, in UTC.
    @Test("Getting Specific Device Information: as the manual shows it") func specificDevice() throws {
        let id = SampleDevice.nexus
        let props =
            "{'Model':'Nexus 5X','Fingerprint':"
            + "'google/bullhead/bullhead:8.1.0/OPM6.171019.030.E1/4805388:user/release-keys'}"
        let result = try ScenarioText.run(
            """
            start: 2020-07-23T10:51:26Z
            account: {policy: "default,allow-root,default", devices: [{id: \(id)}]}
            devices:
              nexus:
                id: \(id)
                flags: [init-config-outdated, xposed, root-risk, rooted]
                registered: false
                attributes:
                  attest-reason: launch
                  app-sig: tL8CNNpf4XlekWkwuyJaCRtcntJyjZ1ujYJ7CZMO+Fk=
                  app-id-sig: NhVaAEGs3U6fLObhZAIdRh71wVF7kSOL0aAMv+e5TvU=
                  appid: com.criticalblue.demo
                  app-version: 3.0(3)
                  app-name: Approov OkHttp Shapes
                  sdk-version: 2.4.0
                  sdkid: "4000"
                  device-props: "\(props)"
                  archid: arm64-v8a
                  device: Android 8.1.0, Nexus 5X, google, bullhead, en
                  ip: 1.2.3.4
            steps: [{at: 0s, fetch: nexus}, {at: 1h, approov: device -getInfo \(id)}]
            expect: {metrics: {fail: 1}}
            """)
        #expect(
            result.printed == [
                "captured: 2020-07-23 10:51:26 UTC", "rejection-flags: app-not-registered",
                "public-flags: app-not-registered,rooted,root-risk,xposed,init-config-outdated", "ip: 1.2.3.4",
                "device-id: \(id)", "device: Android 8.1.0, Nexus 5X, google, bullhead, en", "archid: arm64-v8a",
                "device-props: \(props)", "sdkid: 4000", "sdk-version: 2.4.0", "app-name: Approov OkHttp Shapes",
                "app-version: 3.0(3)", "appid: com.criticalblue.demo",
                "app-id-sig: NhVaAEGs3U6fLObhZAIdRh71wVF7kSOL0aAMv+e5TvU=",
                "app-sig: tL8CNNpf4XlekWkwuyJaCRtcntJyjZ1ujYJ7CZMO+Fk=", "attest-reason: launch",
            ])
    }

    @Test("Analyzing New Devices, Analyzing Filtered Devices: as the manual shows it") func newAndFilteredDevice()
        throws
    {
        let id = SampleDevice.iphone
        let result = try ScenarioText.run(
            """
            start: 2020-07-23T11:10:43Z
            account:
              policy: default,allow-root-and-jailbroken,default
              devicecheck: {team-id: YYYYYYYYY, key-id: XXXXXXXXXX}
              filters: [{name: myip, key: ip, match: 1.2.3.4, capture-device-info: true}]
            devices:
              phone:
                id: \(id)
                devicecheck: unavailable
                registered: false
                flags: [jailbroken, init-config-outdated]
                attributes: {ip: 1.2.3.4, device: "iOS, 12.1.2, iPhone7,2, en_ES", archid: arm64, zeta: "", alpha: b}
            steps:
              - {at: 0s, fetch: phone}
              - {at: 0s, approov: device -getInfo new-did}
              - {at: 0s, approov: device -getInfo filtered}
            expect: {metrics: {fail: 1}}
            """)
        let flags = "app-not-registered,jailbroken,init-config-outdated,devicecheck-unavailable"
        let rest = [
            "ip: 1.2.3.4", "device-id: \(id)", "device: iOS, 12.1.2, iPhone7,2, en_ES", "archid: arm64",
            "attest-reason: launch", "alpha: b", "zeta:",
        ]
        let header = "--- \(id) 2020-07-23 11:10:43 UTC ---"
        #expect(
            result.printed == [header, "rejection-flags: app-not-registered", "public-flags: \(flags)"] + rest
                + [header, "matched-filters: myip", "flags-all: \(flags)"] + rest)
    }

    @Test("R4.5, R4.8 other rejections than flags; nothing where there is none") func rejections() throws {
        let result = try ScenarioText.run(
            """
            account:
              policy: default,default,default
              devices: [{id: \(Self.amy), policy: "default,blacklist,default"}, {id: \(SampleDevice.odd)}, {id: \(Self.bob)}]
              filters: [{name: bad, key: ip, match: x, reject: true}]
            devices:
              bob: {id: \(Self.bob), attributes: {ip: x}, flags: [frida]}
              amy: {id: \(Self.amy)}
              odd: {id: \(SampleDevice.odd)}
            steps:
              - {at: 0s, fetch: all}
              - {at: 1s, approov: device -getInfo \(Self.bob)}
              - {at: 1s, approov: device -getInfo \(Self.amy)}
              - {at: 1s, approov: device -getInfo \(SampleDevice.odd)}
            expect: {metrics: {fail: 2}}
            """)
        #expect(
            result.printed.filter { $0.contains("-flags:") } == [
                "rejection-flags: frida,filter:bad", "public-flags: frida", "rejection-flags: policy:blacklist",
                "public-flags:", "rejection-flags:", "public-flags:",
            ])
    }

    @Test("R6.1 information is collected while there is an entry, and the latest is printed") func latest() throws {
        let result = try ScenarioText.run(
            """
            devices: {bob: {id: \(Self.bob), attributes: {ip: "1"}}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 10s, approov: device -add \(Self.bob) -label x}
              - {at: 300s, fetch: bob}
              - {at: 301s, set: {group: bob, attributes: {ip: "2"}, flags: [automated]}}
              - {at: 302s, approov: device -getInfo \(Self.bob)}
              - {at: 303s, fetch: bob}
              - {at: 304s, approov: device -getInfo \(Self.bob) -clear}
              - {at: 305s, launch: bob}
              - {at: 305s, fetch: bob}
              - {at: 306s, approov: device -getInfo \(Self.bob)}
            expect: {metrics: {pass: 4}}
            """)
        func record(_ time: String, _ flags: String, _ ip: String, _ reason: String) -> [String] {
            [
                "captured: 2020-01-01 00:\(time) UTC", "rejection-flags:", "public-flags:\(flags)", "ip: \(ip)",
                "device-id: \(Self.bob)", "attest-reason: \(reason)",
            ]
        }
        #expect(
            result.printed == record("05:00", "", "1", "expiry") + record("05:03", " automated", "2", "change")
                + record("05:05", " automated", "2", "launch"))
    }

    struct Refusal: LabelledRow {
        let name: String
        var account = ""
        let steps: String
        let message: String
        let hint: String
    }

    private static let noEntry = (
        "there is no entry for device `\(bob)`, so no information is collected", "`device -add` makes one"
    )
    private static let noInformation = (
        "there is no information on device `\(bob)`", "it is collected when the device attests while it has an entry"
    )

    static let refusals = [
        Refusal(
            name: "a device without an entry",
            steps: "  - {at: 0s, fetch: bob}\n  - ①{at: 1s, approov: device -getInfo \(bob)}", message: noEntry.0,
            hint: noEntry.1),
        Refusal(
            name: "a device whose entry was removed", account: "devices: [{id: \(bob)}]",
            steps: "  - {at: 0s, fetch: bob}\n  - {at: 1s, approov: device -remove \(bob)}\n"
                + "  - ①{at: 1s, approov: device -getInfo \(bob)}", message: noEntry.0, hint: noEntry.1),
        Refusal(
            name: "a device that has not attested", account: "devices: [{id: \(bob)}]",
            steps: "  - ①{at: 1s, approov: device -getInfo \(bob)}\n  - {at: 2s, fetch: bob}",
            message: noInformation.0, hint: noInformation.1),
        Refusal(
            name: "a device that attested before its entry was in force",
            steps: "  - {at: 0s, approov: device -add \(bob)}\n  - {at: 29s, fetch: bob}\n  - {at: 60s, fetch: bob}\n"
                + "  - ①{at: 60s, approov: device -getInfo \(bob)}", message: noInformation.0, hint: noInformation.1),
        Refusal(
            name: "a device that only the failover saw", account: "devices: [{id: \(bob)}]",
            steps: "  - {at: 0s, outage: primary}\n  - {at: 60s, fetch: bob}\n"
                + "  - ①{at: 61s, approov: device -getInfo \(bob)}", message: noInformation.0, hint: noInformation.1),
        Refusal(
            name: "a device whose information was discarded", account: "devices: [{id: \(bob)}]",
            steps: "  - {at: 0s, fetch: bob}\n  - {at: 1s, approov: device -getInfo \(bob) -clear}\n"
                + "  - {at: 2s, fetch: bob}\n  - ①{at: 3s, approov: device -getInfo \(bob)}",
            message: noInformation.0, hint: noInformation.1),
    ]

    @Test("Getting Specific Device Information: at least one fetch with an entry must be made", arguments: refusals)
    func refuses(_ row: Refusal) throws {
        let marked = MarkedText(
            """
            scenario: s
            account: {\(row.account)}
            devices: {bob: {id: \(Self.bob)}}
            steps:
            \(row.steps)
            expect: {metrics: {pass: {at-least: 0}}, vacuous: allowed}

            """)
        let (_, diagnostics) = try ScenarioText.attempt(marked.text)
        #expect(diagnostics == marked.expected(["① \(row.message); hint: \(row.hint)"]))
    }

    @Test("R1.5 an entry that is in force to the second collects") func entryInForce() throws {
        let result = try ScenarioText.run(
            """
            devices: {bob: {id: \(Self.bob)}}
            steps:
              - {at: 0s, approov: device -add \(Self.bob)}
              - {at: 30s, fetch: bob}
              - {at: 31s, approov: device -getInfo \(Self.bob)}
            expect: {metrics: {pass: 1}}
            """)
        #expect(result.printed.first == "captured: 2020-01-01 00:00:30 UTC")
    }
}
