import Testing

@testable import Statistics

/// The share of samples from known populations whose 95 % interval contains the true value.
@Suite struct CoverageTests {
    private static let usual = 0.94...0.965

    // Computed from all possible samples and their probabilities.
    @Test(arguments: [30, 300]) func intervalsOfSharesCover(_ total: Int) throws {
        let shares = try (0...total).map { try #require(Proportion($0, of: total)) }
        let (usual, exact) = (
            shares.map { $0.interval(at: .usual) },
            shares.map { $0.exactInterval(at: .usual) }
        )
        var (sum, truths) = (0.0, 0.0)
        for step in 1...396 {
            let truth = Double(step) / 400
            let distribution = try #require(BinomialDistribution(trials: total, probability: truth))
            func coverage(_ intervals: [ConfidenceInterval]) -> Double {
                intervals.indices.reduce(0) {
                    $0 + (intervals[$1].contains(truth) ? distribution.probability(of: $1) : 0)
                }
            }
            #expect(coverage(exact) >= 0.95)
            // With a count of about 8 or 13, some shares are just outside of Wilson's interval.
            #expect(coverage(usual) >= 0.93)
            (sum, truths) = (sum + coverage(usual), truths + 1)
        }
        #expect((0.95...0.97).contains(sum / truths))
    }

    // Wilson's interval alone has 84 % here, because a sample with a single one excludes the true share.
    @Test(arguments: [0.02, 0.17, 0.9, 2, 3.6, 6]) func intervalsOfRareSharesCover(_ mean: Double) throws {
        let distribution = try #require(BinomialDistribution(trials: 300, probability: mean / 300))
        let covered = try (0...300).reduce(0.0) { sum, count in
            let interval = try #require(Proportion(count, of: 300)).interval(at: .usual)
            return sum + (interval.contains(mean / 300) ? distribution.probability(of: count) : 0)
        }
        #expect(covered >= 0.94)
    }

    // Numbers of units that gain or lose a property, on average, of 300.
    static let changes: [(gained: Double, lost: Double)] = [
        (0.17, 0), (0.5, 0), (3, 0), (3, 3), (5, 1), (9, 0), (9, 2), (13, 0), (20, 5), (20, 15), (25, 20), (60, 0),
    ]

    // Tango's interval alone has 93 % for 5 and 1. The probabilities are those of all pairs of counts.
    @Test(arguments: changes) func intervalsOfPairedDifferencesCover(_ gained: Double, _ lost: Double) throws {
        let total = 300
        let (gain, loss) = (gained / Double(total), lost / Double(total))
        let gains = try #require(BinomialDistribution(trials: total, probability: gain))
        var (covered, sum) = (0.0, 0.0)
        for first in 0...total where gains.probability(of: first) > 1e-7 {
            let losses = try #require(BinomialDistribution(trials: total - first, probability: loss / (1 - gain)))
            for second in 0...(total - first) where losses.probability(of: second) > 1e-7 {
                let probability = gains.probability(of: first) * losses.probability(of: second)
                let pairs = try #require(PairedComparison(gained: first, lost: second, of: total))
                sum += probability
                if pairs.interval(at: .usual).contains(gain - loss) { covered += probability }
            }
        }
        #expect(covered / sum >= 0.95)
    }

    @Test func intervalsOfComparisonsCover() throws {
        let (size, other) = (24, 18)
        var (differences, ratios, sum) = (0.0, 0.0, 0.0)
        let truths = [(0.1, 0.3), (0.5, 0.5), (0.7, 0.4), (0.85, 0.85), (0.25, 0.6)]
        for first in 0...size {
            for second in 0...other {
                let comparison = ProportionComparison(
                    try #require(Proportion(first, of: size)), to: try #require(Proportion(second, of: other)))
                let difference = comparison.differenceInterval(at: .usual)
                let ratio = comparison.ratioInterval(at: .usual)
                for (p, q) in truths {
                    let (one, two) = (
                        try #require(BinomialDistribution(trials: size, probability: p)),
                        try #require(BinomialDistribution(trials: other, probability: q))
                    )
                    let probability = one.probability(of: first) * two.probability(of: second)
                    sum += probability
                    if difference.contains(p - q) { differences += probability }
                    if ratio.contains(p / q) { ratios += probability }
                }
            }
        }
        #expect((0.94...0.98).contains(differences / sum))
        #expect(Self.usual.contains(ratios / sum))
    }

    // Of few devices that show a value, after at least five do, which is when `compare` shows the difference.
    @Test(arguments: [(0.02, 0.0), (0.03, 0.0), (0.02, 0.005), (0.03, 0.03), (0.3, 0.0005)])
    func differencesOfRareSharesCover(_ truth: (Double, Double)) throws {
        let (size, other) = (200, 1000)
        let (one, two) = (
            try #require(BinomialDistribution(trials: size, probability: truth.0)),
            try #require(BinomialDistribution(trials: other, probability: truth.1))
        )
        var (covered, sum) = (0.0, 0.0)
        for first in 0...size where one.probability(of: first) > 1e-7 {
            for second in 0...other where two.probability(of: second) > 1e-7 && first + second >= 5 {
                let probability = one.probability(of: first) * two.probability(of: second)
                let comparison = ProportionComparison(
                    try #require(Proportion(first, of: size)), to: try #require(Proportion(second, of: other)))
                sum += probability
                if comparison.differenceInterval(at: .usual).contains(truth.0 - truth.1) { covered += probability }
            }
        }
        #expect(covered / sum >= 0.94, "\(covered / sum)")
    }

    // 56 of 70 against 48 of 80, by Python: at most 40.17 points and at least -2.07, one-sided and exact.
    @Test func exactBoundsOfDifferences() throws {
        let comparison = ProportionComparison(
            try #require(Proportion(56, of: 70)), to: try #require(Proportion(48, of: 80)))
        #expect(abs(comparison.differenceUpperBound(at: .usual) - 0.401743) < 1e-6)
        #expect(abs(comparison.differenceLowerBound(at: .usual) + 0.020726) < 1e-6)
    }

    // 5 % divided by twelve and times three.
    @Test func intervalsOfSelectedParametersHaveTheirLevel() {
        #expect(abs(Confidence.usual.selected(3, among: 12).significance - 0.0125) < 1e-15)
        #expect(Confidence.usual.selected(0, among: 12) == .usual && Confidence.usual.selected(12, among: 12) == .usual)
    }
}
