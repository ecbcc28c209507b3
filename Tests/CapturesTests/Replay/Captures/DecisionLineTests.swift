import PolicyEngine
import Testing

@testable import TestSupport

/// The JSON of decisions (formats: Decisions).
@Suite struct DecisionLineTests {
    @Test(arguments: [
        ("\u{1}\u{1F}", #""\u0001\u001f""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\"\\/", #""\"\\/""#),
        ("Ü🚗", "\"Ü🚗\""), ("", "\"\""),
    ])
    func escapesWhatJSONForbids(text: String, json: String) {
        var bytes = JSONBytes()
        bytes.string(text)
        expect(String(decoding: bytes.bytes, as: UTF8.self), equals: json)
    }

    @Test(arguments: [
        (0, "0"), (-1, "-1"), (10, "10"), (Int.min, "-9223372036854775808"), (Int.max, "9223372036854775807"),
    ])
    func writesWholeNumbers(value: Int, json: String) {
        var bytes = JSONBytes()
        bytes.integer(value)
        expect(String(decoding: bytes.bytes, as: UTF8.self), equals: json)
    }

    @Test(arguments: [0, -1, 1_595_502_643, -62_135_596_800, 253_402_300_799, 951_782_400])
    func writesInstantsAsTheyAreDescribed(seconds: Int) {
        var bytes = JSONBytes()
        let instant = Instant(secondsSinceEpoch: seconds)
        bytes.instant(instant)
        expect(String(decoding: bytes.bytes, as: UTF8.self), equals: "\"\(instant)\"")
    }
}
