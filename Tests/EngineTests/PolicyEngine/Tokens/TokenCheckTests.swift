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
            expect(check.passed, equals: isValid)
            expect(check.algorithm, equals: algorithm)
            expect(check.isExpired, equals: false)
            // Also of encrypted tokens of failed attestations.
            expect(check.claims?.text, equals: Self.claims)
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
        try expect(TokenCheck(token, account: account, at: Self.time + 227).isExpired, equals: false)
        try expect(TokenCheck(token, account: account, at: Self.time + 228).isExpired, equals: true)
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
        try expect(LoggableToken.text(of: token), equals: expected)
        let encrypted = try TokenSigner(key: account.encryptionKey).token(Array(claims.utf8))
        try expect(LoggableToken.text(of: encrypted), equals: #"{"error":"JWE"}"#)
    }

    @Test(
        "a loggable token shows whether its token is valid, but for signatures with chance in them",
        arguments: [true, false])
    func loggableValidity(isValid: Bool) throws {
        let account = try Self.account()
        for (algorithm, token) in try Self.tokens(isValid: isValid) where algorithm != "A256GCMKW" {
            let check = try TokenCheck(try LoggableToken.text(of: token), account: account, at: Self.time)
            let isRepeatable = !["PS256", "ES256"].contains(algorithm)
            expect(check.passed, equals: (isValid && isRepeatable), "\(algorithm)")
            #expect(check.isLoggable && check.isExpired == nil && check.algorithm == nil)
            expect(check.claims?.text, equals: Self.claims)
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

@Suite("Tokens as whoever issued them knows them") struct IssuedTokenTests {
    private static let json = #"{"anno":["a","b"],"exp":2000000000,"did":"ExampleApproovTokenDID==","own":[1]}"#

    @Test("claims by name, and all names in their order", arguments: [TokenAlgorithm.hs256, .a256gcmkw])
    func names(algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm)
        for isValid in [true, false] {
            let token = try TokenSigner(key: key).token(Array(Self.json.utf8), isValid: isValid)
            let claims = try ReceivedClaims.issued(token, with: key)
            expect(claims.names, equals: ["anno", "exp", "did", "own"])
            expect(claims.value(of: "exp")?.integer, equals: 2_000_000_000)
            expect(claims.value(of: "own"), equals: .array([.number("1")]))
            #expect(claims.value(of: "did")?.integer == nil)
            #expect(claims.value(of: "arc") == nil && claims.responseCode == nil)
            expect(claims.annotations, equals: ["a", "b"])
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
        try expect(ReceivedClaims(Array(text.utf8)).responseCode, equals: "KTF6LXEPX4")
    }

    @Test("R21.3 the app's claims are beside those of the service, which go first") func ownClaims() throws {
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
        expect(
            claims.text,
            equals:
                #"{"a":[null],\#(did),"exp":1595502953,"ip":"1.2.3.4","iss":"test-account.approov.io","user":"bob"}"#)
        let failed = minter.token(for: try service.decide(Observation(flags: ["rooted"])), facts, adding: payload)
        #expect(throws: TokenError.wrongSignature) { try verifier.claims(of: failed, at: Sample.time) }
    }

    @Test("R21.3 the account's own key makes tokens that are for no domain") func ownKey() throws {
        var account = try Account.sample()
        account.includesAudience = true
        account.ipTracking = .none
        account.keys.messageSigningKey = MessageSigningKey(drawing: Array(repeating: 0, count: 64))
        var minter = TokenMinter(account: account)
        expect(minter.key, equals: account.signingKey)
        var facts = TokenFacts(device: DeviceID(first: 0, second: 0))
        facts.address = "1.2.3.4"
        let claims = minter.claims(expiring: Instant(secondsSinceEpoch: 7), by: .primary, facts)
        let text = #"{"did":"AAAAAAAAAAAAAAAAAAAAAA==","exp":7,"mskid":"AAAAAA"}"#
        expect(String(decoding: claims.json, as: UTF8.self), equals: text)
        let read = try ReceivedClaims.issued(minter.token(claims, isValid: true), with: account.signingKey)
        expect(read.text, equals: text)
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

@Suite("Tokens of every algorithm") struct TokenRoundTripTests {
    private static let claims = Array(#"{"did":"ExampleApproovTokenDID==","exp":2000000000,"ip":"1.2.3.4"}"#.utf8)
    private static let time = Instant(secondsSinceEpoch: 1_999_999_999)

    @Test("what is signed is verified, by the public half too", arguments: TokenAlgorithm.allCases)
    func comesBack(_ algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm, id: "mykey")
        let token = try TokenSigner(key: key).token(Self.claims)
        for key in [key, key.publicKey].compactMap({ $0 }) {
            let read = try TokenVerifier(key: key).claims(of: token, at: Self.time)
            #expect(read.text.utf8.elementsEqual(Self.claims))
            expect(read.device?.description, equals: "ExampleApproovTokenDID==")
        }
    }

    @Test("a failed attestation's token looks like any other", arguments: TokenAlgorithm.allCases)
    func rejectedLooksTheSame(_ algorithm: TokenAlgorithm) throws {
        let signer = try TokenSigner(key: try SampleKey.key(algorithm, id: "mykey"))
        let (valid, rejected) = (signer.token(Self.claims), signer.token(Self.claims, isValid: false))
        expect(valid.utf8.count, equals: rejected.utf8.count)
        let (first, second) = (valid.split(separator: "."), rejected.split(separator: "."))
        expect(first.map(\.count), equals: second.map(\.count))
        if !algorithm.isEncryption {
            #expect(first[0] == second[0] && first[1] == second[1])
            #expect(first[2] != second[2])
        }
        // Equal claims show as equal or not as they do with valid tokens.
        #expect((signer.token(Self.claims, isValid: false) == rejected) == (signer.token(Self.claims) == valid))
    }

    @Test("a failed attestation's token is refused", arguments: TokenAlgorithm.allCases)
    func rejectedIsRefused(_ algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm)
        let token = try TokenSigner(key: key).token(Self.claims, isValid: false)
        #expect(throws: algorithm.isEncryption ? TokenError.cannotBeDecrypted : TokenError.wrongSignature) {
            try TokenVerifier(key: key).payload(of: token)
        }
    }

    @Test("another key of the same algorithm refuses it", arguments: TokenAlgorithm.allCases)
    func otherKeyRefuses(_ algorithm: TokenAlgorithm) throws {
        let token = try TokenSigner(key: try SampleKey.key(algorithm)).token(Self.claims)
        #expect(throws: algorithm.isEncryption ? TokenError.cannotBeDecrypted : TokenError.wrongSignature) {
            try TokenVerifier(key: try SampleKey.other(algorithm)).payload(of: token)
        }
    }

    @Test("keys of every other algorithm refuse it", arguments: TokenAlgorithm.allCases)
    func otherAlgorithmsRefuse(_ algorithm: TokenAlgorithm) throws {
        let token = try TokenSigner(key: try SampleKey.key(algorithm)).token(Self.claims)
        for other in TokenAlgorithm.allCases where other != algorithm {
            #expect(throws: TokenError.wrongAlgorithm(algorithm.rawValue, expected: [other])) {
                try TokenVerifier(key: try SampleKey.key(other)).payload(of: token)
            }
        }
    }

    @Test("two contents never share a key or a vector") func encryptionDrawsAnew() throws {
        let signer = try TokenSigner(key: try SampleKey.key(.a256gcmkw))
        let tokens = ["{\"exp\":1}", "{\"exp\":2}"].map { signer.token(Array($0.utf8)).split(separator: ".") }
        for index in 0..<5 { #expect(tokens[0][index] != tokens[1][index]) }
        expect(signer.token(Array("{\"exp\":1}".utf8)).split(separator: "."), equals: tokens[0])
    }

    @Test("any flipped bit of an encrypted token is noticed") func encryptionNoticesChanges() throws {
        let key = try SampleKey.key(.a256gcmkw)
        let token = try TokenSigner(key: key).token(Self.claims)
        let verifier = TokenVerifier(key: key)
        for index in token.utf8.indices {
            var bytes = Array(token.utf8)
            bytes[token.utf8.distance(from: token.startIndex, to: index)] ^= 1
            #expect(throws: TokenError.self) { try verifier.payload(of: String(decoding: bytes, as: UTF8.self)) }
        }
    }

    @Test("a key without a private half cannot sign") func publicKeysCannotSign() throws {
        let key = try #require(try SampleKey.key(.es256).publicKey)
        #expect(throws: TokenKeyError.publicOnly) { try TokenSigner(key: key) }
    }

    @Test("the key ID is in the header") func headerNamesTheKey() throws {
        let named = try TokenSigner(key: try SampleKey.key(.hs256, id: "mykey")).token([])
        let nameless = try TokenSigner(key: try SampleKey.key(.hs256)).token([])
        #expect(named.hasPrefix(Forgery.encoded(#"{"alg":"HS256","kid":"mykey","typ":"JWT"}"#) + "."))
        // Manual, Generating Example Token with Binding.
        #expect(nameless.hasPrefix("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."))
    }

    @Test("of several keys the one that is named is taken") func keysAreChosenByName() throws {
        let keys = try ["a", "b"].map { try TokenKey.new(.hs256, id: $0) }
        let verifier = TokenVerifier(keys: keys)
        for key in keys {
            #expect(throws: Never.self) { try verifier.payload(of: try TokenSigner(key: key).token(Self.claims)) }
        }
        let unknown = try TokenSigner(key: try TokenKey.new(.hs256, id: "c")).token(Self.claims)
        #expect(throws: TokenError.unknownKey) { try verifier.payload(of: unknown) }
        let named = try TokenSigner(key: try TokenKey.new(.hs256, id: "a")).token(Self.claims)
        #expect(throws: TokenError.wrongSignature) { try verifier.payload(of: named) }
    }
}
