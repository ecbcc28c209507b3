import Testing

@testable import Statistics
@testable import TestSupport

/// The share of samples of devices whose 95 % intervals contain what is true of the population.
@Suite struct PopulationCoverageTests {
    /// Kinds of devices, each as frequent as any other, from which samples are drawn: how many attestations one makes, how many of them
    /// fail before a change and after it, and whether its verdict is open.
    struct Population: LabelledRow {
        let name: String
        let sample: Int
        let kinds: [Kind]

        struct Kind {
            let before, after: Bool
            let isOpen: Bool
        }

        /// - Parameters:
        ///   - activity: The attestations of a device of a kind.
        ///   - failure: How many of ten thousand attestations fail, before and after, for a kind.
        ///   - open: How many of a hundred devices are not evaluated.
        init(
            _ name: String, sample: Int, open: Int = 0, activity: (Int) -> Int = Self.once,
            failure: (Int) -> (before: Int, after: Int)
        ) {
            (self.name, self.sample) = (name, sample)
            var chance = SplitMix64(seed: 11)
            kinds = (0..<4000).map { number in
                let rates = failure(number)
                func fails(_ rate: Int) -> Bool { (0..<activity(number)).contains { _ in chance.below(10_000) < rate } }
                return Kind(
                    before: fails(rates.before), after: fails(rates.after), isOpen: chance.below(100) < open)
            }
        }

        static func once(_ number: Int) -> Int { 1 }
        // The most active hundredth makes 200 attestations each, and half of all devices 3 or less.
        static func heavyTailed(_ number: Int) -> Int { 200 / (100 - number % 100) }

        func share(_ counts: (Kind) -> Bool) -> Double { Double(kinds.count(where: counts)) / Double(kinds.count) }
    }

    static let populations = [
        Population("rare", sample: 2000) { _ in (0, 10) },
        Population("rare both ways", sample: 1000) { _ in (20, 20) },
        Population("common", sample: 300) { _ in (1000, 1300) },
        Population("heavy-tailed activity", sample: 1000, activity: Population.heavyTailed) { _ in (5, 30) },
        Population("heavy-tailed, and the most active fail", sample: 1000, activity: Population.heavyTailed) {
            $0 % 100 == 99 ? (0, 9000) : (0, 0)
        },
        // One model of fifty fails as a whole, and another one no longer does.
        Population("clusters", sample: 500) { $0 % 50 == 3 ? (0, 10_000) : $0 % 50 == 7 ? (10_000, 0) : (200, 200) },
        Population("some are not evaluated", sample: 500, open: 5) { _ in (300, 600) },
    ]

    @Test(arguments: populations) func intervalsCover(_ population: Population) throws {
        let samples = Exhaustive.count(400, whole: 10_000)
        let (fails, difference) = (population.share(\.after), population.share(\.after) - population.share(\.before))
        let rejected = population.share { $0.after && !$0.before }
        var covered = (failing: 0, rejected: 0, difference: 0, bound: 0)
        for seed in 0..<samples {
            var chance = SplitMix64(seed: UInt64(seed))
            let devices = (0..<population.sample).map { _ in chance.pick(population.kinds) }
            let known = devices.filter { !$0.isOpen }
            let open = devices.count - known.count
            let failing = try #require(Proportion(known.count(where: \.after), of: known.count))
            if failing.interval(at: .usual, unknown: open).contains(fails) { covered.failing += 1 }
            let gained = known.count { $0.after && !$0.before }
            let newly = try #require(Proportion(gained, of: known.count))
            if newly.interval(at: .usual, unknown: open).contains(rejected) { covered.rejected += 1 }
            let bound = try #require(newly.extremes(unknown: open)).all.upperBound(at: .usual)
            if bound >= rejected { covered.bound += 1 }
            let pairs = try #require(
                PairedComparison(gained: gained, lost: known.count { $0.before && !$0.after }, of: known.count))
            if pairs.interval(at: .usual, unknown: open).contains(difference) { covered.difference += 1 }
        }
        // The share varies more if there are few samples.
        let least = Double(samples) * Exhaustive.choice(0.91, whole: 0.94)
        for count in [covered.failing, covered.rejected, covered.difference, covered.bound] {
            #expect(Double(count) >= least, "\(covered) of \(samples)")
        }
    }

    // Eighty edits, each of which rejects other devices, some a few times in a sample and some often.
    @Test func intervalsOfManyEditsHoldTogether() throws {
        let samples = Exhaustive.count(100, whole: 2000)
        let means = (0..<80).map { 0.5 + Double($0 % 20) * 1.5 }
        let level = Confidence.usual.shared(among: means.count)
        var together = 0
        for seed in 0..<samples {
            var chance = SplitMix64(seed: UInt64(seed))
            let holds = try means.allSatisfy { mean in
                let count = (0..<1000).count { _ in Double(chance.below(1_000_000)) < mean * 1000 }
                return try #require(Proportion(count, of: 1000)).interval(at: level).contains(mean / 1000)
            }
            if holds { together += 1 }
        }
        #expect(Double(together) >= Double(samples) * Exhaustive.choice(0.9, whole: 0.94))
    }
}
