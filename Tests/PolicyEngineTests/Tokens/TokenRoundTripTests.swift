import Testing

@testable import PolicyEngine

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
            #expect(read.device?.description == "ExampleApproovTokenDID==")
        }
    }

    @Test("a failed attestation's token looks like any other", arguments: TokenAlgorithm.allCases)
    func rejectedLooksTheSame(_ algorithm: TokenAlgorithm) throws {
        let signer = try TokenSigner(key: try SampleKey.key(algorithm, id: "mykey"))
        let (valid, rejected) = (signer.token(Self.claims), signer.token(Self.claims, isValid: false))
        #expect(valid.utf8.count == rejected.utf8.count)
        let (first, second) = (valid.split(separator: "."), rejected.split(separator: "."))
        #expect(first.map(\.count) == second.map(\.count))
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
        #expect(signer.token(Array("{\"exp\":1}".utf8)).split(separator: ".") == tokens[0])
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

    @Test("the key ID stands in the header") func headerNamesTheKey() throws {
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
