import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Tokens as whoever issued them knows them") struct IssuedTokenTests {
    private static let json = #"{"anno":["a","b"],"exp":2000000000,"did":"ExampleApproovTokenDID==","own":[1]}"#

    @Test("claims by name, and all names in their order", arguments: [TokenAlgorithm.hs256, .a256gcmkw])
    func names(algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm)
        for isValid in [true, false] {
            let token = try TokenSigner(key: key).token(Array(Self.json.utf8), isValid: isValid)
            let claims = try ReceivedClaims.issued(token, with: key)
            #expect(claims.names == ["anno", "exp", "did", "own"])
            #expect(claims.value(of: "exp")?.integer == 2_000_000_000)
            #expect(claims.value(of: "own") == .array([.number("1")]))
            #expect(claims.value(of: "did")?.integer == nil)
            #expect(claims.value(of: "arc") == nil && claims.responseCode == nil)
            #expect(claims.annotations == ["a", "b"])
        }
    }

    @Test("a token that was encrypted with another key cannot be opened") func otherKey() throws {
        let token = try TokenSigner(key: SampleKey.other(.a256gcmkw)).token(Array(Self.json.utf8))
        #expect(throws: TokenError.cannotBeDecrypted) {
            try ReceivedClaims.issued(token, with: SampleKey.key(.a256gcmkw))
        }
    }

    @Test("the response code is a claim of its own") func responseCode() throws {
        let text = #"{"exp":1,"arc":"KTF6LXEPX4"}"#
        #expect(try ReceivedClaims(Array(text.utf8)).responseCode == "KTF6LXEPX4")
    }

    @Test("R21.3 the app's claims stand beside those of the service, which go first") func ownClaims() throws {
        var account = try Account.sample()
        account.includesIssuer = true
        var service = Service(account)
        let minter = TokenMinter(account: account)
        var facts = TokenFacts(device: DeviceID(first: 0, second: 0))
        facts.address = "1.2.3.4"
        let payload = [
            JSONMember("user", .string("bob")), JSONMember("iss", .string("forged")), JSONMember("a", .array([.null])),
        ]
        let passed = minter.token(for: try service.decide(Observation()), facts, adding: payload)
        let verifier = TokenVerifier(key: account.signingKey)
        let claims = try verifier.claims(of: passed, at: Sample.time)
        let did = #""did":"AAAAAAAAAAAAAAAAAAAAAA==""#
        #expect(
            claims.text
                == #"{"a":[null],\#(did),"exp":1595502953,"ip":"1.2.3.4","iss":"test-account.approov.io","user":"bob"}"#
        )
        let failed = minter.token(for: try service.decide(Observation(flags: ["rooted"])), facts, adding: payload)
        #expect(throws: TokenError.wrongSignature) { try verifier.claims(of: failed, at: Sample.time) }
    }

    @Test("R21.3 the account's own key makes tokens that are for no domain") func ownKey() throws {
        var account = try Account.sample()
        account.includesAudience = true
        account.ipTracking = .none
        account.keys.messageSigningKey = MessageSigningKey(drawing: Array(repeating: 0, count: 64))
        var minter = TokenMinter(account: account)
        #expect(minter.key == account.signingKey)
        var facts = TokenFacts(device: DeviceID(first: 0, second: 0))
        facts.address = "1.2.3.4"
        let claims = minter.claims(expiring: Instant(secondsSinceEpoch: 7), by: .primary, facts)
        let text = #"{"did":"AAAAAAAAAAAAAAAAAAAAAA==","exp":7,"mskid":"AAAAAA"}"#
        #expect(String(decoding: claims.json, as: UTF8.self) == text)
        let read = try ReceivedClaims.issued(minter.token(claims, isValid: true), with: account.signingKey)
        #expect(read.text == text)
    }

    @Test("an account takes the keys of another, and leaves its own") func keysOfAccounts() throws {
        let account = try Account.sample()
        var other = try Account.sample("default,strict,default")
        other.keys.accountSecret = Secret(Array(0..<64))
        other.responseCodeSecret = Array(0..<32)
        #expect(account.hasKeys(of: account) && !account.hasKeys(of: other) && !other.hasKeys(of: account))
        let taken = account.withKeys(of: other)
        #expect(taken.hasKeys(of: other) && taken.policy == account.policy)
        #expect(taken.withoutKeys == account && other.withoutKeys.policy == other.policy)
        // Either of both kinds of keys counts.
        var codes = account
        codes.responseCodeSecret = other.responseCodeSecret
        #expect(!codes.hasKeys(of: account) && codes.withoutKeys == account)
    }
}
