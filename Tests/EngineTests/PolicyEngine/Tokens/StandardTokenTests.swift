import Foundation
import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("RFC 7515, 7516, 7518, 7520: the standards' own tokens") struct StandardTokenTests {
    @Test("a printed token is verified by its key", arguments: StandardToken.all)
    func verifies(_ row: StandardToken) throws {
        let key = try row.tokenKey()
        let payload = try TokenVerifier(key: key).payload(of: row.token)
        expect(Base64.text(of: payload, .url), equals: row.payload)
        guard let publicKey = key.publicKey else { return }
        #expect(throws: Never.self) { try TokenVerifier(key: publicKey).payload(of: row.token) }
        expect(publicKey.isPrivate, equals: false)
    }

    @Test("without chance in it, a signature comes out as it is printed", arguments: StandardToken.all)
    func signs(_ row: StandardToken) throws {
        let key = try row.tokenKey()
        let input = Array("\(row.header).\(row.payload)".utf8)
        switch (key.material, row.algorithm.family) {
        case (.secret(let secret), .authentication(let hash)):
            let code = MessageAuthenticator(key: secret.bytes, hash: hash).code(of: input)
            expect(Base64.text(of: code, .url), equals: row.signature)
        case (.pair(let parts), .rsa(let scheme)), (.pair(let parts), .curve(_, let scheme)):
            let signature = try #require(AsymmetricKey(parts)?.sign(input, scheme))
            #expect(row.algorithm.isProbabilistic == (Base64.text(of: signature, .url) != row.signature))
            expect(signature.count, equals: Base64.bytes(of: row.signature, .url)?.count)
        default: Issue.record("no signature")
        }
    }

    @Test("a bit that changes anywhere makes it another token", arguments: StandardToken.all)
    func everyChangeShows(_ row: StandardToken) throws {
        let verifier = TokenVerifier(key: try row.tokenKey())
        let bytes = Array(row.token.utf8)
        for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            var changed = bytes
            changed[index] ^= 1
            let token = String(decoding: changed, as: UTF8.self)
            #expect(throws: TokenError.self) { try verifier.payload(of: token) }
        }
    }

    @Test("RFC 7520, 5.7: the key of a content, wrapped by A256GCMKW") func wrapsAsPrinted() throws {
        let key = try #require(Base64.bytes(of: "qC57l_uxcm7Nm3K-ct4GFjx8tM1U8CZ0NLBvdQstiS8", .url))
        let contentKey = try #require(Base64.bytes(of: "UWxARpat23nL9ReIj4WG3D1ee9I4r-Mv5QLuFXdy_rE", .url))
        let vector = try #require(Base64.bytes(of: "KkYT0GX_2jHlfqN_", .url))
        let wrapped = AuthenticatedCipher.seal(contentKey, key: key, vector: vector)
        expect(Base64.text(of: wrapped.enciphered, .url), equals: "lJf3HbOApxMEBkCMOoTnnABxs_CvTWUmZQ2ElLvYNok")
        expect(Base64.text(of: wrapped.tag, .url), equals: "kfPduVQ3T3H6vnewt--ksw")
        let opened = AuthenticatedCipher.open(wrapped.enciphered, tag: wrapped.tag, key: key, vector: vector)
        expect(opened, equals: contentKey)
    }

    @Test("RFC 7516, A.1: a content, encrypted by A256GCM") func encryptsAsPrinted() throws {
        let key: [UInt8] = [
            177, 161, 244, 128, 84, 143, 225, 115, 63, 180, 3, 255, 107, 154, 212, 246, 138, 7, 110, 91, 112, 46, 34,
            105,
            47, 130, 203, 46, 122, 234, 64, 252,
        ]
        let text = Array("The true sign of intelligence is not knowledge but imagination.".utf8)
        let sealed = AuthenticatedCipher.seal(
            text, authenticating: Array("eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ".utf8), key: key,
            vector: try #require(Base64.bytes(of: "48V1_ALb6US04U3b", .url)))
        expect(
            Base64.text(of: sealed.enciphered, .url),
            equals: "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A")
        expect(Base64.text(of: sealed.tag, .url), equals: "XFBoMYUZodetZdvTiFvSkQ")
    }
}

/// A signed token that a standard prints, with its key.
struct StandardToken: LabelledRow {
    let label: String
    let algorithm: TokenAlgorithm
    /// The JSON Web Key without `alg`.
    let key: String
    let header: String
    let payload: String
    let signature: String

    var token: String { "\(header).\(payload).\(signature)" }

    /// The key with its algorithm.
    func tokenKey(id: String? = nil) throws -> TokenKey {
        let name = id.map { #","kid":"\#($0)""# } ?? ""
        return try TokenKey(jwk: #"{"alg":"\#(algorithm.rawValue)"\#(name),"# + key.dropFirst())
    }

    /// The private key of RFC 7520, 3.4.
    static var bilbo: String { all[4].key }

    /// The examples of RFC 7515 and RFC 7520 with an algorithm of this service.
    static let all: [StandardToken] = {
        let path = "Tests/Tables/tokens/standards.txt"
        let file = CaseFile(path: path, text: (try? Repository.text(of: path)) ?? "")
        return file.cases.map { example in
            let lines = example.body
            return StandardToken(
                label: example.name, algorithm: TokenAlgorithm(rawValue: lines[0]) ?? .hs256, key: lines[1],
                header: lines[2], payload: lines[3], signature: lines[4])
        }.rows(8)
    }()
}

@Suite("RFC 4648 Base64") struct Base64Tests {
    @Test("every length comes back, in both alphabets") func roundTrip() throws {
        for count in 0..<130 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ count) }
            expect(Base64.text(of: bytes), equals: Data(bytes).base64EncodedString())
            for alphabet in [Base64.Alphabet.standard, .url] {
                expect(Base64.bytes(of: Base64.text(of: bytes, alphabet), alphabet), equals: bytes)
            }
        }
        expect(Base64.text(of: [0xFB, 0xFF], .url), equals: "-_8")
        expect(Base64.text(of: [0xFB, 0xFF]), equals: "+/8=")
    }

    @Test(
        "one text for one list of bytes",
        arguments: ["A", "AA=", "AA==", "AB", "AAB", "A A", "A\n", "+/8", "AAAA=", "é"])
    func strictURL(text: String) { #expect(Base64.bytes(of: text, .url) == nil) }

    @Test(
        "with padding, and just as much as is needed",
        arguments: ["AA", "AA=", "A===", "AAA", "AB==", "AAB=", "-_8=", "AAAA====", "=AAA", "AA=A"])
    func strictStandard(text: String) { #expect(Base64.bytes(of: text) == nil) }
}
