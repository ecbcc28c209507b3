import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The values that follow from the seed `s` were computed with Python: blocks of SHA-512 over `purpose|block|seed`.
@Suite("Keys that follow from a seed") struct SeededKeyTests {
    private static let chance = KeyChance.seeded("s")

    @Test("bytes of two blocks, the second one cut") func blocks() {
        let text = """
            efb5d089ccf32b5cfbf8416c6c0b9c0b84522e4f4b48a7e82df84db2dd17063ff0e89134c7f507efa073f6998848090eb2922b19f15b1f3\
            ab01d7c04860d4f0cf3a00702df1673b7b5da5ace48af45c8cbc802d260180251604bc2267718dd386e8b4e08
            """
        expect(Self.chance.bytes(100, for: "p").hexadecimal, equals: text)
        expect(Self.chance.bytes(64, for: "p").hexadecimal, equals: String(text.prefix(128)))
        expect(Self.chance.bytes(0, for: "p"), equals: [])
    }

    @Test("the system's chance has the length that is asked for, and another answer each time") func system() {
        let (first, second) = (KeyChance.system.bytes(40, for: "p"), KeyChance.system.bytes(40, for: "p"))
        #expect(first.count == 40 && second.count == 40 && first != second)
    }

    @Test("secrets of accounts (manual, Raw Account Secret Key)") func accountSecrets() {
        let raw = "5QZLPra54TAUdf/BHN0v0HY9tuKnk4vchxVN4gunxVqK/G6D5PypI1PSAsse6yDLAF65el/YdXiisdy9Jf+wmQ=="
        expect(Base64.text(of: Self.chance.accountSecret(isPrintable: false).bytes), equals: raw)
        let printable = "lGL-25hwU1_BcdvQ292inTLcHVNiLnFaK8uDk8pjTSCLergLAe56fY14ixc9l_wZ"
        expect(Self.chance.accountSecret(isPrintable: true).bytes, equals: Array(printable.utf8))
        expect(
            Base64.text(of: Self.chance.encryptionSecret().bytes),
            equals: "8s7LSpUZ20SrNC+IRDtGW8HlUduZVaikoTjY3hlEN7w=")
        let signing = "2x5_P_T0s8T_SNAMw6LjJljlfa-Lru3Friv9j11arkMAy7_pdMtYzs0fBHVDNTVL"
        expect(Self.chance.messageSigningKey().secret.bytes, equals: Array(signing.utf8))
    }

    @Test("symmetric keys have the bytes of their purpose") func symmetric() throws {
        let long = try TokenKey.new(.hs512, id: "k", bits: 512, from: Self.chance)
        expect(
            Base64.text(of: long.secretBytes, .url),
            equals: "K10sgIz9oa_pXxtq5OaF0Vr9wXgja7-xQzS3CWThmNJdjwfsmt5scPBldWOezSaOszVAqLQhWxwXdoAwOhygrg")
        let usual = try TokenKey.new(.hs256, id: nil, bits: nil, from: Self.chance)
        expect(Base64.text(of: usual.secretBytes, .url), equals: "GZ3V_AnDqH3BXFC4ZUpMKaO1V_x9LxR8hzbRFHMPW90")
    }

    struct Curve: Sendable, CustomTestStringConvertible {
        let algorithm: TokenAlgorithm
        let d, x, y: String

        var testDescription: String { algorithm.rawValue }
    }

    // The first bit of d is cleared, and of P-521 the first byte; x and y by Python's cryptography.
    static let curves = [
        Curve(
            algorithm: .es256, d: "K10sgIz9oa_pXxtq5OaF0Vr9wXgja7-xQzS3CWThmNI",
            x: "kJ2jpduMfNSc9TzdyhwBFE7WdXa3seNrYDNtsHVX_6Q", y: "-hLgpfDbAybz62n3OawYpjXCiRPuydEXwzJBc8gDFaE"),
        Curve(
            algorithm: .es384, d: "K10sgIz9oa_pXxtq5OaF0Vr9wXgja7-xQzS3CWThmNJdjwfsmt5scPBldWOezSaO",
            x: "XfX5J7xlo3F3eO0ZECtfp6k5fEv1-TgoRiubIBuxutp_biRrY3eK-bJGzztVrSgf",
            y: "k2b-4fSViCCSRbKj2OdcBHEkBQHRbY3ozqCH2BKlsOr85Qj3Hv2iw9gcOJCi9bKI"),
        Curve(
            algorithm: .es512,
            d: "AF0sgIz9oa_pXxtq5OaF0Vr9wXgja7-xQzS3CWThmNJdjwfsmt5scPBldWOezSaOszVAqLQhWxwXdoAwOhygrmUK",
            x: "Afft_hHlm5vL3G6brQmYupJwmiyoVC7Id5D0Ez4BD2bIUfLtrhwmElitMZ59ovju4_Ds_gvp_LPNmzMj8YS7FIEe",
            y: "AOw6U6WiLu9RqOHUIs0E0LUQcdfvkHiYw3p7MgqZtB1DfCLy4x4oyEYylfsMJ6qqExantdm91Q8zHvVQ71bBnuyj"),
    ]

