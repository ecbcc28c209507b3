import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Malformed tokens are refused, and never trap") struct MalformedTokenTests {
    struct Row: LabelledRow {
        let label: String
        let token: String
        let error: TokenError?

        init(_ label: String, _ token: String, _ error: TokenError? = nil) {
            (self.label, self.token, self.error) = (label, token, error)
        }
    }

    private static let good = Forgery()
    private static let (goodHeader, goodClaims, signature) = (
        Forgery.encoded(good.header), Forgery.encoded(good.claims), good.signature
    )

    private static func header(_ text: String) -> String { Forgery(header: text).token }
    private static func claims(_ text: String) -> String { Forgery(claims: text).token }

    /// The form (RFC 7515, 5.2 and 7.1).
    static let forms = [
        Row("nothing", "", .wrongPartCount(1)), Row("one part", goodHeader, .wrongPartCount(1)),
        Row("two parts", "\(goodHeader).\(goodClaims)", .wrongPartCount(2)),
        Row("four parts", "\(good.token).\(signature)", .wrongPartCount(4)),
        Row("six parts", "a.b.c.d.e.f", .wrongPartCount(6)),
        Row("dots only", "..", .badHeader("the document ends too early")),
        Row("no signature", "\(goodHeader).\(goodClaims).", .wrongSignature),
        Row("no claims", "\(goodHeader)..\(signature)", .wrongSignature),
        Row("padding behind the header", "\(goodHeader)=.\(goodClaims).\(signature)", .badEncoding(.header)),
        Row("padding behind the claims", "\(goodHeader).\(goodClaims)=.\(signature)", .badEncoding(.claims)),
        Row("padding behind the signature", "\(goodHeader).\(goodClaims).\(signature)=", .badEncoding(.signature)),
        Row("a space in front", " \(good.token)", .badEncoding(.header)),
        Row("a newline behind", "\(good.token)\n", .badEncoding(.signature)),
        Row("a space within", "\(goodHeader).\(goodClaims).\(signature.dropLast()) ", .badEncoding(.signature)),
        Row("the other alphabet", "\(goodHeader).\(goodClaims).+/\(signature.dropFirst(2))", .badEncoding(.signature)),
        Row("a lonely digit", "\(goodHeader).\(goodClaims).\(signature)AA", .badEncoding(.signature)),
        Row(
            "bits behind the signature's end", "\(goodHeader).\(goodClaims).\(lastDigit(of: signature))",
            .badEncoding(.signature)),
        Row("a cut signature", "\(goodHeader).\(goodClaims).\(signature.dropLast(4))", .badEncoding(.signature)),
        Row("a longer signature", "\(goodHeader).\(goodClaims).\(signature.dropLast(3))AAAAAAAA", .wrongSignature),
        Row("a full stop in Unicode", "\(goodHeader)。\(goodClaims)。\(signature)", .wrongPartCount(1)),
        Row("too long", claims("{\"exp\":2000000000,\"x\":\"\(String(repeating: "x", count: 12_300))\"}")),
        Row("a JSON form of a token", #"{"payload":"e30","signatures":[]}"#, .wrongPartCount(1)),
    ]

    // The same bytes written with another last digit.
    private static func lastDigit(of text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let index = digits.firstIndex(of: text.last ?? "A") ?? 0
        return text.dropLast() + String(digits[index | 1])
    }

    /// The header (RFC 7515, 4; RFC 8725), all of them correctly signed.
    static let headers = [
        Row("alg none", header(#"{"alg":"none"}"#), .unsecured),
        Row("alg none in other letters", header(#"{"alg":"nOnE"}"#), .unsecured),
        Row("alg none without a signature", "\(Forgery.encoded(#"{"alg":"none"}"#)).\(goodClaims).", .unsecured),
        Row("alg empty", header(#"{"alg":""}"#), .wrongAlgorithm("", expected: [.hs256])),
        Row("alg missing", header(#"{"typ":"JWT"}"#), .badHeader("`alg` is missing")),
        Row("alg a number", header(#"{"alg":256}"#), .badHeader("`alg` is not text")),
        Row("alg a list", header(#"{"alg":["HS256"]}"#), .badHeader("`alg` is not text")),
        Row("alg in lower case", header(#"{"alg":"hs256"}"#), .wrongAlgorithm("hs256", expected: [.hs256])),
        Row("alg with a space", header(#"{"alg":"HS256 "}"#), .wrongAlgorithm("HS256 ", expected: [.hs256])),
        Row("alg of another length", header(#"{"alg":"HS512"}"#), .wrongAlgorithm("HS512", expected: [.hs256])),
        Row("alg of another family", header(#"{"alg":"RS256"}"#), .wrongAlgorithm("RS256", expected: [.hs256])),
        Row("alg twice", header(#"{"alg":"HS256","alg":"none"}"#), .badHeader("a name is given twice")),
        Row(
            "alg twice, once escaped", header(#"{"alg":"HS256","\u0061lg":"none"}"#),
            .badHeader("a name is given twice")),
        Row("crit", header(#"{"alg":"HS256","crit":["exp"],"exp":1}"#), .criticalExtension),
        Row("crit empty", header(#"{"alg":"HS256","crit":[]}"#), .criticalExtension),
        Row("b64", header(#"{"alg":"HS256","b64":false}"#), .criticalExtension),
        Row(
            "enc in a signed token", header(#"{"alg":"HS256","enc":"A256GCM"}"#),
            .badHeader("`enc` is given, but the token is not encrypted")),
        Row("kid a number", header(#"{"alg":"HS256","kid":1}"#), .badHeader("`kid` is not text")),
        Row("typ a list", header(#"{"alg":"HS256","typ":[]}"#), .badHeader("`typ` is not text")),
        Row("a list", header(#"["alg","HS256"]"#), .badHeader("it is not a JSON object")),
        Row("null", header("null"), .badHeader("it is not a JSON object")),
        Row("a text", header(#""HS256""#), .badHeader("it is not a JSON object")),
        Row("two documents", header(#"{"alg":"HS256"}{}"#), .badHeader("there is more text behind the document")),
        Row("cut", header(#"{"alg":"HS256""#), .badHeader("`,` is missing")),
        Row("single quotes", header("{'alg':'HS256'}"), .badHeader("a name is missing")),
        Row("a comma too many", header(#"{"alg":"HS256",}"#), .badHeader("a name is missing")),
        Row("a comment", header(#"{"alg":"HS256"/**/}"#), .badHeader("`,` is missing")),
        Row("a byte order mark", header("\u{FEFF}{\"alg\":\"HS256\"}"), .badHeader("no value starts like this")),
        Row(
            "nested deeply", header(#"{"alg":"HS256","x":\#(String(repeating: "[", count: 5000))"#),
            .badHeader("values nest deeper than 16")),
    ]

    /// The claims, all of them correctly signed.
    static let claimRows = [
        Row("no claims at all", claims("{}"), .missingExpiry),
        Row("exp a text", claims(#"{"exp":"2000000000"}"#), .badClaims("`exp` is not an instant")),
        Row("exp null", claims(#"{"exp":null}"#), .badClaims("`exp` is not an instant")),
        Row("exp in milliseconds", claims(#"{"exp":2000000000000}"#), .badClaims("`exp` is not an instant")),
        Row("exp as small as a number can be", claims("{\"exp\":\(Int.min)}"), .badClaims("`exp` is not an instant")),
        Row("exp as large as a number can be", claims("{\"exp\":\(Int.max)}"), .badClaims("`exp` is not an instant")),
        Row("exp too large", claims(#"{"exp":1e400}"#), .badClaims("`exp` is not an instant")),
        Row("exp with zeros in front", claims(#"{"exp":02000000000}"#), .badClaims("`,` is missing")),
        Row("exp not a number", claims(#"{"exp":NaN}"#), .badClaims("no value starts like this")),
        Row("exp twice", claims(#"{"exp":1,"exp":2000000000}"#), .badClaims("a name is given twice")),
        Row("exp reached", claims(#"{"exp":1500000000}"#), .expired(Instant(secondsSinceEpoch: 1_500_000_000))),
        Row(
            "exp reached, with a fraction", claims(#"{"exp":1500000000.9}"#),
            .expired(Instant(secondsSinceEpoch: 1_500_000_000))),
        Row("exp below zero", claims(#"{"exp":-1}"#), .expired(Instant(secondsSinceEpoch: -1))),
        Row(
            "nbf to come", claims(#"{"exp":2000000000,"nbf":1500000001}"#),
            .notYetValid(Instant(secondsSinceEpoch: 1_500_000_001))),
        Row("did a number", claims(#"{"did":1,"exp":2000000000}"#), .badClaims("`did` is not text")),
        Row("anno a text", claims(#"{"anno":"rooted","exp":2000000000}"#), .badClaims("`anno` is not a list of texts")),
        Row("anno of numbers", claims(#"{"anno":[1],"exp":2000000000}"#), .badClaims("`anno` is not a list of texts")),
        Row("a list", claims("[]"), .badClaims("they are not a JSON object")),
        Row("no JSON", claims("exp=2000000000"), .badClaims("no value starts like this")),
        Row("empty", claims(""), .badClaims("the document ends too early")),
        Row("half a character", claims(#"{"exp":2000000000,"x":"\ud800"}"#), .badClaims("half a character is escaped")),
        Row(
            "a control character", claims("{\"exp\":2000000000,\"x\":\"\u{01}\"}"),
            .badClaims("a text contains a control character")),
    ]

    @Test("of the wrong form", arguments: forms + headers + claimRows) func isRefused(_ row: Row) throws {
        let verifier = TokenVerifier(key: try SampleKey.key(.hs256))
        let time = Instant(secondsSinceEpoch: 1_500_000_000)
        let error = try #require(throws: TokenError.self) { try verifier.claims(of: row.token, at: time) }
        if let expected = row.error { expect(error, equals: expected) }
        #expect(!error.description.isEmpty && !error.description.contains(row.token) || row.token.isEmpty)
        // The service's check of such a token is an error or an answer, and never "passed".
        var account = Account()
        account.keys.accountSecret = SampleKey.account
        let check = try? TokenCheck(row.token, account: account, at: time)
        if !Self.claimRows.contains(where: { $0.label == row.label }) { #expect(check?.passed != true) }
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

    @Test("all malformed tokens are there") func rowsAreComplete() {
        expect(Self.forms.count + Self.headers.count + Self.claimRows.count, equals: 73)
    }
}
