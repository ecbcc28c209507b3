import Testing

@testable import Replay
@testable import TestSupport

@Suite("Counts of bits, by whole sets") struct BitTallyTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let sets: [UInt32]
        /// The counts of the lowest three bits and of the highest one.
        let counts: [Int]
    }

    static let rows = [
        Row(testDescription: "none", sets: [], counts: [0, 0, 0, 0]),
        Row(testDescription: "two sets", sets: [0b011, 0b001], counts: [2, 1, 0, 0]),
        Row(testDescription: "empty sets", sets: [0, 0, 0b100], counts: [0, 0, 1, 0]),
        Row(testDescription: "the highest bit", sets: [1 << 31, .max], counts: [1, 1, 1, 2]),
        Row(
            testDescription: "as many as six digits count", sets: Array(repeating: 0b101, count: 63),
            counts: [63, 0, 63, 0]),
        Row(testDescription: "one more", sets: Array(repeating: 0b101, count: 64), counts: [64, 0, 64, 0]),
        Row(
            testDescription: "three times as many and one", sets: Array(repeating: 0b10, count: 190),
            counts: [0, 190, 0, 0]),
    ]

    @Test(arguments: rows) func counts(_ row: Row) {
        var tally = BitTally<UInt32>()
        for set in row.sets { tally.add(set) }
        let all = tally.all
        expect(all.count, equals: 32)
        expect([all[0], all[1], all[2], all[31]], equals: row.counts)
    }

    @Test("counting continues behind what was looked at") func goesOn() {
        var tally = BitTally<UInt32>()
        tally.add(0b1)
        expect(tally.all[0], equals: 1)
        tally.add(0b1)
        expect(tally.all[0], equals: 2)
    }

    @Test("each bit is counted as one by one", arguments: Exhaustive.seeds(1...400, each: 20))
    func agreesWithBits(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var tally = BitTally<UInt128>()
        var counts = Array(repeating: 0, count: 128)
        for _ in 0..<random.below(500) {
            let set = (UInt128(random.next()) << 64 | UInt128(random.next())) & (UInt128(random.next()) << 30)
            tally.add(set)
            for bit in 0..<128 where set >> UInt128(bit) & 1 == 1 { counts[bit] += 1 }
        }
        expect(tally.all, equals: counts)
    }
}
