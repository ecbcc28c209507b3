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

    private static let readings: [String: TextCase.Reading] = [
        "R14.3 in the manual's order and forms": { line in
            var account = try Account.sample()
            if line.hasPrefix("everything") {
                (account.includesAudience, account.includesIssuer) = (true, true)
                account.keys.messageSigningKey = MessageSigningKey(raw: messageKey)
            }
            if line.hasPrefix("ip-tracking ") {
                account.ipTracking = try #require(IPTracking(rawValue: String(line.dropFirst(12))))
            }
            let decision = try decision(of: account, by: line.hasSuffix("from the failover") ? .failover : .primary)
            let minter = try TokenMinter(account: account, domain: "my.com")
            return String(decoding: minter.claims(of: decision, facts).json, as: UTF8.self)
        },
        "the key of a domain (manual, JWS Token Signing)": { line in
            let words = line.split(separator: " ").map { $0 == "-" ? nil : String($0) }
            var account = try Account.sample()
            account.keys.keyID = "own"
            try account.keys.keySet.append(try TokenKey.new(.es256, id: "mykey"))
            let type = try #require(words[0].flatMap { APIDomain.Kind(rawValue: $0) })
            try account.append(APIDomain(name: "a.com", type: type, algorithm: words[1], keyID: words[2]))
            #expect(throws: TokenIssueError.unknownDomain("b.com", known: ["a.com"])) {
                try TokenMinter(account: account, domain: "b.com")
            }
            do {
                return try TokenMinter(account: account, domain: "A.com").key.description
            } catch {
                return "\(error)"
            }
        },
    ]

    @Test(arguments: CaseFile.all(in: "Tables/tokens", ending: "claims.txt")) func areWritten(_ file: CaseFile) throws {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
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
        expect(String(decoding: claims.json, as: UTF8.self), equals: #"{"exp":1}"#)
        claims.annotations = []
        expect(String(decoding: claims.json, as: UTF8.self), equals: #"{"anno":[],"exp":1}"#)
    }

    @Test("a token is valid where the attestation passed") func validity() throws {
        let account = try Account.sample("default,default,default")
        var service = Service(account)
        var minter = try TokenMinter(account: account, domain: "my.com")
        let verifier = TokenVerifier(key: account.signingKey)
        let good = minter.token(for: try service.decide(Observation()), Self.facts)
        try expect(verifier.claims(of: good, at: Sample.time).isBound(to: "custom-data"), equals: true)
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
        expect(claims.dataHash, equals: "tih+xRFV8PMsDhKthuFdvqWtQpKdT+K8X5W3258EJnU=")
        let read = try ReceivedClaims(claims.json)
        expect(read.isBound(to: "custom-data"), equals: true)
        expect(read.isBound(to: "custom-data "), equals: false)
    }

    @Test("secrets that are missing follow from the account's name, each from its own text") func derivedSecrets()
        throws
    {
        let account = try Account.sample()
        expect(
            Base64.text(of: account.accountSecret.bytes),
            equals: "hnag8sDnCXj6md2BE78ifV6U09TVyvN1pW+9NRwxOh/SEAmD2atIxypgbKcNeWUgNiNmI3L+WtBBN2oSMwc4FQ==")
        expect(Base64.text(of: account.encryptionSecret.bytes), equals: "BUJQiG/+HehzZT9JJ1zDJPv7OFLhDBP+0xaaJLoGN3E=")
    }

    // Worked out with Python's hmac.
    @Test("the token of an account, and that of a failed attestation") func printedToken() throws {
        let signer = try TokenSigner(key: try Account.sample().signingKey)
        let claims = Array(#"{"did":"ExampleApproovTokenDID==","exp":1558980988,"ip":"1.2.3.4"}"#.utf8)
        let start =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJkaWQiOiJFeGFtcGxlQXBwcm9vdlRva2VuRElEPT0iLCJleHAiOjE1NTg5ODA5"
            + "ODgsImlwIjoiMS4yLjMuNCJ9"
        expect(signer.token(claims), equals: start + ".hDQeZf4N429Dx6wYrPcdT5MOvlJveQCelBX90vIMwFQ")
        expect(signer.token(claims, isValid: false), equals: start + ".YI_9I5liMCCtG2kJOBp3FI2n_pI7CA3XkqpmYi3BgTQ")
    }
}

/// Measurements, and keys of those that failed (R21.4, R22).
@Suite struct MeasurementProofTests {
    private static func measurement(_ app: [String], _ hardware: [String], salt: String = "s") -> Measurement {
        Measurement(app: app, hardware: hardware, salt: salt, account: "a", sdk: "2.5.0")
    }

    @Test("R22.2 a proof is HMAC-SHA-256 of nonce and measurement under the key of proofs") func proof() {
        let measured = Self.measurement(["1.0"], ["phone"])
        let nonce = [UInt8](0..<16)
        #expect(measured.integrity.count == 32 && measured.device.count == 32 && measured.proofKey.count == 16)
        for (kind, value) in [(Measurement.Kind.integrity, measured.integrity), (.device, measured.device)] {
            let proof = measured.proof(kind, nonce: nonce)
            expect(proof.count, equals: 32)
            expect(proof, equals: MessageAuthenticator(key: measured.proofKey, hash: .sha256).code(of: nonce + value))
        }
    }

    @Test("R22.2 what is measured, and salted anew by each attestation") func measures() {
        let one = Self.measurement(["1.0", "x"], ["phone"])
        expect(one, equals: Self.measurement(["1.0", "x"], ["phone"]))
        let other = Self.measurement(["1.0x"], ["phone"])
        #expect(one.integrity != other.integrity)
        expect(one.device, equals: other.device)
        #expect(one.device != Self.measurement(["1.0", "x"], ["other"]).device)
        let salted = Self.measurement(["1.0", "x"], ["phone"], salt: "t")
        #expect(one.integrity != salted.integrity && one.device != salted.device)
        expect(one.proofKey, equals: salted.proofKey)
    }

    @Test("R21.4 after a fail messages are signed with another key, stable by install") func rejectedKeys() throws {
        let key = MessageSigningKey.new()
        let devices = try ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234=="].map { try #require(DeviceID($0)) }
        let (bob, amy) = (key.rejected(on: devices[0]), key.rejected(on: devices[1]))
        expect(bob, equals: key.rejected(on: devices[0]))
        expect(Set([key, bob, amy]).count, equals: 3)
        expect([bob.id, amy.id], equals: [key.id, key.id])
        #expect(!key.verifies(bob.signature(of: "m"), of: "m"))
        #expect(key.verifies(key.signature(of: "m"), of: "m"))
    }
}

@Suite("Message signing (manual, Message Signing)") struct MessageSigningTests {
    private static let raw = "EXTnGxoMbCSwGv6pc8uWlLE5PmxKuNMXdT95uk-oLOTVmHFduTnymebdTeafGU7I"

    @Test("the manual's key and its forms") func manualKey() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        expect(key.id, equals: "EXTnGx")
        expect(
            Base64.text(of: key.secret.bytes),
            equals: "RVhUbkd4b01iQ1N3R3Y2cGM4dVdsTEU1UG14S3VOTVhkVDk1dWstb0xPVFZtSEZkdVRueW1lYmRUZWFmR1U3SQ==")
    }

    // The second worked out with Python's hmac.
    @Test("a signature is base64 of HMAC-SHA-256") func signature() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        expect(key.signature(of: "GET /shapes"), equals: "PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=")
        #expect(key.verifies("PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=", of: "GET /shapes"))
        #expect(!key.verifies("PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=", of: "GET /shapes "))
        #expect(!key.verifies("", of: "GET /shapes"))
    }

    @Test("a failed attestation gets another secret of the same ID") func rejectedKey() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        expect(key.rejected.id, equals: key.id)
        #expect(key.rejected.secret != key.secret)
        expect(MessageSigningKey(raw: String(decoding: key.rejected.secret.bytes, as: UTF8.self)), equals: key.rejected)
        #expect(!key.verifies(key.rejected.signature(of: "m"), of: "m"))
    }

    @Test("new keys are printable and differ") func newKeys() {
        let (first, second) = (MessageSigningKey.new(), MessageSigningKey.new())
        #expect(first != second)
        expect(first.secret.bytes.count, equals: 64)
        expect(MessageSigningKey(raw: String(decoding: first.secret.bytes, as: UTF8.self)), equals: first)
    }

    @Test("other texts are no keys", arguments: ["", String(raw.dropLast()), raw + "A", String(raw.dropLast()) + "+"])
    func otherTexts(text: String) { #expect(MessageSigningKey(raw: text) == nil) }
}
