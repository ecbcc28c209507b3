import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Keys of attributes, and of values that follow from them.
@Suite struct RecordKeyTests {
    private static let android = "Android 10, SM-G973F, samsung, beyond1lte, de"
    private static let iphone = "iOS, 13.5.1, iPhone11,8, en_GB"

    struct Row: LabelledRow {
        let key: String
        let value: String
        let derived: String?
    }

    static let rows = [
        Row(key: "device", value: android, derived: android),
        Row(key: "os", value: android, derived: "Android"),
        Row(key: "os", value: iphone, derived: "iOS"),
        Row(key: "os", value: "Windows 11, PC", derived: nil),
        Row(key: "os-version", value: android, derived: "Android 10"),
        Row(key: "os-version", value: iphone, derived: "iOS 13.5.1"),
        Row(key: "os-version", value: "Android ", derived: nil),
        Row(key: "model", value: android, derived: "SM-G973F"),
        // The comma of the model has no space behind it.
        Row(key: "model", value: iphone, derived: "iPhone11,8"),
        Row(key: "model", value: "Android 8", derived: nil),
        Row(key: "locale", value: android, derived: "de"),
        Row(key: "locale", value: iphone, derived: "en_GB"),
        // BCP 47: the part between language and region is a script.
        Row(key: "locale", value: "Android 9, A, B, C, zh-Hans-CN", derived: "zh-Hans-CN"),
        Row(key: "locale", value: "Android 9, A, B, SM-G973F", derived: nil),
        Row(key: "country", value: iphone, derived: "GB"),
        Row(key: "country", value: "Android 9, A, B, C, zh-Hans-CN", derived: "CN"),
        Row(key: "country", value: "Android 9, A, B, C, es_419", derived: "419"),
        Row(key: "country", value: android, derived: nil),
        Row(key: "app-version~major", value: "5.1(117)", derived: "5"),
        Row(key: "app-version~major", value: "v12", derived: "v12"),
        Row(key: "app-version~major", value: "beta", derived: nil),
        Row(key: "os-version~major", value: "Android 7.1.2, Moto G4", derived: "Android 7"),
        Row(key: "ip/16", value: "192.0.2.82", derived: "192.0.0.0/16"),
        Row(key: "ip/1", value: "192.0.2.82", derived: "128.0.0.0/1"),
        Row(key: "ip/32", value: "192.0.2.82", derived: "192.0.2.82/32"),
        Row(key: "ip/20", value: "10.1.255.1", derived: "10.1.240.0/20"),
        // Twice as many bits of IPv6 (RFC 5952 for the text).
        Row(key: "ip/16", value: "2001:db8:1:2:3:4:5:6", derived: "2001:db8::/32"),
        Row(key: "ip/24", value: "2001:DB8:0:1::1", derived: "2001:db8::/48"),
        Row(key: "ip/32", value: "2001:db8:0:1::1", derived: "2001:db8:0:1::/64"),
        Row(key: "ip/8", value: "::1", derived: "::/16"),
        Row(key: "ip/24", value: "::ffff:192.0.2.82", derived: "192.0.2.0/24"),
        Row(key: "ip/16", value: "fe80::1%eth0", derived: "fe80::/32"),
        Row(key: "ip/16", value: "192.0.2", derived: nil), Row(key: "ip/16", value: "192.0.2.256", derived: nil),
        Row(key: "ip/16", value: "1:2:3:4:5:6:7:8:9", derived: nil), Row(key: "ip/16", value: ":::", derived: nil),
        Row(key: "ip/16", value: "1::2::3", derived: nil), Row(key: "ip/16", value: "", derived: nil),
    ]

    @Test(arguments: rows) func valuesFollow(_ row: Row) throws {
        let derived = try RecordKey(row.key).value(of: Array(row.value.utf8))
        #expect(derived.map { String(decoding: $0, as: UTF8.self) } == row.derived)
    }

    @Test func timesAreHoursAndDaysOfUTC() throws {
        // 2020-07-23T09:59:59Z
        let time = Instant(secondsSinceEpoch: 1_595_498_399)
        #expect(try RecordKey("time/hour").value(at: time) == Array("2020-07-23T09Z".utf8))
        #expect(try RecordKey("time/day").value(at: time) == Array("2020-07-23".utf8))
    }

    @Test(arguments: [
        "ip/0", "ip/33", "ip/016", "ip/", "ip/x", "time/minute", "app-version~minor", "~major", "time/hour~major",
        "a~b",
    ])
    func otherFormsAreRefused(_ text: String) {
        let error = #expect(throws: RecordKeyError.self) { try RecordKey(text) }
        #expect(error?.description == "`\(text)` is not a key")
        #expect(error?.hint.contains("os-version, model, locale, country, time/hour") == true)
    }

    @Test func theKeyThatWasMeantIsOffered() {
        let error = #expect(throws: RecordKeyError.self) { try RecordKey("time/hours") }
        #expect(error?.hint.hasPrefix("did you mean `time/hour`? ") == true)
    }

    @Test(arguments: ["ip", "user-property", "a/b", "time"]) func anyOtherTextIsAnAttribute(_ text: String) throws {
        let key = try RecordKey(text)
        #expect(!key.isDerived && key.attribute == text && key.value(of: [1, 2]) == [1, 2])
    }

    @Test func numbersOfDerivedValuesAreThoseOfTheirTexts() throws {
        var values = DerivedValues(try RecordKey("os"))
        func number(_ text: String) -> Int? { values.number(Array(text.utf8).span, 0..<text.utf8.count) }
        #expect(number(Self.android) == 0 && number(Self.iphone) == 1 && number("Android 8, X") == 0)
        #expect(number("") == nil && number("") == nil && values.count == 2)
        #expect(values.bytes(of: 1) == Array("iOS".utf8))
    }

    @Test func addressesOfANetworkHaveOneNumber() throws {
        var values = DerivedValues(try RecordKey("ip/20"))
        func number(_ text: String) -> Int? { values.number(Array(text.utf8).span, 0..<text.utf8.count) }
        // 20 bits end within the third number: 16 to 31 are one network.
        #expect(number("10.1.16.1") == 0 && number("10.1.31.255") == 0 && number("10.1.32.0") == 1)
        #expect(number("2001:db8::1") == 2 && number("::ffff:10.1.17.9") == 0 && number("10.1.16") == nil)
        #expect(values.bytes(of: 0) == Array("10.1.16.0/20".utf8) && values.count == 3)
    }

    static let addresses: [String: UInt32?] = [
        "1.2.3.4": 0x0102_0304, "255.255.255.255": .max, "0.0.0.0": 0, "010.0.0.001": 0x0A00_0001, "1.2.3": nil,
        "1.2.3.4.5": nil, "1..2.3": nil, "256.1.1.1": nil, "1.2.3.4 ": nil, "0001.2.3.4": nil, "": nil, "1.2.3.": nil,
        ".1.2.3": nil, "a.1.2.3": nil,
    ]

    @Test(arguments: addresses) func addressesAreFourNumbers(text: String, address: UInt32?) {
        #expect(NetworkPrefix.address(Array(text.utf8).span, 0..<text.utf8.count) == address)
    }
}
