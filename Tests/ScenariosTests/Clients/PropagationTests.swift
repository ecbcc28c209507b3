import Testing

@testable import TestSupport

/// When changes of an account are in force (R1.5).
@Suite struct PropagationTests {
    @Test func aChangeIsInForceThirtySecondsLater() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {flags: [rooted]}}
            steps:
              - {at: 100s, approov: "policy -set default,allow-root,default"}
              - {at: 129s, launch: bob}
              - {at: 129s, fetch: bob, expect: {verdict: fail, policy: "default,default,default"}}
              - {at: 130s, launch: bob}
              - {at: 130s, fetch: bob, expect: {verdict: pass, policy: "default,allow-root,default"}}

            """)
        #expect(failures == [])
    }

    @Test func aCachedTokenLivesOnUntilItExpires() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {flags: [rooted]}}
            steps:
              - {at: 0s, fetch: bob, expect: {verdict: fail, lifetime: 120s}}
              - {at: 0s, approov: "policy -set default,allow-root,risk"}
              - at: 119s
                fetch: bob
                expect: {cached: 1, fail: 1, verdict: fail, policy: "default,default,default", annotations: none}
              - at: 120s
                fetch: bob
                expect: {attested: 1, verdict: pass, policy: "default,allow-root,risk", annotations: [risky-device]}

            """)
        #expect(failures == [])
    }

    @Test func anAccountSaysHowLongItTakes() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {propagation: 0s}
            devices: {bob: {flags: [rooted]}}
            steps:
              - {at: 0s, fetch: bob, expect: {verdict: fail}}
              - {at: 0s, launch: bob}
              - {at: 0s, approov: "policy -set default,allow-root,default"}
              - {at: 0s, fetch: bob, expect: {verdict: pass}}

            """)
        #expect(failures == [])
    }

    @Test func changesComeIntoForceOneAfterAnother() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {flags: [rooted, debug]}}
            steps:
              - {at: 0s, approov: policy -removeRejectFlag rooted}
              - {at: 10s, approov: policy -removeRejectFlag debug}
              - {at: 29s, fetch: bob, expect: {rejections: [rooted, debug]}}
              - {at: 30s, launch: bob}
              - {at: 30s, fetch: bob, expect: {rejections: [debug]}}
              - {at: 39s, launch: bob}
              - {at: 39s, fetch: bob, expect: {rejections: [debug]}}
              - {at: 40s, launch: bob}
              - {at: 40s, fetch: bob, expect: {verdict: pass, policy: "default,custom,default"}}

            """)
        #expect(failures == [])
    }

    @Test func clearingOfStateIsInForceAtOnce() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account:
              devices: [{id: h4gubfCFzJu81j/U2BJsdg==, ban-mode: ban}]
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
            steps:
              - {at: 0s, fetch: bob, expect: {rejections: [did-ban]}}
              - {at: 1s, approov: device -remove h4gubfCFzJu81j/U2BJsdg==}
              - {at: 300s, fetch: bob, expect: {rejections: [did-ban], flags: [did-ban]}}
              - {at: 600s, approov: device -clearDeviceState}
              - {at: 600s, fetch: bob, expect: {verdict: pass, flags: [new-did]}}
            expect: {device-state: {bob: []}}

            """)
        #expect(failures == [])
    }

    @Test func accountsChangeApart() throws {
        let failures = try ScenarioText.failures(
            """
            scenario: s
            accounts: {a: {propagation: 0s}, b: {propagation: 0s}}
            devices: {one: {account: a, flags: [rooted]}, two: {account: b, flags: [rooted]}}
            steps:
              - {at: 0s, approov: "policy -set default,allow-root,default", account: b}
              - {at: 0s, fetch: all, expect: [{group: one, verdict: fail}, {group: two, verdict: pass}]}
            expect: [{account: a, metrics: {pass: 0, fail: 1}}, {account: b, metrics: {pass: 1, fail: 0}}]

            """)
        #expect(failures == [])
    }
}
