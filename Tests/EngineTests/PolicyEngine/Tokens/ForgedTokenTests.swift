import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Tokens for the tests of a backend, looked at as a backend does (RFC 8725).
@Suite struct ForgedTokenTests {
    private static let time = Instant(secondsSinceEpoch: 1_595_462_400)
    private static let domain = "api.example.com"

    // An account whose domain has a key of its own.
    private static func account(_ algorithm: TokenAlgorithm) throws -> Account {
        var account = Account(name: "forged")
        account.includesAudience = true
        try account.keys.keySet.append(try SampleKey.key(algorithm, id: "k"))
        var domain = APIDomain(name: domain, type: .keyset)
        domain.keyID = "k"
        try account.append(domain)
        return account
    }

    private static func forger(_ algorithm: TokenAlgorithm) throws -> TokenForger {
        try TokenForger(account: account(algorithm), domain: domain, at: time, lifetime: 600, boundTo: "session")
    }

    // The reason to refuse a token of a kind; `nil` where only the claims say it.
    private static func error(of kind: ForgedToken.Kind, _ key: TokenKey) -> TokenError? {
        let isEncrypted = key.algorithm.isEncryption
        return switch kind {
        case .valid, .failover, .otherAudience, .otherBinding: nil
        case .failedAttestation, .otherAccount, .changedClaims, .changedSignature, .cutSignature, .emptySecret, .ownKey:
            isEncrypted ? .cannotBeDecrypted : .wrongSignature
        case .expired: .expired(Self.time + -3600)
        case .notYetValid: .notYetValid(Self.time + 600)
        case .withoutExpiry: .missingExpiry
        case .missingPart: .wrongPartCount(isEncrypted ? 4 : 2)
        case .unsigned, .unsignedInMixedCase: .unsecured
        case .otherAlgorithm: .wrongAlgorithm(key.algorithm.isSymmetric ? "RS256" : "HS256", expected: [key.algorithm])
        case .publicKeyAsSecret: .wrongAlgorithm("HS256", expected: [key.algorithm])
        case .criticalExtension: .criticalExtension
        }
    }

    @Test("each token is refused for its own reason alone", arguments: TokenAlgorithm.allCases)
    func reasons(algorithm: TokenAlgorithm) throws {
        let forger = try Self.forger(algorithm)
        let verifier = TokenVerifier(key: forger.key.publicKey ?? forger.key)
        for token in forger.tokens() {
            var found: TokenError?
            do throws(TokenError) {
                let claims = try verifier.claims(of: token.text, at: Self.time)
                #expect(claims.expiry == Self.time + 600, "\(token.kind)")
                let audience = claims.text(of: "aud") == Self.domain
                #expect(audience == (token.kind != .otherAudience), "\(token.kind)")
                // Tokens of the failover are bound to nothing.
                let isBound: Bool? = token.kind == .failover ? nil : token.kind != .otherBinding
                #expect(claims.isBound(to: "session") == isBound, "\(token.kind)")
            } catch {
                found = error
            }
            expect(found, equals: Self.error(of: token.kind, forger.key), "\(algorithm), \(token.kind)")
        }
    }

    /// RSA keys cannot be drawn; a pair has no empty secret, a secret no public half; an encrypted token has no signature.
    @Test(arguments: [
        (TokenAlgorithm.hs512, [ForgedToken.Kind.publicKeyAsSecret]), (.es256, [.emptySecret]),
        (.rs256, [.otherAccount, .emptySecret, .ownKey]),
        (.a256gcmkw, [.otherAlgorithm, .publicKeyAsSecret, .ownKey, .criticalExtension]),
    ]) func kindsThatAKeyCannotHave(algorithm: TokenAlgorithm, missing: [ForgedToken.Kind]) throws {
        let kinds = try Self.forger(algorithm).tokens().map(\.kind)
        expect(kinds, equals: ForgedToken.Kind.allCases.filter { !missing.contains($0) })
    }

    @Test("equal arguments make equal tokens, but for drawn signatures", arguments: TokenAlgorithm.allCases)
    func equality(algorithm: TokenAlgorithm) throws {
        // A curve's key is another one each time that the test asks for one.
        let account = try Self.account(algorithm)
        let made = try (0..<2).map { _ in
            try TokenForger(account: account, domain: Self.domain, at: Self.time, lifetime: 600).tokens().map(\.text)
        }
        #expect((made[0] == made[1]) == !algorithm.isProbabilistic)
    }

    @Test func everyKindHasASentence() {
        let sentences = ForgedToken.Kind.allCases.map(\.summary)
        #expect(Set(sentences).count == 20 && sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
