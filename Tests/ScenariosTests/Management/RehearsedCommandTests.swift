import Testing

/// Management commands of a scenario, which knows the time and the devices.
@Suite struct RehearsedCommandTests {
    // R6.2: which device that is, and so what has its label, is known only as the scenario runs.
    @Test func theLabelOfTheLatestDeviceMayBeMatched() throws {
        let output = try RunOutput(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1s, approov: device -add latest -label x}
              - {at: 2s, approov: device -removeMatching x}
              - {at: 3s, approov: device -list}
            expect: {metrics: {pass: 1}}
            """)
        #expect(output.lines == ["0 devices:"])
    }

    @Test("R15.1a a release is rehearsed in a scenario") func rehearsal() throws {
        let output = try RunOutput(
            """
            start: 2020-01-01T00:00:00Z
            account:
              app-signing-certs: ["C0:F3:15:9B:A5:6C:A8:E1"]
              registrations: [{app-sig: old=, appid: a, app-version: "1", library-id: "4000"}]
            devices:
              old: {os: android, attributes: {app-sig: old=, appid: a, app-version: "1", sdkid: "4000"}}
              new:
                os: android
                attributes: {app-sig: x=, app-id-sig: new=, appid: a, app-version: "2", sdkid: "4001", app-cert: "c0:f3:15:9b:a5:6c:a8:e1"}
            steps:
              - {at: 0s, fetch: all, expect: [{group: old, verdict: pass}, {group: new, rejections: [app-not-registered]}]}
              - {at: 1m, approov: "registration -add a.aab -signature new= -appID a -appVersion 2 -libraryID 4001 -bundle -expireAfter 1d"}
              - {at: 1m29s, launch: all}
              - {at: 1m29s, fetch: new, expect: {verdict: fail}}
              - {at: 1m30s, launch: all}
              - {at: 1m30s, fetch: all, expect: {verdict: pass}}
              - {at: 1m30s, approov: registration -list}
            expect: {metrics: {pass: 3}}
            """)
        #expect(
            output.lines == [
                "2 app registrations:", " old=a-1-4000",
                " new=a-2-4001   registered:2020-01-01 00:01:00 expiry:2020-01-02 00:01:00",
            ])
    }

    @Test("Listing Registrations: a scenario prints them as they are then") func inAScenario() throws {
        let output = try RunOutput(
            """
            start: 2020-01-01T00:00:00Z
            account:
              registrations:
                - {app-sig: A=, appid: a, expiry: 2020-01-01T00:01:00Z}
                - {app-sig: B=, appid: b}
            steps:
              - {at: 0s, approov: registration -list}
              - {at: 59s, approov: registration -list}
              - {at: 60s, approov: registration -list}
              - {at: 60s, approov: registration -remove B=b-*}
              - {at: 60s, approov: registration -list}
            expect: {metrics: {pass: 0}, vacuous: allowed}
            """)
        let both = ["2 app registrations:", " A=a-*   expiry:2020-01-01 00:01:00", " B=b-*"]
        #expect(output.lines == both + both + ["1 app registration:", " B=b-*", "0 app registrations:"])
    }
}
