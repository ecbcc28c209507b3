import Testing

@testable import PolicyEngine
@testable import TestSupport

/// The keys of proofs (R22.2).
@Suite struct MeasurementTests {
    @Test("R22.2 `mpk` belongs to the SDK's version") func proofKeys() {
        func key(_ sdk: String, hardware: String = "phone", salt: String = "s") -> [UInt8] {
            Measurement(app: ["app"], hardware: [hardware], salt: salt, account: "a", sdk: sdk).proofKey
        }
        expect(key("2.4.0"), equals: key("2.4.0", hardware: "other", salt: "t"))
        #expect(key("2.4.0") != key("2.5.0"))
        expect(key("2.4.0").count, equals: 16)
    }
}
