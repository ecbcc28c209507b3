import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Claims (manual, Token Claims)") struct TokenClaimTests {
    private static let facts: TokenFacts = {
        var facts = TokenFacts(device: DeviceID(first: 0, second: 0))
        facts.responseCode = "KTF6LXEPX4"
        facts.annotations = ["app-not-registered", "rooted"]
        facts.address = "1.2.3.4"
        facts.dataHash = TokenClaims.hash(of: "custom-data")
        return facts
    }()

    private static let messageKey = "EXTnGxoMbCSwGv6pc8uWlLE5PmxKuNMXdT95uk-oLOTVmHFduTnymebdTeafGU7I"

    /// The settings of an account, and the claims of its tokens.
    struct Row: LabelledRow {
        let label: String
        let account: @Sendable (inout Account) -> Void
        var service = TokenService.primary
        let claims: String
    }

    private static let did = #""did":"AAAAAAAAAAAAAAAAAAAAAA==""#
    private static let anno = #""anno":["app-not-registered","rooted"]"#
    private static let pay = #""pay":"tih+xRFV8PMsDhKthuFdvqWtQpKdT+K8X5W3258EJnU=""#
    // Issue, five minutes and ten seconds.
    private static let exp = #""exp":1595502953"#

    static let rows = [
        Row(
            label: "a new account", account: { _ in },
            claims: #"{\#(anno),"arc":"KTF6LXEPX4",\#(did),\#(exp),"ip":"1.2.3.4",\#(pay)}"#),
        Row(
            label: "IP tracking full", account: { $0.ipTracking = .full },
            claims: #"{\#(anno),"arc":"KTF6LXEPX4",\#(did),\#(exp),"ip":"1.2.3.4",\#(pay)}"#),
        Row(
            label: "IP tracking none", account: { $0.ipTracking = .none },
            claims: #"{\#(anno),"arc":"KTF6LXEPX4",\#(did),\#(exp),\#(pay)}"#),
        Row(
            label: "everything",
            account: {
                ($0.includesAudience, $0.includesIssuer) = (true, true)
                $0.keys.messageSigningKey = MessageSigningKey(raw: messageKey)
            },
            claims: #"{\#(anno),"arc":"KTF6LXEPX4","aud":"my.com",\#(did),\#(exp),"ip":"1.2.3.4","#
                + #""iss":"test-account.approov.io","mskid":"EXTnGx",\#(pay)}"#),
        Row(
            label: "everything, from the failover",
            account: {
                ($0.includesAudience, $0.includesIssuer) = (true, true)
                $0.keys.messageSigningKey = MessageSigningKey(raw: messageKey)
            }, service: .failover,
            claims: #"{"aud":"my.com",\#(did),\#(exp),"iss":"test-account.approov.io"}"#),
        Row(
            label: "a new account, from the failover", account: { _ in }, service: .failover,
            claims: #"{\#(did),\#(exp)}"#),
    ]

    @Test("R14.3 in the manual's order and forms", arguments: rows) func claims(_ row: Row) throws {
        var account = try Account.sample()
        row.account(&account)
        let decision = try Self.decision(of: account, by: row.service)
        let minter = try TokenMinter(account: account, domain: "my.com")
        #expect(String(decoding: minter.claims(of: decision, Self.facts).json, as: UTF8.self) == row.claims)
    }

    private static func decision(of account: Account, by service: TokenService) throws -> Decision {
        var symbols = SymbolTable(catalogue: account.catalogue)
        var engine = Engine(account: account, source: .simulation, symbols: &symbols)
        var platforms = PlatformServices()
        let attestation = Attestation(time: Sample.time, device: symbols.devices.intern(Self.facts.device))
        return engine.attest(
            attestation, evidence: SimulatedDevice.android().evidence,
            by: service,
            platforms: &platforms, symbols: symbols)
    }

    @Test("R5.3 an empty list of annotations is written, none is not") func annotations() {
        var claims = TokenClaims(expiry: Instant(secondsSinceEpoch: 1))
        #expect(String(decoding: claims.json, as: UTF8.self) == #"{"exp":1}"#)
        claims.annotations = []
        #expect(String(decoding: claims.json, as: UTF8.self) == #"{"anno":[],"exp":1}"#)
    }

    @Test("a token is valid where the attestation passed") func validity() throws {
        let account = try Account.sample("default,default,default")
        var service = Service(account)
        var minter = try TokenMinter(account: account, domain: "my.com")
        let verifier = TokenVerifier(key: account.signingKey)
        let good = minter.token(for: try service.decide(Observation()), Self.facts)
        #expect(try verifier.claims(of: good, at: Sample.time).isBound(to: "custom-data") == true)
        let bad = minter.token(for: try service.decide(Observation(flags: ["rooted"])), Self.facts)
        #expect(throws: TokenError.wrongSignature) { try verifier.claims(of: bad, at: Sample.time) }
    }

    @Test("R11.2 a token serves up to its lifetime and the grace, and not that second") func expiry() throws {
        let account = try Account.sample()
        var service = Service(account)
        var minter = try TokenMinter(account: account, domain: "my.com")
        let token = minter.token(for: try service.decide(Observation()), Self.facts)
        let verifier = TokenVerifier(key: account.signingKey)
        #expect(throws: Never.self) { try verifier.claims(of: token, at: Sample.time + 309) }
        #expect(throws: TokenError.expired(Sample.time + 310)) { try verifier.claims(of: token, at: Sample.time + 310) }
    }

    @Test("manual, Token Binding: whether a token is bound to data") func binding() throws {
        var claims = TokenClaims(expiry: Instant(secondsSinceEpoch: 1))
        #expect(try ReceivedClaims(claims.json).isBound(to: "custom-data") == nil)
        claims.dataHash = TokenClaims.hash(of: "custom-data")
        #expect(claims.dataHash == "tih+xRFV8PMsDhKthuFdvqWtQpKdT+K8X5W3258EJnU=")
        let read = try ReceivedClaims(claims.json)
        #expect(read.isBound(to: "custom-data") == true)
        #expect(read.isBound(to: "custom-data ") == false)
    }

    /// The key that tokens for a domain are made with.
    struct DomainRow: LabelledRow {
        let label: String
        let domain: APIDomain
        let key: String?
        var error: TokenIssueError?
    }

    static let domains = [
        DomainRow(label: "account", domain: APIDomain(name: "a.com"), key: "HS256 key own"),
        DomainRow(
            label: "account, encrypted", domain: APIDomain(name: "a.com", algorithm: "A256GCMKW"),
            key: "A256GCMKW key"),
        DomainRow(
            label: "account, another algorithm", domain: APIDomain(name: "a.com", algorithm: "HS512"), key: nil,
            error: .wrongAlgorithm("HS512", domain: "a.com")),
        DomainRow(label: "restricted", domain: APIDomain(name: "a.com", type: .restricted), key: "HS256 key"),
        DomainRow(
            label: "key set", domain: APIDomain(name: "a.com", type: .keyset, keyID: "mykey"), key: "ES256 key mykey"),
        DomainRow(
            label: "key set, with its algorithm",
            domain: APIDomain(name: "a.com", type: .keyset, algorithm: "ES256", keyID: "mykey"), key: "ES256 key mykey"),
        DomainRow(
            label: "key set, with another algorithm",
            domain: APIDomain(name: "a.com", type: .keyset, algorithm: "RS256", keyID: "mykey"), key: nil,
            error: .wrongAlgorithm("RS256", domain: "a.com")),
        DomainRow(
            label: "key set, no such key", domain: APIDomain(name: "a.com", type: .keyset, keyID: "x"), key: nil,
            error: .missingKey("x", domain: "a.com")),
        DomainRow(
            label: "key set, no key named", domain: APIDomain(name: "a.com", type: .keyset), key: nil,
            error: .missingKey(nil, domain: "a.com")),
        DomainRow(
            label: "pins only", domain: APIDomain(name: "a.com", type: .pinOnly), key: nil, error: .unprotected("a.com")
        ),
    ]

    @Test("manual, JWS Token Signing: the key of a domain", arguments: domains) func keys(_ row: DomainRow) throws {
        var account = try Account.sample()
        account.keys.keyID = "own"
        try account.keys.keySet.append(try TokenKey.new(.es256, id: "mykey"))
        try account.append(row.domain)
        if let error = row.error {
            #expect(throws: error) { try TokenMinter(account: account, domain: "A.com") }
        } else {
            #expect(try TokenMinter(account: account, domain: "A.com").key.description == row.key)
        }
        #expect(throws: TokenIssueError.unknownDomain("b.com", known: ["a.com"])) {
            try TokenMinter(account: account, domain: "b.com")
        }
    }

    @Test("secrets that are missing follow from the account's name, each from its own text") func derivedSecrets()
        throws
    {
        let account = try Account.sample()
        #expect(
            Base64.text(of: account.accountSecret.bytes)
                == "hnag8sDnCXj6md2BE78ifV6U09TVyvN1pW+9NRwxOh/SEAmD2atIxypgbKcNeWUgNiNmI3L+WtBBN2oSMwc4FQ==")
        #expect(Base64.text(of: account.encryptionSecret.bytes) == "BUJQiG/+HehzZT9JJ1zDJPv7OFLhDBP+0xaaJLoGN3E=")
    }

    // Worked out with Python's hmac.
    @Test("the token of an account, and that of a failed attestation") func printedToken() throws {
        let signer = try TokenSigner(key: try Account.sample().signingKey)
        let claims = Array(#"{"did":"ExampleApproovTokenDID==","exp":1558980988,"ip":"1.2.3.4"}"#.utf8)
        let start =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkaWQiOiJFeGFtcGxlQXBwcm9vdlRva2VuRElEPT0iLCJleHAiOjE1NTg5ODA5"
            + "ODgsImlwIjoiMS4yLjMuNCJ9"
        #expect(signer.token(claims) == start + ".hDQeZf4N429Dx6wYrPcdT5MOvlJveQCelBX90vIMwFQ")
        #expect(signer.token(claims, isValid: false) == start + ".YI_9I5liMCCtG2kJOBp3FI2n_pI7CA3XkqpmYi3BgTQ")
    }
}
