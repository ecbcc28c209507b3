import Testing

@testable import PolicyEngine
@testable import TestSupport

@Suite("The table of numbers") struct NumberTableTests {
    @Test("keys are numbered in order of first sight, over several growths") func numbersStay() {
        var table = NumberTable()
        for _ in 0..<2 {
            for number in 0..<2000 { #expect(table.intern(UInt64(number) << 32 | 5) == number) }
        }
        #expect(table.count == 2000)
        #expect(table.keys[1999] == 1999 << 32 | 5)
    }

    struct Row: LabelledRow {
        let label: String
        let keys: [UInt64]
    }

    static let rows = [
        Row(label: "neighbours", keys: Array(0..<200)),
        Row(label: "ends of the range", keys: [0, .max, 1, .max - 1, 1 << 63]),
        Row(label: "what hashes to nothing", keys: [0x9E37_79B9_7F4A_7C15, 0, 0x9E37_79B9_7F4A_7C14]),
        Row(label: "multiples of the first size", keys: (0..<200).map { $0 * 64 }),
        Row(label: "upper bits only", keys: (0..<200).map { $0 << 56 }),
    ]

    @Test("every key keeps its own number", arguments: rows) func keysAreToldApart(_ row: Row) {
        var table = NumberTable()
        for (number, key) in row.keys.enumerated() { #expect(table.intern(key) == number) }
        for (number, key) in row.keys.enumerated() { #expect(table.intern(key) == number) }
        #expect(table.keys == row.keys)
        for (number, key) in row.keys.enumerated() { #expect(table.number(of: key) == number) }
        #expect(table.number(of: 0xABCD_EF01_2345_6789) == nil && table.count == row.keys.count)
    }
}
