import Testing

@testable import Statistics
@testable import TestSupport

/// Properties of the distributions, and arguments outside of their ranges.
@Suite struct DistributionTests {
    @Test func normalEnds() {
        expect(NormalDistribution.quantile(0), equals: -.infinity)
        expect(NormalDistribution.quantile(1), equals: .infinity)
        #expect(NormalDistribution.quantile(-0.1).isNaN)
        #expect(NormalDistribution.quantile(1.1).isNaN)
        #expect(NormalDistribution.quantile(.nan).isNaN)
        expect(NormalDistribution.quantile(0.5), equals: 0)
        expect(NormalDistribution.lowerTail(-.infinity), equals: 0)
        expect(NormalDistribution.upperTail(-.infinity), equals: 1)
    }

    @Test func normalQuantileIsInverse() {
        for step in 1..<200 {
            let p = Double(step) / 200
            #expect(abs(NormalDistribution.lowerTail(NormalDistribution.quantile(p)) - p) < 3e-16)
            #expect(abs(NormalDistribution.quantile(p) + NormalDistribution.quantile(1 - p)) < 2e-15)
        }
    }

    @Test func binomialProbabilitiesAddUp() throws {
        for p in [0, 1e-9, 0.001, 0.3, 0.5, 0.999, 1] {
            let distribution = try #require(BinomialDistribution(trials: 50, probability: p))
            var sum = 0.0
            for count in 0...50 {
                #expect(abs(distribution.upperTail(count) - (1 - sum)) < 1e-14)
                sum += distribution.probability(of: count)
                #expect(abs(distribution.lowerTail(count) - sum) < 1e-14)
            }
        }
    }

    @Test func impossibleCountsHaveNoProbability() throws {
        let distribution = try #require(BinomialDistribution(trials: 5, probability: 0.2))
        expect(distribution.probability(of: -1), equals: 0)
        expect(distribution.probability(of: 6), equals: 0)
        expect(distribution.lowerTail(-1), equals: 0)
        expect(distribution.lowerTail(6), equals: 1)
        expect(distribution.upperTail(6), equals: 0)
        expect(distribution.upperTail(.min), equals: 1)
        expect(distribution.lowerTail(.max), equals: 1)
        #expect(BinomialDistribution(trials: -1, probability: 0.2) == nil)
        #expect(BinomialDistribution(trials: 1, probability: .nan) == nil)
    }

    @Test func betaTailsAddUpAndRise() throws {
        for (a, b) in [(0.5, 0.5), (1.0, 3.0), (20, 4), (1e-3, 5), (3000, 1e6)] {
            let distribution = try #require(BetaDistribution(a, b))
            var last = 0.0
            for step in 0...100 {
                let x = Double(step) / 100
                let tail = distribution.lowerTail(x)
                #expect(tail >= last - 1e-15 && tail <= 1)
                #expect(abs(tail + distribution.upperTail(x) - 1) < 1e-14)
                last = tail
            }
            expect(last, equals: 1)
        }
    }

    @Test func betaQuantilesAreInverse() throws {
        for (a, b) in [(0.5, 4.0), (1, 3), (20, 4), (1, 1e9), (3000, 1e6)] {
            let distribution = try #require(BetaDistribution(a, b))
            for p in [1e-12, 1e-3, 0.05, 0.5, 0.9] {
                let tails = (
                    distribution.lowerTail(distribution.quantile(lowerTail: p)),
                    distribution.upperTail(distribution.quantile(upperTail: p))
                )
                #expect(abs(tails.0 - p) <= 1e-9 * p)
                #expect(abs(tails.1 - p) <= 1e-9 * p)
            }
        }
    }

    @Test func betaRefusesOtherParameters() throws {
        for (a, b) in [(0.0, 1.0), (1, -1), (.nan, 1), (.infinity, 1)] { #expect(BetaDistribution(a, b) == nil) }
        let distribution = try #require(BetaDistribution(2, 3))
        expect(distribution.lowerTail(-1), equals: 0)
        expect(distribution.lowerTail(2), equals: 1)
        expect(distribution.quantile(lowerTail: 0), equals: 0)
        expect(distribution.quantile(lowerTail: 1), equals: 1)
        expect(distribution.quantile(upperTail: 0), equals: 1)
        expect(distribution.quantile(upperTail: 1), equals: 0)
    }

    @Test func chiSquareOfOneDegreeIsNormal() throws {
        let distribution = try #require(ChiSquareDistribution(degrees: 1))
        for x in [0.001, 0.5, 1, 2, 3, 10, 50] {
            let tail = 2 * NormalDistribution.upperTail(x.squareRoot())
            #expect(abs(distribution.upperTail(x) - tail) < 1e-13 * tail + 1e-15)
        }
        expect(distribution.upperTail(0), equals: 1)
        expect(distribution.upperTail(.infinity), equals: 0)
        expect(distribution.quantile(upperTail: 0), equals: .infinity)
        expect(distribution.quantile(upperTail: 1), equals: 0)
        #expect(ChiSquareDistribution(degrees: 0) == nil)
    }

    @Test func hypergeometricProbabilitiesAddUp() {
        for (marked, others, drawn) in [(5, 7, 4), (0, 3, 2), (3, 0, 2), (10, 2, 11), (4, 4, 0)] {
            let distribution = HypergeometricDistribution(marked: marked, others: others, drawn: drawn)
            var sum = 0.0
            for count in distribution.support {
                #expect(abs(distribution.upperTail(count) - (1 - sum)) < 1e-14)
                sum += distribution.probability(of: count)
                #expect(abs(distribution.lowerTail(count) - sum) < 1e-14)
                #expect(distribution.probability(of: count) <= distribution.probability(of: distribution.mode) + 1e-15)
            }
            #expect(abs(sum - 1) < 1e-14)
            expect(distribution.lowerTail(-1), equals: 0)
            expect(distribution.upperTail(drawn + 1), equals: 0)
        }
    }

    @Test func rootsAreFound() {
        #expect(abs(RootFinder.root(in: 0...2) { $0 * $0 - 2 } - (2.0).squareRoot()) < 1e-15)
        #expect(abs(RootFinder.root(in: 0...1) { $0 - 1e-200 } - 1e-200) < 1e-210)
        #expect(abs(RootFinder.root(in: 0...1) { $0 < 0.25 ? -.infinity : .infinity } - 0.25) < 1e-16)
        expect(RootFinder.root(in: 2...3) { $0 }, equals: 2)
        expect(RootFinder.root(in: 0...1) { 1 - $0 }, equals: 1)
        expect(RootFinder.root(in: 1...1) { $0 }, equals: 1)
    }
}
