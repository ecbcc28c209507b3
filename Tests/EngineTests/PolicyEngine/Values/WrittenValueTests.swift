import Testing

@testable import PolicyEngine
@testable import TestSupport

// Percentages as texts are in Tests/Tables/values.
@Suite("R7.6 Percentages") struct PercentageTests {
    @Test("R7.6 nothing is in 0 %, everything in 100 %", arguments: [UInt64.min, 1, 1 << 63, .max - 1, .max])
    func ends(draw: UInt64) {
        #expect(!Percentage.zero.contains(draw))
        #expect(Percentage.hundred.contains(draw))
    }

    @Test("shares add up to 100 % at most") func sums() throws {
        let tenth = try #require(Percentage("0.1"))
        expect(Percentage.sum(Array(repeating: tenth, count: 1000)), equals: .hundred)
        #expect(Percentage.sum(Array(repeating: tenth, count: 1001)) == nil)
        expect(Percentage.sum([Percentage]()), equals: .zero)
        let parts = try ["33.333333333", "33.333333333", "33.333333334"].map { try #require(Percentage($0)) }
        expect(Percentage.sum(parts), equals: .hundred)
    }

    @Test("shares are ordered") func order() throws {
        #expect(Percentage.zero < .hundred)
        #expect(try #require(Percentage("9.9")) < #require(Percentage("10")))
        try expect(#require(Percentage("1.50")), equals: #require(Percentage("1.5")))
    }
}

/// Versions of the SDK, and what they bound (R7.8, R9.1, R18.7, R21.4).
@Suite struct SDKVersionTests {
    /// The last version that cannot, and the first that can.
    static let bounds: [(feature: SDKFeature, last: String, first: String)] = [
        (.pinningTest, "2.3.9", "2.4.0"), (.safetyNet, "2.3.9", "2.4.0"), (.userProperties, "2.4.9", "2.5.0"),
        (.messageSignatures, "2.4.9", "2.5.0"), (.loggableKeyIDs, "2.1.9", "2.2.0"),
        (.appBundles, "2.2.9", "2.3.0"), (.unversionedRegistrations, "2.5.9", "2.6.0"),
    ]

    @Test("R7.8, R9.1, R14.6, R15.1a, R18.7, R21.4 from which version on an SDK can do something")
    func features() {
        expect(Set(Self.bounds.map(\.feature)), equals: Set(SDKFeature.allCases))
        for (feature, last, first) in Self.bounds {
            #expect(!feature.isSupported(by: SDKVersion(last)), "\(feature)")
            #expect(feature.isSupported(by: SDKVersion(first)), "\(feature)")
            expect(feature.firstVersion.description, equals: first)
            #expect(feature.isSupported(by: nil), "\(feature): absent counts as new enough")
        }
    }
}

/// The names were worked out with Python's hmac: twelve bytes of HMAC-SHA-256, five bits of each.
@Suite("Names that stand for others") struct PseudonymTests {
    private static let key = PseudonymKey(from: Array("some key".utf8))

    @Test(
        "a name follows from key, kind and text",
        arguments: [
            ("1.2.3.4", "ip", "zgcu6r45t7da"), ("1.2.3.4", "device", "qnjxbc4illto"), ("", "ip", "waz7kdft6jri"),
        ])
    func names(text: String, kind: String, name: String) {
        expect(Self.key.name(for: text.utf8, kind: kind), equals: name)
    }

    @Test("the names of several texts are in the order of these, and sorted as they read") func severalNames() {
        let names = Self.key.names(for: ["1.2.3.4".utf8, "".utf8], kind: "ip")
        expect(names.map(\.text), equals: ["zgcu6r45t7da", "waz7kdft6jri"])
        expect(names.sorted().map(\.text), equals: ["waz7kdft6jri", "zgcu6r45t7da"])
        let texts = (0..<500).map { "\($0)".utf8 }
        let several = Self.key.names(for: texts, kind: "device")
        expect(several.map(\.text), equals: texts.map { Self.key.name(for: $0, kind: "device") })
        expect(several.sorted().map(\.text), equals: several.map(\.text).sorted())
    }

    @Test("keys of chance give other names each time") func random() {
        let names = (0..<4).map { _ in PseudonymKey.random().name(for: "1.2.3.4".utf8, kind: "ip") }
        expect(Set(names).count, equals: 4)
        #expect(names.allSatisfy { $0.utf8.count == 12 })
    }
}
