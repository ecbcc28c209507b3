import Testing

@testable import Scenarios
@testable import TestSupport

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
        let failures = try ScenarioText.failures(
            """
            scenario: s
            account: {apis: [{domain: MyDomain.com}, {domain: pins.com, type: pinOnly}]}
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob, domain: "\(row.text)", expect: {result: SUCCESS, attested: 1}}
              - {at: 1s, fetch: bob, domain: MYDOMAIN.COM, expect: {cached: 1}}
              - {at: 2s, fetch: bob, domain: "https://PINS.com/x", expect: {result: UNPROTECTED_URL}}
              - {at: 3s, fetch: bob, domain: "https://mydomain.com.evil.com/", expect: {result: UNKNOWN_URL}}

            """)
        #expect(failures == [])
    }

    @Test("R14.2 without a list of domains a text must be in the correct format all the same", arguments: refusals)
    func unlisted(_ row: Row) throws {
        // Text that YAML would have to escape is tested above.
        guard !row.text.isEmpty, row.text.unicodeScalars.allSatisfy({ 0x20...0x7E ~= $0.value && $0 != "\\" }) else {
            return
        }
        let failures = try ScenarioText.failures(
            """
            scenario: s
            devices: {bob: {}}
            steps:
              - {at: 0s, fetch: bob, domain: "\(row.text)", expect: {result: BAD_URL}}
              - {at: 1s, fetch: bob, expect: {result: SUCCESS, attested: 1}}
              - {at: 2s, fetch: bob, domain: "\(row.text)", expect: {result: BAD_URL}}
              - {at: 3s, fetch: bob, domain: whatever.com, expect: {result: SUCCESS, cached: 1}}

            """)
        #expect(failures == [])
    }
}
