import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("R7.6 Percentages") struct PercentageTests {
    struct Text: LabelledRow {
        let text: String
        /// `nil` where the text is none.
        let billionths: UInt64?

        var testDescription: String { "`\(text)`" }

        init(_ text: String, _ billionths: UInt64?) { (self.text, self.billionths) = (text, billionths) }
    }

    static let texts = [
        Text("0", 0), Text("0.0", 0), Text("1", 1_000_000_000), Text("0.1", 100_000_000), Text("100", 100_000_000_000),
        Text("100.000000000", 100_000_000_000), Text("0.000000001", 1), Text("12.5", 12_500_000_000),
        Text("007", 7_000_000_000), Text("99.999999999", 99_999_999_999),
        Text("100.000000001", nil), Text("101", nil), Text("999", nil), Text("1000", nil), Text("0001", nil),
        Text("0.0000000001", nil), Text("", nil), Text(".", nil), Text(".5", nil), Text("5.", nil), Text("1.2.3", nil),
        Text("-1", nil), Text("+1", nil), Text("1%", nil), Text(" 1", nil), Text("1 ", nil), Text("1,5", nil),
        Text("1e1", nil), Text("0x1", nil), Text("\u{663}", nil), Text("0.\u{663}", nil), Text("nan", nil),
    ]

    @Test("R7.6 a percentage is a plain number of up to nine decimals", arguments: texts)
    func percentageIsRead(_ row: Text) {
        expect(Percentage(row.text)?.billionths, equals: row.billionths)
    }

    /// Worked out by hand: the share times 18 446 744 073 709 551 616, rounded up.
    /// Percentages, and the lowest draw that is out under each: the share of 2^64, rounded up.
    static let thresholds: [Case<String, UInt64>] = [
        Case("50", gives: 0x8000_0000_0000_0000),
        Case("25", gives: 0x4000_0000_0000_0000),
        Case("75", gives: 0xC000_0000_0000_0000),
        Case("12.5", gives: 0x2000_0000_0000_0000),
        Case("1", gives: 184_467_440_737_095_517),
        Case("0.1", gives: 18_446_744_073_709_552),
        Case("10", gives: 1_844_674_407_370_955_162),
        Case("0.000000001", gives: 184_467_441),
        Case("99.999999999", gives: 18_446_744_073_525_084_176),
    ]

    @Test("R7.6 a draw is in below share × 2^64, exactly", arguments: thresholds)
    func thresholdIsExact(_ row: Case<String, UInt64>) throws {
        let share = try #require(Percentage(row.input))
        #expect(share.contains(0))
        #expect(share.contains(row.expected - 1))
        #expect(!share.contains(row.expected))
        #expect(!share.contains(.max))
    }

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
    /// Versions, and the order of each to 2.4.0 and to 2.5.0: `-1` for older, `0` for equal, `1` for newer.
    static let rows: [Case<String, [Int]>] = [
        Case("2.4.0", gives: [0, -1]), Case("2.4", gives: [0, -1]),
        Case("2.4.0-bitcode", gives: [0, -1]), Case("2.4.0.0", gives: [0, -1]),
        Case("2.3.9", gives: [-1, -1]), Case("2.3.99999999999999999999", gives: [-1, -1]),
        Case("2", gives: [-1, -1]), Case("1.99", gives: [-1, -1]),
        Case("2.4.1", gives: [1, -1]), Case("2.5.0", gives: [1, 0]),
        Case("2.5.0-rc1", gives: [1, 0]), Case("2.5.0.1", gives: [1, 1]),
        // Number by number, and not letter by letter.
        Case("2.10.0", gives: [1, 1]), Case("10.0", gives: [1, 1]),
        // The text behind the first number that is not whole is not read.
        Case("2.4rc.9", gives: [0, -1]), Case("2.4..9", gives: [0, -1]),
    ]

    @Test("R9.1 versions are compared number by number", arguments: rows)
    func compares(_ row: Case<String, [Int]>) throws {
        let version = try #require(SDKVersion(row.input))
        let bounds = [SDKVersion(2, 4, 0), SDKVersion(2, 5)]
        expect(bounds.map { version < $0 ? -1 : $0 < version ? 1 : 0 }, equals: row.expected)
        expect(bounds.map { version == $0 }, equals: row.expected.map { $0 == 0 })
    }

    @Test("a text without a number is not a version", arguments: ["", "beta", "v2.4.0", "-2", ".4"])
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
        expect(Set(Self.bounds.map(\.feature)), equals: Set(SDKFeature.allCases))
        for (feature, last, first) in Self.bounds {
            #expect(!feature.isSupported(by: SDKVersion(last)), "\(feature)")
            #expect(feature.isSupported(by: SDKVersion(first)), "\(feature)")
            expect(feature.firstVersion.description, equals: first)
            #expect(feature.isSupported(by: nil), "\(feature): absent counts as new enough")
        }
    }
}

@Suite("R13.1 The system of a device") struct OperatingSystemTests {
    struct Row: LabelledRow {
        let device: String
        let system: OperatingSystem
        let metric: String

        var testDescription: String { "`\(device)`" }
    }

    static let rows = [
        Row(device: "Android 8.1.0, Nexus 5X, google, bullhead, en", system: .android, metric: "and"),
        Row(device: "Android", system: .android, metric: "and"),
        Row(device: "iOS, 12.1.2, iPhone7,2, en_ES", system: .ios, metric: "ios"),
        Row(device: "iOS", system: .ios, metric: "ios"),
        Row(device: "", system: .unknown, metric: "unknown"),
        Row(device: "android 8", system: .unknown, metric: "unknown"),
        Row(device: " iOS", system: .unknown, metric: "unknown"),
        Row(device: "iO", system: .unknown, metric: "unknown"),
        Row(device: "Windows", system: .unknown, metric: "unknown"),
    ]

    @Test("R13.1 the system is recognised by how the device attribute begins", arguments: rows)
    func systemIsTold(_ row: Row) {
        let system = OperatingSystem(deviceAttribute: Array(row.device.utf8).span)
        expect(system, equals: row.system)
        expect(system.metricName, equals: row.metric)
    }
}

@Suite("R4.5, R4.8 The names of rejections") struct RejectionNameTests {
    static let rows: [Case<String, Rejection>] = [
        Case("policy:blacklist", gives: .blacklist),
        Case("filter:myip", gives: .filter(ExactText("myip"))),
        Case("filter:", gives: .filter(ExactText(""))),
        Case("rooted", gives: .flag(ExactText("rooted"))),
        Case("filters", gives: .flag(ExactText("filters"))),
        Case("blacklist", gives: .flag(ExactText("blacklist"))),
    ]

    @Test("a name is read as it is written", arguments: rows) func isRead(_ row: Case<String, Rejection>) {
        expect(Rejection(row.input), equals: row.expected)
        expect(row.expected.name, equals: row.input)
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
