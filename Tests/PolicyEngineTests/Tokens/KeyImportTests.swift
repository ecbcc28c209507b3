import Testing

@testable import PolicyEngine

@Suite("Keys that join a key set (manual, Importing Keys)") struct KeyImportTests {
    private static let k = Base64.text(of: Array(0..<32), .url)

    private static func jwk(_ more: String) -> String { #"{"kty":"oct","alg":"HS256","k":"\#(k)"\#(more)}"# }

    private static let whole = jwk(#","kid":"a","use":"sig""#)

    @Test("one key, or a set of them") func sound() throws {
        #expect(try TokenKey.keys(importing: Self.whole).map(\.id) == ["a"])
        let other = Self.jwk(#","kid":"b","use":"sig""#)
        #expect(try TokenKey.keys(importing: #"{"keys":[\#(Self.whole),\#(other)]}"#).map(\.id) == ["a", "b"])
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
        #expect(try TokenKey.keys(importing: text(true)) == [key])
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
        #expect(try TokenKey.keys(jwks: set(10)).count == 10)
        #expect(try TokenKey.keys(jwks: set(0)).isEmpty)
        #expect(throws: TokenKeyError.wrong("keys", mustBe: "at most 10")) { try TokenKey.keys(jwks: set(11)) }
        #expect(throws: TokenKeyError.missing("keys")) { try TokenKey.keys(jwks: Self.whole) }
        #expect(throws: TokenKeyError.missing("keys")) { try TokenKey.keys(jwks: #"{"keys":{}}"#) }
        #expect(throws: TokenKeyError.missing("alg")) { try TokenKey.keys(jwks: #"{"keys":[{}]}"#) }
    }
}
