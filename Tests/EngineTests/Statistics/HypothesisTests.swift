import Testing

@testable import Statistics
@testable import TestSupport

@Suite struct HypothesisTests {
    private static func test(_ first: (Int, Int), _ second: (Int, Int)) throws -> FisherTest {
        FisherTest(
            ProportionComparison(
                try #require(Proportion(first.0, of: first.1)), to: try #require(Proportion(second.0, of: second.1))))
    }

    @Test func tailsOfATableMeet() throws {
        for first in 0...6 {
            for second in 0...4 {
                let (there, back) = (try Self.test((first, 6), (second, 4)), try Self.test((second, 4), (first, 6)))
                #expect(abs(there.greater - back.less) < 1e-14)
                #expect(abs(there.twoSided - back.twoSided) < 1e-14)
                #expect(abs(there.greaterMidP + there.lessMidP - 1) < 1e-14)
                #expect(there.twoSidedMidP <= 1 && there.twoSided <= 1)
                #expect(there.twoSided >= min(there.greater, there.less) - 1e-15)
            }
        }
    }

    @Test func adjustedValuesKeepTheirOrder() {
        var chance = SplitMix64(seed: 7)
        for size in [1, 2, 10, 100] {
            let values = (0..<size).map { _ in Double(chance.below(1000)) / 1000 }
            let (holm, yekutieli) = (AdjustedPValues.holm(values), AdjustedPValues.benjaminiYekutieli(values))
            for index in values.indices {
                #expect(values[index] <= min(holm[index], yekutieli[index]))
                #expect(holm[index] <= min(1, values[index] * Double(size)) && yekutieli[index] <= 1)
            }
            let order = values.indices.sorted { values[$0] < values[$1] }
            for adjusted in [holm, yekutieli] {
                #expect(zip(order, order.dropFirst()).allSatisfy { adjusted[$0] <= adjusted[$1] })
            }
        }
        #expect(AdjustedPValues.holm([]).isEmpty)
        #expect(AdjustedPValues.benjaminiYekutieli([]).isEmpty)
        // Those that are left out count as 1.
        let listed = AdjustedPValues.benjaminiYekutieli([0.0001, 0.2, 0.004, 1, 1, 1, 1])
        expect(AdjustedPValues.benjaminiYekutieli([0.0001, 0.2, 0.004], among: 7), equals: Array(listed.prefix(3)))
        let few = [0.02, 0.03]
        expect(AdjustedPValues.benjaminiYekutieli(few, among: 1), equals: AdjustedPValues.benjaminiYekutieli(few))
        expect(AdjustedPValues.holm([0.01, .nan, -1, 2]), equals: [0.04, 1, 1, 1])
    }

    // The limit for those that Holm's test rejects, and an exact bound for the others.
    @Test func simultaneousBoundsBelongToHolm() throws {
        let confidence = Confidence.usual
        let shares = try [(0, 9000), (2, 9000), (4, 9000), (30, 9000)].map { try #require(Proportion($0.0, of: $0.1)) }
        let bounds = SimultaneousBounds.upper(shares, limit: 0.001, at: confidence)
        #expect(bounds[0] == 0.001 && bounds[1] == 0.001)
        expect(bounds[2], equals: shares[2].upperBound(at: confidence.shared(among: 2)))
        expect(bounds[3], equals: shares[3].upperBound(at: confidence.shared(among: 2)))
        let all = SimultaneousBounds.upper(Array(shares.prefix(1)), limit: 0.5, at: confidence)
        expect(all, equals: [shares[0].upperBound(at: confidence)])
        let none = SimultaneousBounds.upper(shares, limit: 0, at: confidence)
        expect(none, equals: shares.map { $0.upperBound(at: confidence.shared(among: 4)) })
        #expect(SimultaneousBounds.upper([], limit: 0.5, at: confidence).isEmpty)
    }

    @Test func samplesThatCannotBeComparedAreRefused() {
        for (first, second) in [
            ([], []), ([1], [1, 2]), ([0, 0], [1, 1]), ([-1, 2], [1, 1]), ([.max, .max], [1, 1]), ([1, 1], [.min, 1]),
        ] as [([Int], [Int])] {
            #expect(PopulationStability(first, second) == nil)
        }
    }

    @Test func stabilityIsSymmetricAndSeesNewValues() throws {
        let (there, back) = (
            try #require(PopulationStability([500, 300, 0], [480, 290, 90])),
            try #require(PopulationStability([480, 290, 90], [500, 300, 0]))
        )
        #expect(abs(there.index - back.index) < 1e-15)
        #expect(there.index > there.chanceLevel(at: try #require(Confidence(0.999))))
        let same = try #require(PopulationStability([500, 300], [500, 300]))
        expect(same.index, equals: 0)
        let single = try #require(PopulationStability([5], [7]))
        #expect(single.index == 0 && single.chanceLevel(at: .usual) == 0)
    }
}
