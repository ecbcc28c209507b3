import Testing

@testable import Figures
@testable import Scenarios
@testable import TestSupport

/// The results of fetches in every network, and which result goes first (R14.1, R14.2; manual, Token Fetch Errors).
@Suite struct NetworkResultTests {
    /// States of a network, and the result of a fetch that needs it.
    static let networks: [Case<String, String>] = [
        Case("ok", gives: "SUCCESS"), Case("none", gives: "NO_NETWORK"),
        Case("poor", gives: "POOR_NETWORK"), Case("mitm", gives: "MITM_DETECTED"),
    ]

    @Test("R14.2 a fetch without a token in the cache ends as the network has it", arguments: networks)
    func uncached(_ row: Case<String, String>) throws {
        let attested = row.input == "ok" ? 1 : 0
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, network: {group: bob, state: \(row.input)}}
              - {at: 1s, fetch: bob, expect: {result: \(row.expected), attested: \(attested), cached: 0, vacuous: allowed}}
              - {at: 2s, network: {group: bob, state: ok}}
              - {at: 3s, fetch: bob, expect: {result: SUCCESS, attested: \(1 - attested), cached: \(attested)}}
            expect: {metrics: {pass: 1, fail: 0}}
            """)
    }

    @Test("R14.1 a cached token is returned without network, up to its last second", arguments: networks)
    func cached(_ row: Case<String, String>) throws {
        let attested = row.input == "ok" ? 1 : 0
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob}
              - {at: 1s, network: {group: bob, state: \(row.input)}}
              - {at: 1s, fetch: bob, expect: {result: SUCCESS, cached: 1, verdict: pass}}
              - {at: 299s, fetch: bob, expect: {result: SUCCESS, cached: 1, lifetime: 300s}}
              - {at: 300s, fetch: bob, expect: {result: \(row.expected), attested: \(attested), cached: 0, vacuous: allowed}}
            """)
    }

    @Test("R14.1 what ends a cached token leaves nothing to return without network", arguments: networks)
    func nothingLeft(_ row: Case<String, String>) throws {
        let flags = "set: {group: bob, flags: [debug]}"
        for event in ["launch: bob", "reinstall: bob", "bind: {group: bob, data: x}", flags] {
            let attested = row.input == "ok" ? 1 : 0
            let failures = try ScenarioText.failures(
                """
                devices: {bob: {}}
                steps:
                  - {at: 0s, fetch: bob}
                  - {at: 1s, network: {group: bob, state: \(row.input)}}
                  - {at: 2s, \(event)}
                  - {at: 3s, fetch: bob, expect: {result: \(row.expected), attested: \(attested), cached: 0, vacuous: allowed}}
                """)
            #expect(failures == [], "\(event)")
        }
    }

    @Test("R14.2 groups, lists of groups and all move to a network", arguments: ["bob", "[bob, amy]", "all"])
    func whoMoves(groups: String) throws {
        let moved = ["bob": ["bob"], "[bob, amy]": ["bob", "amy"], "all": ["bob", "amy", "eve"]][groups] ?? []
        let expected = ["bob", "amy", "eve"].map { name in
            "{group: \(name), result: \(moved.contains(name) ? "NO_NETWORK" : "SUCCESS")}"
        }
        try ScenarioText.expectToHold(
            """
            devices: {bob: {count: 2}, amy: {}, eve: {}}
            steps:
              - {at: 0s, network: {group: \(groups), state: none}}
              - {at: 1s, fetch: all, expect: [\(expected.joined(separator: ", "))]}
            """)
    }
}

