import Testing

@testable import PolicyEngine
@testable import TestSupport

/// Versions of the SDK, and what they bound (R7.8, R9.1, R18.7, R21.4).
@Suite struct SDKVersionTests {
    struct Row: LabelledRow {
        let version: String
        /// Its order to 2.4.0 and to 2.5.0: `-1` for older, `0` for equal, `1` for newer.
        let order: [Int]
    }

    static let rows = [
        Row(version: "2.4.0", order: [0, -1]), Row(version: "2.4", order: [0, -1]),
        Row(version: "2.4.0-bitcode", order: [0, -1]), Row(version: "2.4.0.0", order: [0, -1]),
        Row(version: "2.3.9", order: [-1, -1]), Row(version: "2.3.99999999999999999999", order: [-1, -1]),
        Row(version: "2", order: [-1, -1]), Row(version: "1.99", order: [-1, -1]),
        Row(version: "2.4.1", order: [1, -1]), Row(version: "2.5.0", order: [1, 0]),
        Row(version: "2.5.0-rc1", order: [1, 0]), Row(version: "2.5.0.1", order: [1, 1]),
        // Number by number, and not letter by letter.
        Row(version: "2.10.0", order: [1, 1]), Row(version: "10.0", order: [1, 1]),
        // The text behind the first number that is not whole is not read.
        Row(version: "2.4rc.9", order: [0, -1]), Row(version: "2.4..9", order: [0, -1]),
    ]

    @Test("R9.1 versions are compared number by number", arguments: rows) func compares(_ row: Row) throws {
        let version = try #require(SDKVersion(row.version))
        let bounds = [SDKVersion(2, 4, 0), SDKVersion(2, 5)]
        #expect(bounds.map { version < $0 ? -1 : $0 < version ? 1 : 0 } == row.order)
        #expect(bounds.map { version == $0 } == row.order.map { $0 == 0 })
    }

    @Test("a text without a number is no version", arguments: ["", "beta", "v2.4.0", "-2", ".4"])
    func isNone(text: String) {
        #expect(SDKVersion(text) == nil)
    }

    /// The last version that cannot, and the first that can.
    static let bounds: [(feature: SDKFeature, last: String, first: String)] = [
        (.pinningTest, "2.3.9", "2.4.0"), (.safetyNet, "2.3.9", "2.4.0"), (.userProperties, "2.4.9", "2.5.0"),
        (.messageSignatures, "2.4.9", "2.5.0"), (.loggableKeyIDs, "2.1.9", "2.2.0"),
        (.appBundles, "2.2.9", "2.3.0"), (.unversionedRegistrations, "2.5.9", "2.6.0"),
    ]

    @Test("R7.8, R9.1, R14.6, R15.1a, R18.7, R21.4 from which version on an SDK can do something")
    func features() {
        #expect(Set(Self.bounds.map(\.feature)) == Set(SDKFeature.allCases))
        for (feature, last, first) in Self.bounds {
            #expect(!feature.isSupported(by: SDKVersion(last)), "\(feature)")
            #expect(feature.isSupported(by: SDKVersion(first)), "\(feature)")
            #expect(feature.firstVersion.description == first)
            #expect(feature.isSupported(by: nil), "\(feature): absent counts as new enough")
        }
    }
}
