import Testing

@testable import PolicyEngine

@Suite("Message signing (manual, Message Signing)") struct MessageSigningTests {
    private static let raw = "EXTnGxoMbCSwGv6pc8uWlLE5PmxKuNMXdT95uk-oLOTVmHFduTnymebdTeafGU7I"

    @Test("the manual's key and its forms") func manualKey() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        #expect(key.id == "EXTnGx")
        #expect(
            Base64.text(of: key.secret.bytes)
                == "RVhUbkd4b01iQ1N3R3Y2cGM4dVdsTEU1UG14S3VOTVhkVDk1dWstb0xPVFZtSEZkdVRueW1lYmRUZWFmR1U3SQ==")
    }

    // The second worked out with Python's hmac.
    @Test("a signature is base64 of HMAC-SHA-256") func signature() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        #expect(key.signature(of: "GET /shapes") == "PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=")
        #expect(key.verifies("PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=", of: "GET /shapes"))
        #expect(!key.verifies("PqRVa/Y+wgSMxDJA6o8bbb0ShkClwxn9lhs1fejSS48=", of: "GET /shapes "))
        #expect(!key.verifies("", of: "GET /shapes"))
    }

    @Test("a failed attestation gets another secret of the same ID") func rejectedKey() throws {
        let key = try #require(MessageSigningKey(raw: Self.raw))
        #expect(key.rejected.id == key.id)
        #expect(key.rejected.secret != key.secret)
        #expect(MessageSigningKey(raw: String(decoding: key.rejected.secret.bytes, as: UTF8.self)) == key.rejected)
        #expect(!key.verifies(key.rejected.signature(of: "m"), of: "m"))
    }

    @Test("new keys are printable and differ") func newKeys() {
        let (first, second) = (MessageSigningKey.new(), MessageSigningKey.new())
        #expect(first != second)
        #expect(first.secret.bytes.count == 64)
        #expect(MessageSigningKey(raw: String(decoding: first.secret.bytes, as: UTF8.self)) == first)
    }

    @Test("other texts are no keys", arguments: ["", String(raw.dropLast()), raw + "A", String(raw.dropLast()) + "+"])
    func otherTexts(text: String) { #expect(MessageSigningKey(raw: text) == nil) }
}
