import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Malformed tokens are refused, and never trap") struct MalformedTokenTests {
    private static let good = Forgery()

    private static let readings: [String: TextCase.Reading] = [
        "a form": { line in
            let parts: [Character: String] = [
                "H": Forgery.encoded(good.header), "C": Forgery.encoded(good.claims), "S": good.signature,
            ]
            return try refusal(of: TextCase.text(of: line).map { parts[$0] ?? String($0) }.joined())
        },
        "a header, rightly signed (RFC 7515, 4; RFC 8725)": { line in
            try refusal(of: Forgery(header: TextCase.text(of: line)).token)
        },
        "claims, rightly signed, at 2017-07-14T02": { line in
            try refusal(of: Forgery(claims: TextCase.text(of: line)).token, mayBeGenuine: true)
        },
    ]

    private static func refusal(of token: String, mayBeGenuine: Bool = false) throws -> String {
        let verifier = TokenVerifier(key: try SampleKey.key(.hs256))
        let time = Instant(secondsSinceEpoch: 1_500_000_000)
        let error = try #require(throws: TokenError.self) { try verifier.claims(of: token, at: time) }
        #expect(token.isEmpty || !error.description.contains(token))
        // The service's check of such a token is an error or an answer, and never "passed".
        var account = Account()
        account.keys.accountSecret = SampleKey.account
        #expect(mayBeGenuine || (try? TokenCheck(token, account: account, at: time))?.passed != true)
        return error.description
    }

    @Test(arguments: CaseFile.all(in: "Tables/tokens", ending: "malformed.txt")) func isRefused(_ file: CaseFile) throws
    {
        try file.expectActual { try TextCase.lines($0, by: Self.readings) }
    }

    @Test("a signature that is written otherwise, cut or longer, and what is too long or too deep") func lengths()
        throws
    {
        let (input, signature) = (Self.good.input, Self.good.signature)
        for other in ["\(signature.dropLast()) ", "+/\(signature.dropFirst(2))", String(signature.dropLast(4))] {
            try expect(Self.refusal(of: "\(input).\(other)"), equals: TokenError.badEncoding(.signature).description)
        }
        // The same bytes written with another last digit.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(digits.firstIndex { $0 == signature.last })
        try expect(
            Self.refusal(of: "\(input).\(signature.dropLast())\(digits[last | 1])"),
            equals: TokenError.badEncoding(.signature).description)
        try expect(
            Self.refusal(of: "\(input).\(signature.dropLast(3))AAAAAAAA"), equals: TokenError.wrongSignature.description
        )
        let long = #"{"exp":2000000000,"x":"\#(String(repeating: "x", count: 12_300))"}"#
        #expect(try Self.refusal(of: Forgery(claims: long).token).contains("are too long for a token"))
        let deep = #"{"alg":"HS256","x":\#(String(repeating: "[", count: 5000))"#
        try expect(
            Self.refusal(of: Forgery(header: deep).token),
            equals: TokenError.badHeader("values nest deeper than 16").description)
    }

    @Test("the same put together rightly is taken") func theForgeryItselfIsSound() throws {
        let verifier = TokenVerifier(key: try SampleKey.key(.hs256))
        let time = Instant(secondsSinceEpoch: 1_500_000_000)
        for forgery in [
            Forgery(), Forgery(header: "{\r\n \"alg\" : \"HS256\" }"), Forgery(header: #"{"alg":"HS256","jwk":{}}"#),
            Forgery(claims: #"{"exp":1500000001.5,"nbf":1500000000}"#),
        ] {
            #expect(throws: Never.self) { try verifier.claims(of: forgery.token, at: time) }
        }
    }

    // RFC 8725, 2.1: a public key as a shared secret.
    @Test("the public key of RSA is no secret for HMAC") func keysAreNotConfused() throws {
        let key = try #require(try SampleKey.key(.rs256).publicKey)
        let pem = Array(try #require(key.publicPEM).utf8)
        for secret in [pem, Array(pem.dropLast())] {
            let token = Forgery(key: secret).token
            #expect(throws: TokenError.wrongAlgorithm("HS256", expected: [.rs256])) {
                try TokenVerifier(key: key).payload(of: token)
            }
        }
    }

    // CVE-2022-21449: zeros as a signature on a curve.
    @Test("signatures of zeros are none", arguments: [TokenAlgorithm.es256, .es384, .es512, .rs256, .ps256])
    func zerosAreNoSignature(_ algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm)
        let header = Forgery.encoded(#"{"alg":"\#(algorithm.rawValue)"}"#)
        for count in [0, 1, 64, 96, 132, 256, 300] {
            for byte in [0, 1, 0xFF] as [UInt8] {
                let signature = Base64.text(of: Array(repeating: byte, count: count), .url)
                #expect(throws: TokenError.wrongSignature) {
                    try TokenVerifier(key: key).payload(of: "\(header).e30.\(signature)")
                }
            }
        }
    }

    // RFC 7518, 3.4: both halves, and not OpenSSL's sequence of them.
    @Test("another form of a curve's signature is none") func sequencesAreNoSignature() throws {
        let key = try SampleKey.key(.es256)
        let token = try TokenSigner(key: key).token(Array("{}".utf8))
        let parts = token.split(separator: ".").map(String.init)
        let halves = try #require(Base64.bytes(of: parts[2], .url))
        let sequence = DERText.sequence(
            DERText.integer(Array(halves.prefix(32))), DERText.integer(Array(halves.suffix(32))))
        for other in [sequence, halves + [0], [0] + halves, Array(halves.dropLast())] {
            #expect(throws: TokenError.wrongSignature) {
                try TokenVerifier(key: key).payload(of: "\(parts[0]).\(parts[1]).\(Base64.text(of: other, .url))")
            }
        }
    }

    /// Encrypted tokens (RFC 7516, 5.2).
    @Test("encrypted tokens of the wrong form") func encryptedFormsAreRefused() throws {
        let key = try SampleKey.key(.a256gcmkw)
        let parts = try TokenSigner(key: key).token(Array("{}".utf8)).split(separator: ".").map(String.init)
        let wrapping = #""iv":"AAAAAAAAAAAAAAAA","tag":"AAAAAAAAAAAAAAAAAAAAAA""#
        let headers: [(String, TokenError)] = [
            (#"{"alg":"A256GCMKW","enc":"A256GCM"}"#, .badHeader("`iv` is missing")),
            (#"{"alg":"A256GCMKW",\#(wrapping)}"#, .badHeader("`enc` is not `A256GCM`")),
            (#"{"alg":"A256GCMKW","enc":"A128GCM",\#(wrapping)}"#, .badHeader("`enc` is not `A256GCM`")),
            (#"{"alg":"A256GCMKW","enc":"A256GCM","iv":"AAAA","tag":""}"#, .badHeader("`iv` does not have 12 bytes")),
            (
                #"{"alg":"A256GCMKW","enc":"A256GCM","zip":"DEF",\#(wrapping)}"#,
                .badHeader("compressed content is not supported")
            ),
            (#"{"alg":"dir","enc":"A256GCM",\#(wrapping)}"#, .wrongAlgorithm("dir", expected: [.a256gcmkw])),
            (#"{"alg":"none","enc":"A256GCM",\#(wrapping)}"#, .unsecured),
            (#"{"alg":"HS256","enc":"A256GCM",\#(wrapping)}"#, .wrongAlgorithm("HS256", expected: [.a256gcmkw])),
            (#"{"alg":"A256GCMKW","enc":"A256GCM",\#(wrapping)}"#, .cannotBeDecrypted),
        ]
        for (header, error) in headers {
            let token = ([Forgery.encoded(header)] + parts.dropFirst()).joined(separator: ".")
            #expect(throws: error) { try TokenVerifier(key: key).payload(of: token) }
        }
        for (index, part) in [(1, TokenPart.key), (2, .vector), (3, .content), (4, .tag)] {
            var changed = parts
            changed[index] = ""
            #expect(throws: TokenError.cannotBeDecrypted) {
                try TokenVerifier(key: key).payload(of: changed.joined(separator: "."))
            }
            changed[index] = "+"
            #expect(throws: TokenError.badEncoding(part)) {
                try TokenVerifier(key: key).payload(of: changed.joined(separator: "."))
            }
        }
        // A signed token of the same key, which has the length of an HMAC key too.
        #expect(throws: TokenError.wrongAlgorithm("A256GCMKW", expected: [.a256gcmkw])) {
            try TokenVerifier(key: key).payload(of: "\(Forgery.encoded(#"{"alg":"A256GCMKW"}"#)).e30.AAAA")
        }
    }

    @Test("a longest token is taken, and one byte more is not") func lengthHasALimit() throws {
        let verifier = TokenVerifier(key: try SampleKey.key(.hs256))
        #expect(throws: TokenError.tooLong(16_385)) { try verifier.payload(of: String(repeating: "a", count: 16_385)) }
        #expect(throws: TokenError.wrongPartCount(1)) {
            try verifier.payload(of: String(repeating: "a", count: 16_384))
        }
    }

    @Test("noise is an error") func noiseIsRefused() throws {
        let verifier = TokenVerifier(keys: try TokenAlgorithm.allCases.map { try SampleKey.key($0) })
        var chance = SplitMix64(seed: 7)
        let alphabet = Array("eyJhbGciOiJIUzI1NiJ9.....{}\":,-_=+/ \u{0}é".utf8)
        for _ in 0..<3000 {
            let count = Int(chance.next() % 120)
            let bytes = (0..<count).map { _ in alphabet[Int(chance.next() % UInt64(alphabet.count))] }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(throws: TokenError.self) { try verifier.payload(of: text) }
            _ = try? TokenCheck(text, account: Account(), at: nil)
            _ = try? LoggableToken.text(of: text)
            _ = try? TokenKey(jwk: text)
            _ = try? TokenKey(pem: text, algorithm: .es256)
        }
    }
}
