import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// Which result a fetch has where several stand in the way of a token (R14.2).
@Suite struct ResultOrderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let domain, network, pinMode: String
        let isOut: Bool
        var testDescription: String { "\(domain), \(network), \(pinMode), \(isOut ? "outage" : "no outage")" }

        /// The first of what stands in the way: the request itself, then the network, the connection, the service.
        var result: String {
            switch domain {
            case "http://a.com": return "BAD_URL"
            case "x.com": return "UNKNOWN_URL"
            case "p.com": return "UNPROTECTED_URL"
            default: break
            }
            switch network {
            case "none": return "NO_NETWORK"
            case "poor": return "POOR_NETWORK"
            case "mitm": return "MITM_DETECTED"
            default: break
            }
            if pinMode == "blockAll" { return "MITM_DETECTED" }
            return isOut ? "NO_APPROOV_SERVICE" : "SUCCESS"
        }

        /// The same with a token in the cache, which needs no network, no connection and no service.
        var cachedResult: String { domain == "https://A.com/v1" ? "SUCCESS" : result }

        /// A first fetch, and then one with everything in the way.
        func failures(launching: Bool) throws -> [String] {
            let id = "h4gubfCFzJu81j/U2BJsdg=="
            let fetches = launching ? (result, "cached: 0") : (cachedResult, "attested: 0")
            let expectation = "{result: \(fetches.0), \(fetches.1), vacuous: allowed}"
            return try ScenarioText.failures(
                """
                scenario: s
                account: {propagation: 0s, apis: [{domain: a.com}, {domain: p.com, type: pinOnly}]}
                devices: {bob: {id: \(id)}}
                steps:
                  - {at: 0s, fetch: bob, domain: a.com, expect: {result: SUCCESS}}
                  - {at: 1s, approov: device -add \(id) -pinMode \(pinMode)}
                  - {at: 2s, network: {group: bob, state: \(network)}}
                \(isOut ? "  - {at: 61s, outage: primary}" : "")
                \(launching ? "  - {at: 62s, launch: bob}" : "")
                  - {at: 63s, fetch: bob, domain: "\(domain)", expect: \(expectation)}

                """)
        }
    }

    static let rows = ["http://a.com", "x.com", "p.com", "https://A.com/v1"].flatMap { domain in
        ["ok", "none", "poor", "mitm"].flatMap { network in
            ["pin", "blockAll"].flatMap { mode in
                [false, true].map { Row(domain: domain, network: network, pinMode: mode, isOut: $0) }
            }
        }
    }

    @Test("R14.2 every combination without a token in the cache", arguments: rows)
    func uncached(_ row: Row) throws {
        #expect(try row.failures(launching: true) == [])
    }

    @Test("R14.1, R14.2 every combination with a token in the cache", arguments: rows)
    func cached(_ row: Row) throws {
        #expect(try row.failures(launching: false) == [])
    }

    @Test func everyCombinationIsThere() {
        #expect(Self.rows.count == 64)
        #expect(Set(Self.rows.map(\.result)).count == FetchResult.allCases.count)
    }
}
