import Testing

@testable import PolicyEngine

@Suite("Pairs of keys") struct AsymmetricKeyTests {
    @Test("a signature of another length is none", arguments: [EllipticCurve.p256, .p384, .p521])
    func lengths(curve: EllipticCurve) throws {
        let algorithm: TokenAlgorithm = curve == .p256 ? .es256 : curve == .p384 ? .es384 : .es512
        guard case .curve(_, let scheme) = algorithm.family else { return }
        let key = AsymmetricKey(curve: curve)
        let message = Array("message".utf8)
        let signature = try #require(key.sign(message, scheme))
        #expect(signature.count == 2 * curve.length)
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
            #expect(try TokenKey(pem: text(bytes), algorithm: algorithm) == key.publicKey)
            for other in [bytes + [0], Array(bytes.dropLast()), [UInt8]([0])] {
                #expect(throws: TokenKeyError.notPEM) { try TokenKey(pem: text(other), algorithm: algorithm) }
            }
        }
    }
}