/// The domain of what an app names (manual, Token Fetch Errors: `BAD_URL`; Managing API Domains).
@Suite struct RequestedDomainTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        /// `nil` for what is not in the correct format.
        let domain: String?
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ domain: String?) { (self.text, self.domain) = (text, domain) }
    }

    // "Domains are restricted to lower and upper case letters, digits, a dash and a period."
    static let domains = [
        Row("mydomain.com", "mydomain.com"), Row("sub.mydomain.com", "sub.mydomain.com"),
        Row("star.my-domain.com", "star.my-domain.com"), Row("MyDomain.COM", "MyDomain.COM"),
        Row("1.2.3.4", "1.2.3.4"), Row("localhost", "localhost"), Row("a", "a"),
    ]

    // "A full URL path may be specified from which the domain is extracted."
    static let addresses = [
        Row("https://mydomain.com", "mydomain.com"), Row("https://mydomain.com/", "mydomain.com"),
        Row("https://mydomain.com/v1/shapes", "mydomain.com"), Row("https://mydomain.com:443", "mydomain.com"),
        Row("https://mydomain.com:8443/v1", "mydomain.com"), Row("https://mydomain.com?a=b", "mydomain.com"),
        Row("https://mydomain.com/v1?to=http://other.com", "mydomain.com"),
        Row("https://mydomain.com/v1?a=b&c=d#e/f?g:h", "mydomain.com"), Row("https://mydomain.com#top", "mydomain.com"),
        Row("https://mydomain.com/a:b", "mydomain.com"), Row("https://mydomain.com:1/", "mydomain.com"),
        Row("https://mydomain.com:65535/", "mydomain.com"), Row("HTTPS://MYDOMAIN.COM/V1", "MYDOMAIN.COM"),
        Row("Https://mydomain.com", "mydomain.com"), Row("https://mydomain.com/ä ö", "mydomain.com"),
    ]

    // "This error can occur if such a URL is provided with a http:// rather than the https:// scheme."
    static let refusals = [
        Row("http://mydomain.com", nil), Row("http://mydomain.com:443/v1", nil), Row("HTTP://mydomain.com", nil),
        Row("ftp://mydomain.com", nil), Row("wss://mydomain.com", nil), Row("://mydomain.com", nil),
        Row("xhttps://mydomain.com", nil), Row("", nil), Row("https://", nil), Row("https:///v1", nil),
        Row("https://:443", nil), Row("https://?a", nil), Row("my_domain.com", nil), Row("my domain.com", nil),
        Row(" mydomain.com", nil), Row("mydomain.com ", nil), Row("mydomain.com\n", nil), Row("mÿdomain.com", nil),
        Row("mydomain.com\u{301}", nil), Row("*.mydomain.com", nil), Row("https://*.mydomain.com/", nil),
        Row("https://mydomain.com:65536/", nil), Row("https://mydomain.com:-1/", nil),
        Row("https://mydomain.com:8a/", nil), Row("https://mydomain.com:1:2/", nil), Row("https:mydomain.com", nil),
        Row("https://https://mydomain.com", nil), Row("mydomain,com", nil), Row("mydomain.com\\v1", nil),
    ]

    @Test("R14.2 finds the domain", arguments: domains + addresses) func finds(_ row: Row) {
        #expect(RequestedDomain.domain(of: row.text) == row.domain)
    }

    @Test("R14.2 refuses what is not in the correct format", arguments: refusals) func refuses(_ row: Row) {
        #expect(RequestedDomain.domain(of: row.text) == nil)
    }

    @Test("R14.2 a client asks for what a text names", arguments: addresses + domains.prefix(1))
    func asks(_ row: Row) throws {
        try ScenarioText.expectToHold(
            """
            account: {apis: [{domain: MyDomain.com}, {domain: pins.com, type: pinOnly}]}
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob, domain: "\(row.text)", expect: {result: SUCCESS, attested: 1}}
              - {at: 1s, fetch: bob, domain: MYDOMAIN.COM, expect: {cached: 1}}
              - {at: 2s, fetch: bob, domain: "https://PINS.com/x", expect: {result: UNPROTECTED_URL}}
              - {at: 3s, fetch: bob, domain: "https://mydomain.com.evil.com/", expect: {result: UNKNOWN_URL}}
            """)
    }

    @Test("R14.2 without a list of domains a text must be in the correct format all the same", arguments: refusals)
    func unlisted(_ row: Row) throws {
        // Text that YAML would have to escape is tested above.
        guard !row.text.isEmpty, row.text.unicodeScalars.allSatisfy({ 0x20...0x7E ~= $0.value && $0 != "\\" }) else {
            return
        }
        try ScenarioText.expectToHold(
            """
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob, domain: "\(row.text)", expect: {result: BAD_URL}}
              - {at: 1s, fetch: bob, expect: {result: SUCCESS, attested: 1}}
              - {at: 2s, fetch: bob, domain: "\(row.text)", expect: {result: BAD_URL}}
              - {at: 3s, fetch: bob, domain: whatever.com, expect: {result: SUCCESS, cached: 1}}
            """)
    }
}

/// Which result a fetch has where several prevent a token (R14.2).
@Suite struct ResultOrderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let domain, network, pinMode: String
        let isOut: Bool
        var testDescription: String { "\(domain), \(network), \(pinMode), \(isOut ? "outage" : "no outage")" }

        /// The first of what prevents it: the request itself, then the network, the connection, the service.
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
