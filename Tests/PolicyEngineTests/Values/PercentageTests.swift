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
        #expect(Percentage(row.text)?.billionths == row.billionths)
    }

    struct Threshold: LabelledRow {
        let text: String
        /// The lowest draw that is out: the share of 2^64, rounded up.
        let firstOut: UInt64

        var testDescription: String { "\(text) %" }
    }

    /// Worked out by hand: the share times 18 446 744 073 709 551 616, rounded up.
    static let thresholds = [
        Threshold(text: "50", firstOut: 0x8000_0000_0000_0000),
        Threshold(text: "25", firstOut: 0x4000_0000_0000_0000),
        Threshold(text: "75", firstOut: 0xC000_0000_0000_0000),
        Threshold(text: "12.5", firstOut: 0x2000_0000_0000_0000),
        Threshold(text: "1", firstOut: 184_467_440_737_095_517),
        Threshold(text: "0.1", firstOut: 18_446_744_073_709_552),
        Threshold(text: "10", firstOut: 1_844_674_407_370_955_162),
        Threshold(text: "0.000000001", firstOut: 184_467_441),
        Threshold(text: "99.999999999", firstOut: 18_446_744_073_525_084_176),
    ]

    @Test("R7.6 a draw is in below share × 2^64, exactly", arguments: thresholds)
    func thresholdIsExact(_ row: Threshold) throws {
        let share = try #require(Percentage(row.text))
        #expect(share.contains(0))
        #expect(share.contains(row.firstOut - 1))
        #expect(!share.contains(row.firstOut))
        #expect(!share.contains(.max))
    }

    @Test("R7.6 nothing is in 0 %, everything in 100 %", arguments: [UInt64.min, 1, 1 << 63, .max - 1, .max])
    func ends(draw: UInt64) {
        #expect(!Percentage.zero.contains(draw))
        #expect(Percentage.hundred.contains(draw))
    }

    @Test("shares add up to 100 % at most") func sums() throws {
        let tenth = try #require(Percentage("0.1"))
        #expect(Percentage.sum(Array(repeating: tenth, count: 1000)) == .hundred)
        #expect(Percentage.sum(Array(repeating: tenth, count: 1001)) == nil)
        #expect(Percentage.sum([Percentage]()) == .zero)
        let parts = try ["33.333333333", "33.333333333", "33.333333334"].map { try #require(Percentage($0)) }
        #expect(Percentage.sum(parts) == .hundred)
    }

    @Test("shares are ordered") func order() throws {
        #expect(Percentage.zero < .hundred)
        #expect(try #require(Percentage("9.9")) < #require(Percentage("10")))
        #expect(try #require(Percentage("1.50")) == #require(Percentage("1.5")))
    }
}
