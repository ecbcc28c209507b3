import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7.6, R12.2 Hashes") struct CryptographyTests {
    @Test("R7.6 SHA-256 agrees with a second route at every length", arguments: 0...130)
    func hashIsTheStandards(length: Int) {
        let text = String(repeating: "a", count: length)
        #expect(Cryptography.sha256(of: Array(text.utf8)) == SHA256.digest(text))
    }

    @Test("R7.6 SHA-256 of the sample of FIPS 180-4") func hashOfTheSample() {
        let digest = Cryptography.sha256(of: Array("abc".utf8)).hexadecimal
        #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    struct Code: LabelledRow {
        let label: String
        let key, message: [UInt8]
        let digest: String
    }

    /// The samples of RFC 4231 that are not cut, and, from Python's `hmac`, empty inputs.
    static let codes = [
        Code(
            label: "case 1", key: Array(repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
            digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        Code(
            label: "case 2", key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        Code(
            label: "case 3", key: Array(repeating: 0xAA, count: 20), message: Array(repeating: 0xDD, count: 50),
            digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        Code(
            label: "case 4", key: Array(1...25), message: Array(repeating: 0xCD, count: 50),
            digest: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
        Code(
            label: "case 6, a key longer than a block", key: Array(repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
        Code(
            label: "empty key", key: [], message: Array("arc v1".utf8),
            digest: "b8952e3be5aff81593572245d04d0ed760b8f3a700b91aff904df7893b62adbe"),
        Code(
            label: "empty message", key: Array("key".utf8), message: [],
            digest: "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0"),
        Code(
            label: "nothing at all", key: [], message: [],
            digest: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ]

    @Test("R12.2 HMAC-SHA-256", arguments: codes) func codeIsTheStandards(_ row: Code) {
        #expect(Cryptography.hmacSHA256(of: row.message, key: row.key).hexadecimal == row.digest)
    }
}
