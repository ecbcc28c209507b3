import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7.6, R12.2 Hashes") struct CryptographyTests {
    @Test("R7.6 SHA-256 agrees with a second route at every length", arguments: 0...130)
    func hashIsTheStandards(length: Int) {
        let text = String(repeating: "a", count: length)
        expect(Cryptography.sha256(of: Array(text.utf8)), equals: SHA256.digest(text))
    }

    @Test("R7.6 SHA-256 of the sample of FIPS 180-4") func hashOfTheSample() {
        let digest = Cryptography.sha256(of: Array("abc".utf8)).hexadecimal
        expect(digest, equals: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}

@Suite("R12.2 AES") struct BlockCipherTests {
    /// The samples of FIPS 197, appendix C: keys are bytes that count up from 0.
    static let blocks: [Case<Int, UInt128>] = [
        Case("AES-128", 16, gives: 0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A),
        Case("AES-192", 24, gives: 0xDDA9_7CA4_864C_DFE0_6EAF_70A0_EC0D_7191),
        Case("AES-256", 32, gives: 0x8EA2_B7CA_5167_45BF_EAFC_4990_4B49_6089),
    ]

    @Test("R12.2 one block, again and again", arguments: blocks)
    func enciphersABlock(_ row: Case<Int, UInt128>) throws {
        let cipher = try #require(BlockCipher(key: Array(0..<UInt8(row.input))))
        for _ in 0..<3 {
            expect(cipher.encrypt(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF), equals: row.expected)
        }
    }

    @Test("R12.2 no block depends on the one before") func blocksStandAlone() throws {
        let cipher = try #require(BlockCipher(key: Array(0..<32)))
        let first = cipher.encrypt(1)
        #expect(cipher.encrypt(2) != first)
        expect(cipher.encrypt(1), equals: first)
    }

    @Test("R12.2 keys have 16, 24 or 32 bytes", arguments: 0...40) func keysHaveALength(count: Int) {
        #expect((BlockCipher(key: Array(repeating: 0, count: count)) != nil) == [16, 24, 32].contains(count))
    }
}

@Suite("Pairs of keys") struct AsymmetricKeyTests {
    @Test("a signature of another length is none", arguments: [EllipticCurve.p256, .p384, .p521])
    func lengths(curve: EllipticCurve) throws {
        let algorithm: TokenAlgorithm = curve == .p256 ? .es256 : curve == .p384 ? .es384 : .es512
        guard case .curve(_, let scheme) = algorithm.family else { return }
        let key = AsymmetricKey(curve: curve)
        let message = Array("message".utf8)
        let signature = try #require(key.sign(message, scheme))
        expect(signature.count, equals: 2 * curve.length)
        #expect(key.verify(signature, of: message, scheme))
        #expect(!key.verify(signature, of: message + [0], scheme))
        for other in [Array(signature.dropLast()), signature + [0], Array(signature.dropLast(2)), []] {
            #expect(!key.verify(other, of: message, scheme))
        }
        #expect(!key.verify(Array(repeating: 0, count: signature.count), of: message, scheme))
    }

    @Test("a key on a curve does not verify what only RSA can sign") func otherForm() throws {
        guard case .rsa(let scheme) = TokenAlgorithm.ps256.family else { return }
        let key = AsymmetricKey(curve: .p256)
        #expect(key.sign([1], scheme) == nil)
        #expect(!key.verify(Array(repeating: 1, count: 64), of: [1], scheme))
    }

    @Test("a key in PEM has nothing behind it, and is not cut") func pem() throws {
        for algorithm in [TokenAlgorithm.es256, .rs256] {
            let key = try SampleKey.key(algorithm)
            let lines = try #require(key.publicPEM).split(separator: "\n")
            let bytes = try #require(Base64.bytes(of: lines.dropFirst().dropLast().joined()))
            let text = { (bytes: [UInt8]) in
                "-----BEGIN PUBLIC KEY-----\n\(Base64.text(of: bytes))\n-----END PUBLIC KEY-----\n"
            }
            try expect(TokenKey(pem: text(bytes), algorithm: algorithm), equals: key.publicKey)
            for other in [bytes + [0], Array(bytes.dropLast()), [UInt8]([0])] {
                #expect(throws: TokenKeyError.notPEM) { try TokenKey(pem: text(other), algorithm: algorithm) }
            }
        }
    }
}

/// App signing certificates (manual, Android App Signing Certificates).
@Suite struct CertificateTests {
    // C=UK, L=Edinburgh, O=CriticalBlue, CN=ANOther, until 21 May 2041; its fingerprint is OpenSSL's own.
    private static let encoded =
        "MIIB6TCCAY+gAwIBAgIUJBUo+A5Lb5JVuFOkRzr7A9VyfRowCgYIKoZIzj0EAwIwSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVk"
        + "aW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdBTk90aGVyMB4XDTI2MTEyMTA3NDk1NFoXDTQxMDUyMTA3"
        + "NDk1NFowSjELMAkGA1UEBhMCVUsxEjAQBgNVBAcMCUVkaW5idXJnaDEVMBMGA1UECgwMQ3JpdGljYWxCbHVlMRAwDgYDVQQDDAdB"
        + "Tk90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2RaPYx2mfoM9OeqTmJEfe0gU0rYmczSBHsvjzc0yJGc/A1Y+1Kdvc9bz"
        + "5YxSaqa0UGA+ckdj8q3u/0Kg7WWLDqNTMFEwHQYDVR0OBBYEFCv5k/bnQrKjAMD4gdVBpptJnj6xMB8GA1UdIwQYMBaAFCv5k/bn"
        + "QrKjAMD4gdVBpptJnj6xMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAPe6G3sqWHjBv39MmgZgYoxKjTfvZNJh"
        + "g1uie02f+gYNAiAEERRmVwaiWs9na6VWGMMPsqdTA4+Ivpi9OOdvntVT8w=="

    private static func bytes() throws -> [UInt8] { Array(try #require(Data(base64Encoded: encoded))) }

    @Test func saysWhoseItIsAndHowLong() throws {
        let certificate = try #require(AppSigningCertificate(der: try Self.bytes()))
        expect(certificate.fingerprint, equals: "46:1A:BC:D7:53:30:3F:74")
        expect(certificate.subject, equals: "CN=ANOther,O=CriticalBlue,L=Edinburgh,C=UK")
        expect(certificate.expiry, equals: Instant(rfc3339: "2041-05-21T07:49:54Z"))
    }

    @Test func whatIsCutOrHasMoreBehindItIsNone() throws {
        let bytes = try Self.bytes()
        for count in 0..<bytes.count { #expect(AppSigningCertificate(der: Array(bytes.prefix(count))) == nil) }
        #expect(AppSigningCertificate(der: bytes + [0]) == nil)
        #expect(AppSigningCertificate(der: Array("-----BEGIN CERTIFICATE-----".utf8)) == nil)
    }
}
