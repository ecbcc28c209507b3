import Testing

@testable import PolicyEngine

/// The values that follow from the seed `s` were computed with Python: blocks of SHA-512 over `purpose|block|seed`.
@Suite("Keys that follow from a seed") struct SeededKeyTests {
    private static let chance = KeyChance.seeded("s")

    @Test("bytes of two blocks, the second one cut") func blocks() {
        let text = """
            efb5d089ccf32b5cfbf8416c6c0b9c0b84522e4f4b48a7e82df84db2dd17063ff0e89134c7f507efa073f6998848090eb2922b19f15b1f3\
            ab01d7c04860d4f0cf3a00702df1673b7b5da5ace48af45c8cbc802d260180251604bc2267718dd386e8b4e08
            """
        #expect(Self.chance.bytes(100, for: "p").hexadecimal == text)
        #expect(Self.chance.bytes(64, for: "p").hexadecimal == String(text.prefix(128)))
        #expect(Self.chance.bytes(0, for: "p") == [])
    }

    @Test("the system's chance has the length that is asked for, and another answer each time") func system() {
        let (first, second) = (KeyChance.system.bytes(40, for: "p"), KeyChance.system.bytes(40, for: "p"))
        #expect(first.count == 40 && second.count == 40 && first != second)
    }

    @Test("secrets of accounts (manual, Raw Account Secret Key)") func accountSecrets() {
        let raw = "5QZLPra54TAUdf/BHN0v0HY9tuKnk4vchxVN4gunxVqK/G6D5PypI1PSAsse6yDLAF65el/YdXiisdy9Jf+wmQ=="
        #expect(Base64.text(of: Self.chance.accountSecret(isPrintable: false).bytes) == raw)
        let printable = "lGL-25hwU1_BcdvQ292inTLcHVNiLnFaK8uDk8pjTSCLergLAe56fY14ixc9l_wZ"
        #expect(Self.chance.accountSecret(isPrintable: true).bytes == Array(printable.utf8))
        #expect(
            Base64.text(of: Self.chance.encryptionSecret().bytes) == "8s7LSpUZ20SrNC+IRDtGW8HlUduZVaikoTjY3hlEN7w=")
        let signing = "2x5_P_T0s8T_SNAMw6LjJljlfa-Lru3Friv9j11arkMAy7_pdMtYzs0fBHVDNTVL"
        #expect(Self.chance.messageSigningKey().secret.bytes == Array(signing.utf8))
    }

    @Test("symmetric keys have the bytes of their purpose") func symmetric() throws {
        let long = try TokenKey.new(.hs512, id: "k", bits: 512, from: Self.chance)
        #expect(
            Base64.text(of: long.secretBytes, .url)
                == "K10sgIz9oa_pXxtq5OaF0Vr9wXgja7-xQzS3CWThmNJdjwfsmt5scPBldWOezSaOszVAqLQhWxwXdoAwOhygrg")
        let usual = try TokenKey.new(.hs256, id: nil, bits: nil, from: Self.chance)
        #expect(Base64.text(of: usual.secretBytes, .url) == "GZ3V_AnDqH3BXFC4ZUpMKaO1V_x9LxR8hzbRFHMPW90")
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
        #expect(
            TokenKeyError.notRepeatable(.rs256).description
                == "a key for `RS256` cannot be drawn from a seed")
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
        #expect(key.weakness == words)
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
        #expect(set.nextNumber == 9)
        set.number(from: 5)
        try set.append(key)
        #expect(set.ids == ["1", "3", "9"] && set.nextNumber == 10)
        let named = try TokenKey.new(.hs256, id: "10", bits: nil, from: Self.chance)
        try set.append(named)
        #expect(set.nextNumber == 10)
        try set.append(key)
        #expect(set.ids == ["1", "3", "9", "10", "11"] && set.nextNumber == 12)
    }
}
