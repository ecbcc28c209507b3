import Testing

@testable import PolicyEngine

@Suite("A number of seconds, milliseconds, microseconds or nanoseconds since 1970")
struct EpochTests {
    static let times: [(String, Int?)] = [
        // 2020-07-23T11:10:43Z in each unit, with and without a fraction.
        ("1595502643", 1_595_502_643), ("1595502643.250", 1_595_502_643), ("1595502643999", 1_595_502_643),
        ("1595502643999999", 1_595_502_643), ("1595502643999999999", 1_595_502_643),
        // The first and the last number of each unit.
        ("99999999", nil), ("100000000", 100_000_000), ("9999999999", 9_999_999_999), ("10000000000", nil),
        ("99999999999", nil), ("100000000000", 100_000_000), ("9999999999999", 9_999_999_999), ("10000000000000", nil),
        ("99999999999999", nil), ("100000000000000", 100_000_000), ("9999999999999999", 9_999_999_999),
        ("10000000000000000", nil),
        ("99999999999999999", nil), ("100000000000000000", 100_000_000), ("9999999999999999999", 9_999_999_999),
        ("10000000000000000000", nil), ("18446744073709551616", nil),
        // Dates and times without separators, and what is no plain number.
        ("20200723", nil), ("20200723111043", nil), ("0", nil), ("1", nil), ("", nil), (".5", nil),
        ("1595502643.", nil),
        ("-1595502643", nil), ("+1595502643", nil), ("1.595502643e9", nil), ("1595502643.2.5", nil),
        (" 1595502643", nil),
    ]

    @Test("The magnitude says the unit; other numbers are no time", arguments: times)
    func magnitude(_ digits: String, _ seconds: Int?) {
        #expect(Instant(epoch: digits)?.secondsSinceEpoch == seconds)
    }
}
