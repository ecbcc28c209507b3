import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("Devices and shares, many at a time") struct NumberingTests {
    @Test("devices that are numbered together have the numbers that they have one by one") func together() {
        var (table, single) = (DeviceTable(), DeviceTable())
        var numbers: [DeviceIndex] = [DeviceIndex(number: 99)]
        for start in [0, 3, 1500, 0, 700] {
            // Some are new, some known, and one comes twice.
            let devices = (start..<start + 1000).map { DeviceID(first: 3, second: UInt64($0)) }
            let batch = devices + [devices[0]]
            table.intern(batch, into: &numbers)
            var expected: [DeviceIndex] = []
            for device in batch { expected.append(single.intern(device)) }
            #expect(numbers == expected)
        }
        #expect(table.count == single.count && table.count == 2500)
        table.intern([], into: &numbers)
        #expect(numbers.isEmpty)
    }

    struct Part: LabelledRow {
        let share: String
        let part, whole: Int
        /// −1 where the part is less than the share, 0 where it is just that, and 1 where it is more.
        let order: Int

        var testDescription: String { "\(part) of \(whole), \(share) %" }
    }

    static let parts = [
        Part(share: "25", part: 1, whole: 4, order: 0), Part(share: "25", part: 0, whole: 4, order: -1),
        Part(share: "25", part: 2, whole: 4, order: 1), Part(share: "33.333333333", part: 1, whole: 3, order: 1),
        Part(share: "33.333333334", part: 1, whole: 3, order: -1), Part(share: "0", part: 0, whole: 7, order: 0),
        Part(share: "0", part: 1, whole: 7, order: 1), Part(share: "100", part: 7, whole: 7, order: 0),
        Part(share: "50", part: 0, whole: 0, order: 0),
        Part(share: "0.000000001", part: 1, whole: 100_000_000_000, order: 0),
        Part(share: "50", part: 1 << 61, whole: 1 << 62, order: 0),
    ]

    @Test("a part is compared with a share exactly", arguments: parts) func shares(_ row: Part) throws {
        let share = try #require(Percentage(row.share))
        // The share is at least the part where the part is no more, and at most where it is no less.
        #expect(share.isAtLeast(row.part, of: row.whole) == (row.order <= 0))
        #expect(share.isAtMost(row.part, of: row.whole) == (row.order >= 0))
    }

    @Test(
        "shares are shown with two decimals, rounded half up",
        arguments: [
            ("0", "0.00%"), ("0.1", "0.10%"), ("0.005", "0.01%"), ("0.004999999", "0.00%"), ("99.995", "100.00%"),
            ("12.344999999", "12.34%"), ("12.345", "12.35%"), ("100", "100.00%"), ("7", "7.00%"),
        ])
    func shown(text: String, shown: String) throws {
        #expect(try #require(Percentage(text)).description == shown)
    }

    @Test("values that are kept hand over their bytes") func bytes() {
        var table = ValueTable(capacity: .max)
        for text in ["first", "", "é"] {
            let bytes = Array(text.utf8)
            _ = table.intern(bytes.span, range: 0..<bytes.count)
        }
        #expect((0..<3).map { String(decoding: table.bytes(ofValueAt: $0), as: UTF8.self) } == ["first", "", "é"])
    }

    @Test("keys that a population may give are those that do not follow from the record") func given() {
        #expect(
            InformationKeys.given == [
                "ip", "device", "archid", "device-props", "sdkid", "sdk-version", "app-name", "app-version", "appid",
                "app-id-sig", "app-sig", "attest-reason", "app-cert", "probe-result", "user-property",
            ])
    }
}
