import Figures
import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct AliasTableTests {
    struct Row: LabelledRow {
        let name: String
        let weights: [UInt64]
    }

    static let rows = [
        Row(name: "one", weights: [7]), Row(name: "two alike", weights: [1, 1]),
        Row(name: "one to three", weights: [1, 3]),
        Row(name: "falling", weights: [60, 30, 20, 15, 12, 10]), Row(name: "rising", weights: [1, 2, 3, 4, 5]),
        Row(name: "nothing for some", weights: [0, 5, 0, 0, 1, 0]), Row(name: "one takes all", weights: [0, 0, 9]),
        Row(name: "great", weights: [1 << 62, 1 << 61, 1 << 61, 1 << 60]),
        Row(name: "alternating", weights: Array(repeating: [1, 1000], count: 50).flatMap(\.self)),
    ]

    // Random numbers at even distances take every column at its share.
    @Test(arguments: rows) func everyPlaceHasItsShare(_ row: Row) {
        let (table, count) = (AliasTable(row.weights), 100_000)
        var found = Array(repeating: 0, count: row.weights.count)
        for draw in 0..<count { found[table.index(of: UInt64.max / UInt64(count) * UInt64(draw))] += 1 }
        let total = row.weights.reduce(0.0) { $0 + Double($1) }
        for (weight, found) in zip(row.weights, found) {
            // Each column is cut in two, so that an index is off by one draw a column at most.
            let expected = Double(weight) / total * Double(count)
            #expect(abs(Double(found) - expected) <= Double(row.weights.count + 1))
            if weight == 0 { #expect(found == 0) }
        }
    }

    @Test func theEndsOfTheRangeAreTaken() {
        let table = AliasTable([1, 2, 3])
        #expect(0..<3 ~= table.index(of: 0))
        #expect(0..<3 ~= table.index(of: .max))
    }
}