    @Test("pairs have the public half of what was drawn", arguments: curves) func pairs(_ row: Curve) throws {
        let key = try TokenKey.new(row.algorithm, id: "k", bits: nil, from: Self.chance)
        let members = Dictionary(uniqueKeysWithValues: key.jwk(includingSecret: true).map { ($0.name, $0.value) })
        #expect(members["d"] == row.d && members["x"] == row.x && members["y"] == row.y)
        #expect(key.isConsistent)
    }

    @Test("a length that the algorithm does not have is refused") func lengths() {
        #expect(throws: TokenKeyError.notRepeatable(.rs256)) {
            try TokenKey.new(.rs256, id: nil, bits: 1024, from: Self.chance)
        }
        expect(
            TokenKeyError.notRepeatable(.rs256).description, equals: "a key for `RS256` cannot be drawn from a seed")
        #expect(throws: TokenKeyError.wrongLength(192, .hs256, allowed: "128, 256 or 512")) {
            try TokenKey.new(.hs256, id: nil, bits: 192, from: Self.chance)
        }
        #expect(throws: TokenKeyError.wrongLength(256, .es256, allowed: "those of P-256")) {
            try TokenKey.new(.es256, id: nil, bits: 256, from: Self.chance)
        }
    }

    @Test(
        "RFC 7518, 3.2 a key shorter than its hash is weak",
        arguments: [
            (TokenAlgorithm.hs256, 256, nil as Int?), (.hs256, 128, 256), (.hs384, 256, 384), (.hs384, 512, nil),
            (.hs512, 256, 512), (.hs512, 512, nil),
        ])
    func weakness(algorithm: TokenAlgorithm, bits: Int, needed: Int?) throws {
        let key = try TokenKey.new(algorithm, id: nil, bits: bits, from: Self.chance)
        let words = needed.map {
            "RFC 7518 asks for \($0) bits at least for `\(algorithm.rawValue)`; the key has \(bits)"
        }
        expect(key.weakness, equals: words)
    }

    @Test("Key IDs: numbers of removed keys are not used again, also when a file says the next one") func numbers()
        throws
    {
        var set = KeySet()
        let key = try TokenKey.new(.hs256, id: nil, bits: nil, from: Self.chance)
        try set.append(key)
        try set.append(key)
        try set.remove("2")
        try set.append(key)
        #expect(set.ids == ["1", "3"] && set.nextNumber == 4)
        set.number(from: 9)
        expect(set.nextNumber, equals: 9)
        set.number(from: 5)
        try set.append(key)
        #expect(set.ids == ["1", "3", "9"] && set.nextNumber == 10)
        let named = try TokenKey.new(.hs256, id: "10", bits: nil, from: Self.chance)
        try set.append(named)
        expect(set.nextNumber, equals: 10)
        try set.append(key)
        #expect(set.ids == ["1", "3", "9", "10", "11"] && set.nextNumber == 12)
    }
}

