import Testing

@testable import TestSupport

/// Data that tokens are bound to and that changes by itself (R19.1a).
@Suite struct ChangingBindingTests {
    private static let bob = "id: h4gubfCFzJu81j/U2BJsdg=="
    private static let own = "h4gubfCFzJu81j/U2BJsdg=="

    private static func row(_ name: String, _ devices: String, _ steps: String) -> ScenarioRow {
        ScenarioRow(
            name, "account: {propagation: 0s, apis: [{domain: a.com}]}\ndevices: {\(devices)}\nsteps:\n\(steps)")
    }

    static let rows = [
        // The token of 3m would last until 8m.
        row(
            "R19.1a the fetch after a change attests", "bob: {\(bob)}",
            """
              - {at: 0s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: none}}}}
              - {at: 1s, binding: {group: bob, every: 3m}}
              - {at: 1s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)}}}}}
              - {at: 3m, fetch: bob, domain: a.com, expect: {cached: 1}}
              - {at: 181s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/1}}}}}
              - {at: 360s, fetch: bob, domain: a.com, expect: {cached: 1}}
              - {at: 361s, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/2}}}}}
            # At 1s, 181s and 361s.
            expect: {metrics: {sdk-calls-set-data-hash: 3}}
            """),
        row(
            "R19.1a a header that changes by itself", "bob: {\(bob), client: {binding-header: Session}}",
            """
              - {at: 0s, binding: {group: bob, every: 3m}}
              - {at: 0s, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)}}}}}
              - {at: 1m, request: bob, to: a.com, expect: {cached: 1, accepted: 1}}
              - {at: 3m, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)/1}}}}}
              # What a step says goes before.
              - {at: 4m, request: bob, to: a.com, data: x, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: x}}}}}
              - {at: 4m, request: bob, to: a.com, data: x, expect: {cached: 1, accepted: 1}}
              - {at: 5m, request: bob, to: a.com, expect: {attested: 1, accepted: 1, token: {claims: {pay: {data: \(own)/1}}}}}
            """),
        row(
            "R19.1a it ends when data is bound, and not with the install", "bob: {\(bob), os: android}",
            """
              - {at: 0s, binding: {group: bob, every: 1m}}
              - {at: 0s, fetch: bob, expect: {attested: 1}}
              - {at: 1m, reinstall: bob}
              - {at: 1m, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: \(own)/1}}}}}
              - {at: 2m, bind: {group: bob, data: session}}
              - {at: 2m, fetch: bob, domain: a.com, expect: {attested: 1, token: {claims: {pay: {data: session}}}}}
              - {at: 4m, fetch: bob, expect: {cached: 1}}
            """),
        ScenarioRow(
            "R19.1a calls bind, too; each device has a value of its own",
            """
            account: {features: [custom-jwt]}
            devices: {bob: {\(bob)}, amy: {id: DoYouReadThisText01234==}}
            steps:
              - {at: 0s, binding: {group: all, every: 1m}}
              - at: 1m
                custom-jwt: {group: all, payload: '{}'}
                expect:
                  - {group: bob, token: {claims: {pay: {data: \(own)/1}}}}
                  - {group: amy, token: {claims: {pay: {data: DoYouReadThisText01234==/1}}}}
            """),
    ]

    @Test("R19.1a what is bound changes by itself", arguments: rows) func comesTo(_ row: ScenarioRow) throws {
        #expect(try row.failures() == [])
    }

    static let refused: [LoaderRow] = [
        .steps(
            "R19.1a no time", "- {at: 0s, binding: ①{group: bob}}", Problem("①", "`every` is missing from `binding`")),
        .steps("R19.1a nobody", "- {at: 0s, binding: ①{every: 3m}}", Problem("①", "`group` is missing from `binding`")),
        .steps(
            "R19.1a always", "- {at: 0s, binding: {group: bob, every: ①0s}}",
            Problem("①", "`every` must be at least `1s`")),
        .steps(
            "R19.1a text", "- {at: 0s, binding: ①bob}",
            Problem("①", "`binding` must be a mapping, not text")),
    ]

    @Test("R19.1a says what is wrong", arguments: refused) func saysWhatIsWrong(_ row: LoaderRow) {
        let (found, expected, isLoaded) = row.outcome
        #expect(found == expected)
        #expect(!isLoaded)
    }
}
