import Testing

@testable import Statistics
@testable import TestSupport

/// The share of samples of devices whose 95 % interval of a ratio contains that of the population.
@Suite struct RatioCoverageTests {
    /// A thousand kinds of devices, each as frequent as any other, from which samples are drawn.
    struct Population: LabelledRow {
        let name: String
        let sample: Int
        /// True if each device fails always or never.
        let isConstant: Bool
        let kinds: [(failures: Int, attestations: Int)]

        /// - Parameters:
        ///   - name: The name of the row.
        ///   - sample: The number of devices of a sample.
        ///   - isConstant: True if each device fails always or never.
        ///   - activity: The attestations of a device with a number from 0 through 99.
        init(_ name: String, sample: Int, isConstant: Bool = false, activity: (Int) -> Int) {
            (self.name, self.sample, self.isConstant) = (name, sample, isConstant)
            var chance = SplitMix64(seed: 11)
            kinds = (0..<1000).map { number in
                let attestations = activity(number % 100)
                // Most never fail, some always, and some at times. Constant devices fail independently of their activity.
                let some = [0, 0, 0, attestations, attestations / 2, chance.below(attestations + 1)]
                let constant = number / 100 % 3 == 0 ? attestations : 0
                return (isConstant ? constant : chance.pick(some), attestations)
            }
        }

        var ratio: Double {
            Double(kinds.reduce(0) { $0 + $1.failures }) / Double(kinds.reduce(0) { $0 + $1.attestations })
        }
    }

    static let populations = [
        Population("one attestation each", sample: 200) { _ in 1 },
        Population("equally active", sample: 200) { _ in 12 },
        // The most active tenth makes a quarter of the attestations.
        Population("some more active", sample: 300) { 1 + $0 * $0 / 100 },
        // The most active hundredth makes a fifth of them; each of its devices makes 200, and half of all devices 3 or
        // less.
        Population("very unequal", sample: 2000) { 200 / (100 - $0) },
        Population("equally active, constant", sample: 200, isConstant: true) { _ in 12 },
        Population("very unequal, constant", sample: 2000, isConstant: true) { 200 / (100 - $0) },
        Population("few active ones, constant", sample: 300, isConstant: true) { 200 / (100 - $0) },
    ]

    @Test(arguments: populations) func intervalsOfRatiosCover(_ population: Population) throws {
        let samples = Exhaustive.count(200_000 / population.sample, whole: 10_000)
        var (ratios, shares, bounds) = (0.0, 0.0, 0.0)
        for seed in 0..<samples {
            var chance = SplitMix64(seed: UInt64(seed))
            var moments = RatioMoments()
            for _ in 0..<population.sample {
                let kind = chance.pick(population.kinds)
                moments.add(kind.failures, over: kind.attestations)
            }
            if try #require(moments.interval(at: .usual)).contains(population.ratio) { ratios += 1 }
            if try #require(moments.shareInterval(at: .usual)).contains(population.ratio) { shares += 1 }
            if try #require(moments.shareUpperBound(at: .usual)) >= population.ratio { bounds += 1 }
        }
        // The share varies more if there are few samples.
        let slack = Exhaustive.choice(0.04, whole: 0)
        let usual = (0.94 - slack)...(0.965 + slack)
        if !population.name.hasPrefix("few") { #expect(usual.contains(ratios / Double(samples))) }
        #expect(shares / Double(samples) >= usual.lowerBound)
        #expect(bounds / Double(samples) >= usual.lowerBound)
        if population.isConstant { #expect(shares / Double(samples) <= usual.upperBound) }
    }
}
