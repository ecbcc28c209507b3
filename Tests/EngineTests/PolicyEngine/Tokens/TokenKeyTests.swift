import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Keys of tokens (manual, Managing Key Sets; RFC 7517, 7518)") struct TokenKeyTests {
    @Test("a key comes back from its JSON Web Key", arguments: TokenAlgorithm.allCases)
    func webKeyRoundTrip(_ algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm, id: "mykey")
        try expect(TokenKey(jwk: Self.text(key.jwk(includingSecret: true))), equals: key)
        guard let publicKey = key.publicKey else { return }
        try expect(TokenKey(jwk: Self.text(key.jwk(includingSecret: false))), equals: publicKey)
        let secret = Set(key.jwk(includingSecret: true).map(\.name)).subtracting(
            key.jwk(includingSecret: false).map(\.name))
        #expect(secret == (algorithm.keyType == "RSA" ? ["d", "p", "q", "dp", "dq", "qi"] : ["d"]))
    }

    @Test("who can check tokens of some algorithms can make them") func symmetric() {
        expect(TokenAlgorithm.allCases.filter(\.isSymmetric), equals: [.hs256, .hs384, .hs512, .a256gcmkw])
    }

    private static func text(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
    }

    @Test("a public key comes back from PEM", arguments: [TokenAlgorithm.rs256, .ps512, .es256, .es384, .es512])
    func pemRoundTrip(_ algorithm: TokenAlgorithm) throws {
        let key = try SampleKey.key(algorithm, id: "mykey")
        let pem = try #require(key.publicPEM)
        #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\nM") && pem.hasSuffix("\n-----END PUBLIC KEY-----\n"))
        #expect(pem.split(separator: "\n").allSatisfy { $0.count <= 64 })
        try expect(TokenKey(pem: pem, algorithm: algorithm, id: "mykey"), equals: key.publicKey)
    }

    // openssl ecparam -genkey -name prime256v1, and the same as PKCS #8.
    static let privateTexts = [
        """
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----
        """
    ]

    // The key of RFC 7515, A.3.
    @Test("a private key is read from PEM", arguments: privateTexts) func privatePEM(text: String) throws {
        let row = StandardToken.all[2]
        try expect(TokenKey(pem: text, algorithm: .es256), equals: row.tokenKey())
    }

    @Test(arguments: CaseFile.all(in: "Tables/tokens", ending: "keys.txt")) func isRefused(_ file: CaseFile) throws {
        try file.expectActual { example in
            try TextCase.lines(example) { text in
                try #require(throws: TokenKeyError.self) { try TokenKey(jwk: text) }.description
            }
        }
    }

    @Test("a key of RSA has two primes, an odd exponent and all of its numbers") func keyOfRSA() {
        let exponent = #""e":"AQAB""#
        for (text, error) in [
            (StandardToken.bilbo.replacing(/"p":.*}/, with: #""alg":"RS256"}"#), TokenKeyError.missing("p")),
            (StandardToken.bilbo.replacing(exponent, with: #""e":"AQAA","alg":"RS256""#), .inconsistent),
            (
                StandardToken.bilbo.replacing(exponent, with: #"\#(exponent),"alg":"RS256","oth":[]"#),
                .wrong("oth", mustBe: "left out: a key has two primes")
            ),
        ] {
            #expect(throws: error) { try TokenKey(jwk: text) }
        }
    }

    @Test("a private part that belongs to another key is noticed") func strangersAreNoticed() throws {
        let key = try SampleKey.key(.rs256)
        #expect(key.isConsistent)
        guard case .pair(.rsa(var parts)) = key.material else { return }
        parts.secret?.exponent[5] ^= 1
        #expect(try !TokenKey(parts: .rsa(parts), algorithm: .rs256).isConsistent)
        // Such numbers come from key files: they are no reason to trap.
        for byte in [0, 1, 2, 0xFF] as [UInt8] {
            let odd = Array(repeating: byte, count: 128)
            parts.secret = KeyParts.RSA.Secret(
                exponent: odd, firstPrime: odd, secondPrime: odd, firstExponent: odd, secondExponent: odd,
                coefficient: odd)
            let key = try TokenKey(parts: .rsa(parts), algorithm: .rs256)
            #expect(throws: TokenKeyError.inconsistent) { try TokenSigner(key: key) }
            var account = Account()
            try account.keys.keySet.append(try #require(key.renamed("k")))
            try account.append(APIDomain(name: "a.com", type: .keyset, keyID: "k"))
            #expect(throws: TokenIssueError.unusableKey("k", domain: "a.com")) {
                try TokenMinter(account: account, domain: "a.com")
            }
        }
        parts.secret?.exponent = Array(repeating: 1, count: 100_000)
        #expect(throws: TokenKeyError.inconsistent) { try TokenKey(parts: .rsa(parts), algorithm: .rs256) }
        guard case .pair(.curve(var point)) = try SampleKey.key(.es384).material else { return }
        point.secret?[7] ^= 1
        let other = try? TokenKey(parts: .curve(point), algorithm: .es384)
        #expect(other?.isConsistent != true)
    }

    /// The lengths that new keys may have.
    struct Length: LabelledRow {
        let algorithm: TokenAlgorithm
        let bits: Int?
        let made: Int?
        var testDescription: String { "\(algorithm.rawValue) of \(bits.map { "\($0)" } ?? "no") bits" }
    }

    static let lengths = [
        Length(algorithm: .hs256, bits: nil, made: 256), Length(algorithm: .hs512, bits: nil, made: 256),
        Length(algorithm: .hs384, bits: 128, made: 128), Length(algorithm: .hs384, bits: 512, made: 512),
        Length(algorithm: .hs256, bits: 384, made: nil), Length(algorithm: .a256gcmkw, bits: nil, made: 256),
        Length(algorithm: .a256gcmkw, bits: 128, made: nil), Length(algorithm: .a256gcmkw, bits: 512, made: nil),
        Length(algorithm: .rs256, bits: 1024, made: 1024), Length(algorithm: .rs256, bits: 3072, made: nil),
        Length(algorithm: .ps512, bits: 1024, made: nil), Length(algorithm: .ps256, bits: 1024, made: 1024),
        Length(algorithm: .es256, bits: nil, made: 256), Length(algorithm: .es512, bits: nil, made: 521),
        Length(algorithm: .es384, bits: 384, made: nil),
    ]

    @Test("new keys have the lengths of the manual", arguments: lengths) func newKeys(_ row: Length) throws {
        guard let bits = row.made else {
            #expect(throws: TokenKeyError.self) { try TokenKey.new(row.algorithm, bits: row.bits) }
            return
        }
        let key = try TokenKey.new(row.algorithm, id: "new", bits: row.bits)
        #expect(key.bits == bits && key.isPrivate)
        #expect(try TokenKey.new(row.algorithm, id: "new", bits: row.bits) != key)
        expect(TokenKey.defaultBits(for: .rs512), equals: 2048)
    }

    @Test("a short key is warned about") func weakness() throws {
        try expect(TokenKey.new(.hs512).weakness?.contains("512 bits"), equals: true)
        #expect(try TokenKey.new(.hs512, bits: 512).weakness == nil)
        try expect(TokenKey.new(.rs256, bits: 1024).weakness?.contains("2048 bits"), equals: true)
        #expect(try SampleKey.key(.rs256).weakness == nil)
    }

    @Test("printing or dumping a key shows no secret") func secretsAreNotPrinted() throws {
        for algorithm in TokenAlgorithm.allCases {
            let key = try SampleKey.key(algorithm, id: "mykey")
            var account = Account()
            account.keys.accountSecret = SampleKey.account
            try account.keys.keySet.append(key)
            var text = "\(key) \(String(reflecting: key)) \(account)"
            dump(account.keys, to: &text)
            let numbers = key.jwk(includingSecret: true).filter { ["k", "d", "p"].contains($0.name) }.map(\.value)
            #expect(!numbers.isEmpty)
            for number in numbers {
                let bytes = try #require(Base64.bytes(of: number, .url))
                #expect(!text.contains(number) && !text.contains("\(bytes.prefix(8).map { $0 })".dropLast()))
            }
        }
    }

    @Test("R16 a key set has at most ten keys, numbered where they have no name") func keySets() throws {
        var set = KeySet()
        for _ in 0..<3 { try set.append(try TokenKey.new(.hs256)) }
        try set.append(try TokenKey.new(.hs256, id: "4"))
        try set.remove("3")
        for _ in 0..<7 { try set.append(try TokenKey.new(.hs256)) }
        expect(set.ids, equals: ["1", "2", "4", "5", "6", "7", "8", "9", "10", "11"])
        #expect(throws: KeySetError.limitReached("x")) { try set.append(try TokenKey.new(.hs256, id: "x")) }
        #expect(throws: KeySetError.duplicate("4")) { try set.append(try TokenKey.new(.hs256, id: "4")) }
        #expect(throws: KeySetError.unknown("3", known: set.ids)) { try set.remove("3") }
    }
}

@Suite("Keys that join a key set (manual, Importing Keys)") struct KeyImportTests {
    private static let k = Base64.text(of: Array(0..<32), .url)

    private static func jwk(_ more: String) -> String { #"{"kty":"oct","alg":"HS256","k":"\#(k)"\#(more)}"# }

    private static let whole = jwk(#","kid":"a","use":"sig""#)

    @Test("one key, or a set of them") func sound() throws {
        try expect(TokenKey.keys(importing: Self.whole).map(\.id), equals: ["a"])
        let other = Self.jwk(#","kid":"b","use":"sig""#)
        try expect(TokenKey.keys(importing: #"{"keys":[\#(Self.whole),\#(other)]}"#).map(\.id), equals: ["a", "b"])
    }

    @Test("what lacks a name or a use is refused, and so is an empty set") func missing() {
        #expect(throws: TokenKeyError.missing("kid")) {
            try TokenKey.keys(importing: Self.jwk(#","use":"sig""#))
        }
        #expect(throws: TokenKeyError.missing("use")) {
            try TokenKey.keys(importing: Self.jwk(#","kid":"a""#))
        }
        #expect(throws: TokenKeyError.missing("kid")) { try TokenKey.keys(importing: #"{"keys":[]}"#) }
        #expect(throws: TokenKeyError.missing("kid")) {
            try TokenKey.keys(importing: #"{"keys":[\#(Self.whole),\#(Self.jwk(""))]}"#)
        }
    }

    @Test("a public half cannot join") func publicOnly() throws {
        let key = try SampleKey.key(.es256, id: "a")
        let text = { (secret: Bool) in
            "{" + key.jwk(includingSecret: secret).map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        }
        try expect(TokenKey.keys(importing: text(true)), equals: [key])
        #expect(throws: TokenKeyError.publicOnly) { try TokenKey.keys(importing: text(false)) }
    }

    @Test("numbers that do not belong together cannot join") func inconsistent() throws {
        let (key, other) = (try SampleKey.key(.es256, id: "a"), try SampleKey.key(.es256, id: "b"))
        var members = Dictionary(uniqueKeysWithValues: key.jwk(includingSecret: true).map { ($0.name, $0.value) })
        members["d"] = other.jwk(includingSecret: true).first { $0.name == "d" }?.value
        let text = "{" + members.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",") + "}"
        #expect(throws: TokenKeyError.inconsistent) { try TokenKey.keys(importing: text) }
        #expect(try !TokenKey(jwk: text).isConsistent)
        #expect(key.isConsistent)
        #expect(try #require(key.publicKey).isConsistent)
        #expect(try SampleKey.key(.hs256).isConsistent)
    }

    @Test("RFC 7517, 5 a set to verify with has ten keys at most, of which no name is asked for") func sets() throws {
        let set = { (count: Int) in
            #"{"keys":[\#(Array(repeating: Self.jwk(""), count: count).joined(separator: ","))]}"#
        }
        try expect(TokenKey.keys(jwks: set(10)).count, equals: 10)
        #expect(try TokenKey.keys(jwks: set(0)).isEmpty)
        #expect(throws: TokenKeyError.wrong("keys", mustBe: "at most 10")) { try TokenKey.keys(jwks: set(11)) }
        #expect(throws: TokenKeyError.missing("keys")) { try TokenKey.keys(jwks: Self.whole) }
        #expect(throws: TokenKeyError.missing("keys")) { try TokenKey.keys(jwks: #"{"keys":{}}"#) }
        #expect(throws: TokenKeyError.missing("alg")) { try TokenKey.keys(jwks: #"{"keys":[{}]}"#) }
    }
}
