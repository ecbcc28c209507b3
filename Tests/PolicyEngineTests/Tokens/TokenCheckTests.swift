import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("What the service says of tokens (manual, Checking Token Validity, Loggable Tokens)") struct TokenCheckTests {
    private static let claims = #"{"anno":["app-not-registered"],"did":"h4gubfCFzJu81j/U2BJsdg==","exp":1558626228}"#
    private static let time = Instant(secondsSinceEpoch: 1_558_626_000)

    // Made once, since a key on a curve is another one each time.
    private static let made = Result { try makeAccount() }

    private static func account() throws -> Account { try made.get() }

    private static func makeAccount() throws -> Account {
        var account = try Account.sample()
        account.keys.keyID = "own"
        for algorithm in [TokenAlgorithm.rs256, .ps256, .es256, .hs512, .a256gcmkw] {
            try account.keys.keySet.append(try SampleKey.key(algorithm, id: algorithm.rawValue))
        }
        try account.append(APIDomain(name: "shapes.approov.io", type: .restricted))
        return account
    }

    private static func tokens(isValid: Bool) throws -> [(algorithm: String, token: String)] {
        let account = try account()
        let restricted = Account.restrictedKey(for: APIDomain(name: "shapes.approov.io", type: .restricted))
        return try ([account.signingKey, account.encryptionKey, restricted] + account.keys.keySet.keys).map {
            ($0.algorithm.rawValue, try TokenSigner(key: $0).token(Array(claims.utf8), isValid: isValid))
        }
    }

    @Test("tokens of every key of the account", arguments: [true, false]) func everyKey(isValid: Bool) throws {
        let account = try Self.account()
        for (algorithm, token) in try Self.tokens(isValid: isValid) {
            let check = try TokenCheck(token, account: account, at: Self.time)
            #expect(check.passed == isValid)
            #expect(check.algorithm == algorithm)
            #expect(check.isExpired == false)
            // Also of encrypted tokens of failed attestations.
            #expect(check.claims?.text == Self.claims)
        }
    }

    @Test("a loggable token has as many bytes as a token, and no more", arguments: [16_384, 16_385])
    func loggableLength(count: Int) throws {
        let (start, end) = (#"{"exp":1558626228,"sip":"AAAAAA","x":""#, #""}"#)
        let text = start + String(repeating: "x", count: count - start.utf8.count - end.utf8.count) + end
        let account = try Self.account()
        guard count <= 16_384 else {
            #expect(throws: TokenError.tooLong(count)) { try TokenCheck(text, account: account, at: nil) }
            return
        }
        let check = try TokenCheck(text, account: account, at: nil)
        #expect(check.isLoggable && !check.passed && check.claims?.names == ["exp", "x"])
    }

    @Test("validity and age are two things") func age() throws {
        let account = try Self.account()
        let token = try TokenSigner(key: account.signingKey).token(Array(Self.claims.utf8))
        #expect(try TokenCheck(token, account: account, at: Self.time + 227).isExpired == false)
        #expect(try TokenCheck(token, account: account, at: Self.time + 228).isExpired == true)
        #expect(try TokenCheck(token, account: account, at: Self.time + 228).passed)
        #expect(try TokenCheck(token, account: account, at: nil).isExpired == nil)
    }

    @Test("another account's tokens") func otherAccount() throws {
        var other = Account(name: "other")
        let token = try TokenSigner(key: other.signingKey).token(Array(Self.claims.utf8))
        let check = try TokenCheck(token, account: try Self.account(), at: Self.time)
        #expect(!check.passed && check.claims?.text == Self.claims)
        let encrypted = try TokenSigner(key: other.encryptionKey).token(Array(Self.claims.utf8))
        let closed = try TokenCheck(encrypted, account: try Self.account(), at: Self.time)
        #expect(!closed.passed && closed.claims == nil && closed.isExpired == nil)
        other.keys.keyID = "HS512"
        let named = try TokenSigner(key: other.signingKey).token(Array(Self.claims.utf8))
        #expect(try !TokenCheck(named, account: try Self.account(), at: nil).passed)
    }

    @Test("the account's key is known under names that it had") func earlierName() throws {
        var account = try Self.account()
        let token = try TokenSigner(key: account.signingKey).token(Array(Self.claims.utf8))
        for name in ["new", nil] {
            account.keys.keyID = name
            #expect(try TokenCheck(token, account: account, at: nil).passed)
        }
    }

    @Test("a loggable token shows the claims and the start of the signature") func loggable() throws {
        let account = try Account.sample()
        let claims = #"{"did":"ExampleApproovTokenDID==","exp":1558980988,"ip":"1.2.3.4"}"#
        let token = try TokenSigner(key: account.signingKey).token(Array(claims.utf8))
        let expected = #"{"did":"ExampleApproovTokenDID==","exp":1558980988,"ip":"1.2.3.4","sip":"hDQeZf"}"#
        #expect(try LoggableToken.text(of: token) == expected)
        let encrypted = try TokenSigner(key: account.encryptionKey).token(Array(claims.utf8))
        #expect(try LoggableToken.text(of: encrypted) == #"{"error":"JWE"}"#)
    }

    @Test(
        "a loggable token shows whether its token is valid, but for signatures with chance in them",
        arguments: [true, false])
    func loggableValidity(isValid: Bool) throws {
        let account = try Self.account()
        for (algorithm, token) in try Self.tokens(isValid: isValid) where algorithm != "A256GCMKW" {
            let check = try TokenCheck(try LoggableToken.text(of: token), account: account, at: Self.time)
            let isRepeatable = !["PS256", "ES256"].contains(algorithm)
            #expect(check.passed == (isValid && isRepeatable), "\(algorithm)")
            #expect(check.isLoggable && check.isExpired == nil && check.algorithm == nil)
            #expect(check.claims?.text == Self.claims)
        }
    }

    @Test("spaces and the order of the claims do not count") func loggableForm() throws {
        let text = """
            {
              "sip": "hDQeZf", "ip": "1.2.3.4",
              "exp": 1558980988, "did": "ExampleApproovTokenDID=="
            }
            """
        #expect(try TokenCheck(text, account: try Account.sample(), at: nil).passed)
        let changed = text.replacing("1.2.3.4", with: "1.2.3.5")
        #expect(try !TokenCheck(changed, account: try Account.sample(), at: nil).passed)
        for prefix in ["hDQeZ", "hDQeZff", "", "hDQeZg"] {
            let other = text.replacing("hDQeZf", with: prefix)
            #expect(try !TokenCheck(other, account: try Account.sample(), at: nil).passed)
        }
    }

    @Test(
        "what is no loggable token",
        arguments: [
            #"{"error":"POOR_NETWORK"}"#, #"{"error":"JWE"}"#, "{}", #"{"sip":1}"#, "{", #"{"exp":"1","sip":"AAAAAA"}"#,
        ])
    func noLoggable(text: String) throws {
        #expect(throws: TokenError.self) { try TokenCheck(text, account: Account(), at: nil) }
    }
}
