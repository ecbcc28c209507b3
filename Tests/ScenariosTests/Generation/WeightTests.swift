import Foundation
import Testing

@testable import Scenarios
@testable import TestSupport

@Suite struct ZipfWeightsTests {
    private static func weight(_ exponent: String, _ rank: Int) throws -> UInt64 {
        ZipfWeights(try #require(ZipfExponent(exponent))).weight(ofRank: rank)
    }

    // By the definition: halves of halves are exact.
    @Test func powersOfTwoAreExact() throws {
        for index in 0...23 { #expect(try Self.weight("1", 1 << index) == 1 << UInt64(62 - index)) }
        #expect(try Self.weight("2.5", 4) == 1 << 57)
        #expect(try Self.weight("10", 64) == 1 << 2)
        #expect(try Self.weight("10", 128) == 0)
    }

    @Test func withoutExponentAllAreAlike() throws {
        for rank in [1, 2, 3, 10_000_000] { #expect(try Self.weight("0", rank) == ZipfWeights.first) }
    }

    @Test(arguments: ["0.001", "0.5", "0.999", "1", "1.1", "1.5", "2", "3.7"]) func agreesWithTheLibrary(
        _ exponent: String
    ) throws {
        let (weights, power) = (ZipfWeights(try #require(ZipfExponent(exponent))), try #require(Double(exponent)))
        for rank in [1, 2, 3, 5, 7, 10, 99, 1000, 65_535, 65_537, 999_983, 10_000_000] {
            let share = Double(weights.weight(ofRank: rank)) / Double(ZipfWeights.first)
            #expect(abs(share - pow(Double(rank), -power)) < 1e-11)
        }
    }

    @Test func weightsFall() throws {
        let weights = ZipfWeights(try #require(ZipfExponent("0.01")))
        let all = (1...2000).map(weights.weight(ofRank:))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 > $1 })
    }

    // Worked out by another program, with whole numbers of any length and the same forty places of a logarithm.
    @Test func allDigitsAreRight() throws {
        let expected: [(rank: Int, weight: Int)] = [
            (2, 2_151_427_600_901_700_827), (3, 1_377_293_034_114_013_641), (5, 785_222_483_524_261_960),
            (1000, 2_311_318_157_934_096),
        ]
        for (rank, weight) in expected { #expect(abs(Int(try Self.weight("1.1", rank)) - weight) < 64) }
    }

    static let texts: [Case<String, UInt64?>] = [
        Case("0", gives: 0), Case("1.1", gives: 1100), Case("0.05", gives: 50),
        Case("10", gives: 10_000), Case("10.000", gives: 10_000),
        Case("00.125", gives: 125), Case("10.001", gives: nil),
        Case("1.2345", gives: nil), Case("-1", gives: nil), Case("+1", gives: nil),
        Case("", gives: nil), Case(".5", gives: nil), Case("1.", gives: nil),
        Case("1e0", gives: nil), Case("1,5", gives: nil), Case("1.1.1", gives: nil),
        Case("١", gives: nil), Case("100", gives: nil),
    ]

    @Test(arguments: texts) func readsPlainDecimals(_ row: Case<String, UInt64?>) {
        #expect(ZipfExponent(row.input)?.thousandths == row.expected)
    }
}

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
