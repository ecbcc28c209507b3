import Testing

@testable import PolicyEngine

/// Measurements, and keys of those that failed (R21.4, R22).
@Suite struct MeasurementProofTests {
    private static func measurement(_ app: [String], _ hardware: [String], salt: String = "s") -> Measurement {
        Measurement(app: app, hardware: hardware, salt: salt, account: "a", sdk: "2.5.0")
    }

    @Test("R22.2 a proof is HMAC-SHA-256 of nonce and measurement under the key of proofs") func proof() {
        let measured = Self.measurement(["1.0"], ["phone"])
        let nonce = [UInt8](0..<16)
        #expect(measured.integrity.count == 32 && measured.device.count == 32 && measured.proofKey.count == 16)
        for (kind, value) in [(Measurement.Kind.integrity, measured.integrity), (.device, measured.device)] {
            let proof = measured.proof(kind, nonce: nonce)
            #expect(proof.count == 32)
            #expect(proof == MessageAuthenticator(key: measured.proofKey, hash: .sha256).code(of: nonce + value))
        }
    }

    @Test("R22.2 what is measured, and salted anew by each attestation") func measures() {
        let one = Self.measurement(["1.0", "x"], ["phone"])
        #expect(one == Self.measurement(["1.0", "x"], ["phone"]))
        let other = Self.measurement(["1.0x"], ["phone"])
        #expect(one.integrity != other.integrity)
        #expect(one.device == other.device)
        #expect(one.device != Self.measurement(["1.0", "x"], ["other"]).device)
        let salted = Self.measurement(["1.0", "x"], ["phone"], salt: "t")
        #expect(one.integrity != salted.integrity && one.device != salted.device)
        #expect(one.proofKey == salted.proofKey)
    }

    @Test("R21.4 after a fail messages are signed with another key, stable by install") func rejectedKeys() throws {
        let key = MessageSigningKey.new()
        let devices = try ["h4gubfCFzJu81j/U2BJsdg==", "DoYouReadThisText01234=="].map { try #require(DeviceID($0)) }
        let (bob, amy) = (key.rejected(on: devices[0]), key.rejected(on: devices[1]))
        #expect(bob == key.rejected(on: devices[0]))
        #expect(Set([key, bob, amy]).count == 3)
        #expect([bob.id, amy.id] == [key.id, key.id])
        #expect(!key.verifies(bob.signature(of: "m"), of: "m"))
        #expect(key.verifies(key.signature(of: "m"), of: "m"))
    }
}
