import Testing

@testable import PolicyEngine
@testable import TestSupport

extension FilterTests {
    @Suite("R7.6 Sampling") struct SamplingOfDevices {
        // Worked out with Python's hashlib. Thresholds just below and just above a draw are in Tests/Rules/R07.
        static let draws: [Case<String, UInt64>] = [
            Case("h4gubfCFzJu81j/U2BJsdg==|2020-07-23|test-account", gives: 0xC463_B503_7DE1_A5D1),
            Case("h4gubfCFzJu81j/U2BJsdg==|2020-07-23|account", gives: 0xE61E_3218_7390_4572),
            Case("h4gubfCFzJu81j/U2BJsdg==|2020-07-24|test-account", gives: 0x483D_CAB0_1FCF_ECCB),
            Case("w4mmGFZkpz5oPz6w6gl1Cw==|2020-07-24|test-account", gives: 0x1393_68FF_9464_CFA9),
            Case("qZka0yfv+ExvOq3PRh6pGw==|2020-12-31|account", gives: 0x0143_F9C4_0558_BCDF),
            Case("qZka0yfv+ExvOq3PRh6pGw==|2021-01-01|account", gives: 0x908A_B1E5_E1C3_0A44),
            Case("ExampleApproovTokenDID==|2020-02-29|konto-\u{E9}", gives: 0x17CC_2F2C_7912_4874),
            Case("h4gubfCFzJu81j/U2BJsdg==|1969-12-31|account", gives: 0x1783_0096_495A_0636),
        ]

        @Test("R7.6 the draw is the start of SHA-256 over device, day and account", arguments: draws)
        func drawIsTheHash(_ row: Case<String, UInt64>) throws {
            let parts = row.input.split(separator: "|").map(String.init)
            let device = try #require(DeviceID(parts[0]))
            let time = try #require(Instant(rfc3339: "\(parts[1])T12:00:00Z"))
            expect(Sampling.draw(device: device, day: time.date, account: parts[2]), equals: row.expected)
        }

        @Test("R7.6 the default is 0") func defaultIsZero() {
            expect(Account(catalogue: FlagCatalogue()).samplingPercentage, equals: .zero)
        }

        static let shown: [Case<String, String>] = [
            Case("0", gives: "0.00%"), Case("0.1", gives: "0.10%"), Case("2", gives: "2.00%"),
            Case("12.5", gives: "12.50%"), Case("99.99", gives: "99.99%"),
            Case("100", gives: "100.00%"), Case("0.004", gives: "0.00%"),
            Case("0.005", gives: "0.01%"), Case("0.004999999", gives: "0.00%"),
            Case("99.995", gives: "100.00%"), Case("7.05", gives: "7.05%"),
        ]

        @Test("R7.6 shown with two decimals", arguments: shown)
        func percentageIsShown(_ row: Case<String, String>) throws {
            try expect(#require(Percentage(row.input)).description, equals: row.expected)
        }
    }
}
