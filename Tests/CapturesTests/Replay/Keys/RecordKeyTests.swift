import PolicyEngine
import Testing

@testable import Replay
@testable import TestSupport

/// Keys of attributes, and of values that follow from them.
@Suite struct RecordKeyTests {
    private static let android = "Android 10, SM-G973F, samsung, beyond1lte, de"
    private static let iphone = "iOS, 13.5.1, iPhone11,8, en_GB"

    @Test func numbersOfDerivedValuesAreThoseOfTheirTexts() throws {
        var values = DerivedValues(try RecordKey("os"))
        func number(_ text: String) -> Int? { values.number(Array(text.utf8).span, 0..<text.utf8.count) }
        #expect(number(Self.android) == 0 && number(Self.iphone) == 1 && number("Android 8, X") == 0)
        #expect(number("") == nil && number("") == nil && values.count == 2)
        expect(values.bytes(of: 1), equals: Array("iOS".utf8))
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
        expect(NetworkPrefix.address(Array(text.utf8).span, 0..<text.utf8.count), equals: address)
    }
}
