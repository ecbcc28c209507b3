import Testing

@testable import PolicyEngine
@testable import TestSupport

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
            #expect(try Self.key(bits: row.bits, row.algorithm).bits == row.bits)
            return
        }
        #expect(throws: TokenKeyError.wrongLength(row.bits, row.algorithm, allowed: allowed)) {
            try Self.key(bits: row.bits, row.algorithm)
        }
    }

    @Test(
        "an exponent is odd and above 1, of eight bytes at most, whatever zeros stand in front",
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
        #expect(members["e"] == "Aw")
        members["n"] = nil
        #expect(members == ["alg": "RS256", "e": "Aw", "kty": "RSA", "use": "sig"])
    }
}