@Suite("Which numbers make an RSA key (RFC 7518, 6.3; RFC 8017, 9.1.1)") struct RSAKeyLimitTests {
    // A modulus of `bits` bits: the highest one and the lowest one are set.
    private static func modulus(_ bits: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (bits + 7) / 8)
        bytes[0] = 1 << UInt8((bits - 1) % 8)
        bytes[bytes.count - 1] |= 1
        return bytes
    }

    private static func key(
        bits: Int = 2048, exponent: [UInt8] = [1, 0, 1], _ algorithm: TokenAlgorithm = .rs256
    ) throws(TokenKeyError) -> TokenKey {
        try TokenKey(parts: .rsa(KeyParts.RSA(modulus: modulus(bits), exponent: exponent)), algorithm: algorithm)
    }

    struct Length: LabelledRow {
        let algorithm: TokenAlgorithm
        let bits: Int
        /// The lengths that are allowed, where this one is not.
        let allowed: String?

        var testDescription: String { "\(algorithm.rawValue) of \(bits) bits" }
    }

    // PSS: hash, salt of the same length, and two bytes: (2 · 64 + 2) · 8 = 1040 for SHA-512, and 784 for SHA-384.
    static let lengths = [
        Length(algorithm: .rs256, bits: 1023, allowed: "1024 to 4096"),
        Length(algorithm: .rs256, bits: 1024, allowed: nil), Length(algorithm: .rs512, bits: 4096, allowed: nil),
        Length(algorithm: .rs512, bits: 4097, allowed: "1024 to 4096"),
        Length(algorithm: .ps384, bits: 1024, allowed: nil), Length(algorithm: .ps512, bits: 1040, allowed: nil),
        Length(algorithm: .ps512, bits: 1039, allowed: "1040 to 4096"),
        Length(algorithm: .ps512, bits: 1024, allowed: "1040 to 4096"),
    ]

    @Test("a modulus is neither too short nor too long", arguments: lengths) func modulusIsChecked(_ row: Length) throws
    {
        guard let allowed = row.allowed else {
            try expect(Self.key(bits: row.bits, row.algorithm).bits, equals: row.bits)
            return
        }
        #expect(throws: TokenKeyError.wrongLength(row.bits, row.algorithm, allowed: allowed)) {
            try Self.key(bits: row.bits, row.algorithm)
        }
    }

    @Test(
        "an exponent is odd and above 1, of eight bytes at most, whatever zeros precede it",
        arguments: [
            ([3], true), ([0, 0, 3], true), ([1, 1], true), ([1], false), ([0, 1], false), ([2], false),
            ([1, 0], false),
            ([], false), ([0], false), ([1, 0, 0, 0, 0, 0, 0, 1], true), ([1, 0, 0, 0, 0, 0, 0, 0, 1], false),
        ] as [([UInt8], Bool)])
    func exponents(exponent: [UInt8], isSound: Bool) throws {
        if isSound {
            #expect(throws: Never.self) { try Self.key(exponent: exponent) }
        } else {
            #expect(throws: TokenKeyError.inconsistent) { try Self.key(exponent: exponent) }
        }
    }

    @Test("no other number is longer than the modulus") func numbers() throws {
        guard case .pair(.rsa(let parts)) = try SampleKey.key(.rs256).material else { return }
        let count = parts.modulus.count
        for isLonger in [false, true] {
            var changed = parts
            changed.secret?.coefficient = Array(repeating: 1, count: isLonger ? count + 1 : count)
            if isLonger {
                #expect(throws: TokenKeyError.inconsistent) {
                    try TokenKey(parts: .rsa(changed), algorithm: .rs256)
                }
            } else {
                #expect(throws: Never.self) { try TokenKey(parts: .rsa(changed), algorithm: .rs256) }
            }
        }
    }

    @Test("RFC 7518, 2 numbers are written without zeros in front") func webKeys() throws {
        var members = Dictionary(
            uniqueKeysWithValues: try Self.key(exponent: [0, 0, 3]).jwk(includingSecret: true).map {
                ($0.name, $0.value)
            })
        expect(members["e"], equals: "Aw")
        members["n"] = nil
        expect(members, equals: ["alg": "RS256", "e": "Aw", "kty": "RSA", "use": "sig"])
    }
}

/// Keys for every algorithm. Those of RSA are the standards' own, since making one takes its time.
enum SampleKey {
    /// An HS256 key of 64 bytes, as accounts have.
    static let account = Secret(Array(0..<64))

    static func key(_ algorithm: TokenAlgorithm, id: String? = nil) throws -> TokenKey {
        switch algorithm.family {
        case .authentication: try TokenKey(secret: account, algorithm: algorithm, id: id)
        case .encryption: try TokenKey(secret: Secret(Array(0..<32)), algorithm: algorithm, id: id)
        case .rsa: try bilbo(algorithm, id: id)
        case .curve: try TokenKey.new(algorithm, id: id)
        }
    }

    /// The RSA key of RFC 7520 for another algorithm.
    static func bilbo(_ algorithm: TokenAlgorithm, id: String? = nil) throws -> TokenKey {
        try StandardToken(
            label: "", algorithm: algorithm, key: StandardToken.bilbo, header: "", payload: "", signature: ""
        ).tokenKey(id: id)
    }

    /// Another key of the same algorithm.
    static func other(_ algorithm: TokenAlgorithm) throws -> TokenKey {
        switch algorithm.family {
        case .authentication: return try TokenKey(secret: Secret(Array(1...64)), algorithm: algorithm)
        case .encryption: return try TokenKey(secret: Secret(Array(1...32)), algorithm: algorithm)
        case .curve: return try TokenKey.new(algorithm)
        case .rsa:
            let row = StandardToken.all[1]
            return try StandardToken(
                label: "", algorithm: algorithm, key: row.key, header: "", payload: "", signature: ""
            ).tokenKey()
        }
    }
}
