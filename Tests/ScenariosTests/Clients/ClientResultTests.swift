import Testing

@testable import Figures
@testable import Replay
@testable import Scenarios
@testable import TestSupport

/// The results of fetches that bring no token (R14.2, R6.6).
@Suite struct ClientResultTests {
    struct Row: LabelledRow {
        let name, account, domain: String
        let result: FetchResult
    }

    private static let apis =
        "apis: [{domain: a.com}, {domain: r.com, type: restricted}, {domain: k.com, type: keyset}, "
        + "{domain: p.com, type: pinOnly}]"

    static let domains = [
        Row(name: "any domain where none is listed", account: "", domain: "domain: x.com", result: .success),
        Row(name: "no domain where none is listed", account: "", domain: "", result: .success),
        Row(name: "no domain where some are listed", account: apis, domain: "", result: .success),
        Row(name: "a listed domain", account: apis, domain: "domain: a.com", result: .success),
        Row(name: "a restricted domain", account: apis, domain: "domain: r.com", result: .success),
        Row(name: "a domain with a key set", account: apis, domain: "domain: k.com", result: .success),
        Row(name: "a domain that is only pinned", account: apis, domain: "domain: p.com", result: .unprotectedURL),
        Row(name: "a domain that is not listed", account: apis, domain: "domain: x.com", result: .unknownURL),
        Row(name: "a part of a listed domain", account: apis, domain: "domain: sub.a.com", result: .unknownURL),
    ]

    @Test(arguments: domains) func theDomainDecides(_ row: Row) throws {
        let tokens = row.result == .success ? 1 : 0
        let fetch = row.domain.isEmpty ? "fetch: bob" : "fetch: bob, \(row.domain)"
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {\(row.account)}
            devices: {bob: {}}
            steps:
              - {at: 0s, \(fetch), expect: {result: \(row.result.rawValue), attested: \(tokens), cached: 0, vacuous: allowed}}
              - {at: 1s, fetch: bob, expect: {result: SUCCESS}}
              - {at: 2s, \(fetch), expect: {result: \(row.result.rawValue), cached: \(tokens), vacuous: allowed}}

            """)
        #expect(failures == [])
    }

    private static func pinned(_ mode: String, _ steps: String) -> String {
        """
        scenario: s
        account: {propagation: 30s, devices: [{id: h4gubfCFzJu81j/U2BJsdg==, label: bob}]}
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}, stock: {}}
        steps:
          - {at: 0s, fetch: all, expect: {result: SUCCESS, attested: 2}}
          - {at: 0s, approov: device -add h4gubfCFzJu81j/U2BJsdg== -pinMode \(mode)}
        \(steps)

        """
    }

    @Test func blockAllEndsFetchesThatNeedANewToken() throws {
        let failures = try ScenarioText.failures(
            Self.pinned(
                "blockAll",
                """
                  - {at: 29s, launch: all}
                  - {at: 29s, fetch: all, expect: {result: SUCCESS, attested: 2}}
                  - {at: 328s, fetch: all, expect: {result: SUCCESS, cached: 2}}
                  - at: 329s
                    fetch: all
                    expect:
                      - group: bob
                        result: MITM_DETECTED
                        attested: 0
                        cached: 0
                        pass: 0
                        fail: 0
                        flags: {new-did: 0}
                        vacuous: allowed
                      - {group: stock, result: SUCCESS, attested: 1}
                  - {at: 400s, approov: device -add h4gubfCFzJu81j/U2BJsdg== -pinMode pin}
                  - {at: 429s, fetch: bob, expect: {result: MITM_DETECTED}}
                  - {at: 430s, fetch: bob, expect: {result: SUCCESS}}
                """))
        #expect(failures == [])
    }

    @Test(arguments: ["pin", "unpin", "block"]) func otherPinModesEndNone(mode: String) throws {
        let steps = "  - {at: 600s, fetch: all, expect: {result: SUCCESS, attested: 2}}"
        #expect(try ScenarioText.failures(Self.pinned(mode, steps)) == [])
    }

    @Test func fetchesWithoutATokenAreNoAttestations() throws {
        let result = try ScenarioText.run(
            """
            scenario: s
            account: {devices: [{id: h4gubfCFzJu81j/U2BJsdg==, pin-mode: blockAll}]}
            devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
            steps: [{at: 0s, fetch: bob, every: 1m, until: 4m}]
            expect: {metrics: {pass: 0, fail: 0}, device-state: {bob: none}, vacuous: allowed}

            """)
        #expect(result.passed)
        #expect(result.fetches == ScenarioResult.FetchCounts(attested: 0, cached: 0, failed: 5))
        #expect(result.figures.devices.unique == 0)
    }
}
