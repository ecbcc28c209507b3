import Testing

@testable import Statistics
@testable import TestSupport

/// Values as they are printed in papers and textbooks, with as many digits as these have.
@Suite struct LiteratureTests {
    struct Share: LabelledRow {
        let source: String
        let count, total: Int
        let score, exact: (lower: Double, upper: Double)
    }

    // Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
    static let shares = [
        Share(source: "81/263", count: 81, total: 263, score: (0.2553, 0.3662), exact: (0.2527, 0.3676)),
        Share(source: "15/148", count: 15, total: 148, score: (0.0624, 0.1605), exact: (0.0578, 0.1617)),
        Share(source: "0/20", count: 0, total: 20, score: (0.0000, 0.1611), exact: (0.0000, 0.1684)),
        Share(source: "1/29", count: 1, total: 29, score: (0.0061, 0.1718), exact: (0.0009, 0.1776)),
    ]

    @Test(arguments: shares) func intervalsOfShares(_ row: Share) throws {
        let proportion = try #require(Proportion(row.count, of: row.total))
        expect(proportion.scoreInterval(at: .usual), row.score, digits: 4)
        expect(proportion.exactInterval(at: .usual), row.exact, digits: 4)
    }

    struct Difference: LabelledRow {
        let source: String
        let group, reference: (count: Int, total: Int)
        let interval: (lower: Double, upper: Double)
    }

    // Newcombe, "Interval estimation for the difference between independent proportions", the same volume, table II,
    // method 10.
    static let differences = [
        Difference(source: "a", group: (56, 70), reference: (48, 80), interval: (0.0524, 0.3339)),
        Difference(source: "b", group: (9, 10), reference: (3, 10), interval: (0.1705, 0.8090)),
        Difference(source: "c", group: (6, 7), reference: (2, 7), interval: (0.0582, 0.8062)),
        Difference(source: "d", group: (5, 56), reference: (0, 29), interval: (-0.0381, 0.1926)),
        Difference(source: "e", group: (0, 10), reference: (0, 20), interval: (-0.1611, 0.2775)),
        Difference(source: "f", group: (0, 10), reference: (0, 10), interval: (-0.2775, 0.2775)),
        Difference(source: "g", group: (10, 10), reference: (0, 20), interval: (0.6791, 1.0000)),
        Difference(source: "h", group: (10, 10), reference: (0, 10), interval: (0.6075, 1.0000)),
    ]

    @Test(arguments: differences) func intervalsOfDifferences(_ row: Difference) throws {
        let comparison = ProportionComparison(
            try #require(Proportion(row.group.count, of: row.group.total)),
            to: try #require(Proportion(row.reference.count, of: row.reference.total)))
        expect(comparison.scoreDifferenceInterval(at: .usual), row.interval, digits: 4)
    }

    // The change of airway hyper-responsiveness of 21 children after a transplantation: Fagerland, Lydersen and Laake,
    // "Recommended tests and confidence intervals for paired binomial proportions", Statistics in Medicine 33 (2014).
    @Test func intervalOfAPairedDifference() throws {
        let pairs = try #require(PairedComparison(gained: 1, lost: 7, of: 21))
        expect(pairs.scoreInterval(at: .usual), (-0.517, -0.026), digits: 3)
    }

    // Koopman, "Confidence intervals for the ratio of two binomial proportions", Biometrics 40 (1984).
    @Test func intervalOfARatio() throws {
        let comparison = ProportionComparison(
            try #require(Proportion(36, of: 40)), to: try #require(Proportion(16, of: 80)))
        #expect(comparison.ratio == 4.5)
        expect(comparison.ratioInterval(at: .usual), (2.94, 7.15), digits: 2)
    }

    // From the tables that textbooks contain.
    @Test func quantiles() throws {
        #expect(Self.rounded(Confidence.usual.twoSidedQuantile, 3) == 1.960)
        for (degrees, quantile) in [(1, 3.841), (10, 18.307), (100, 124.342)] {
            let distribution = try #require(ChiSquareDistribution(degrees: degrees))
            #expect(Self.rounded(distribution.quantile(upperTail: 0.05), 3) == quantile)
        }
    }

    // Fisher, The Design of Experiments, chapter 2: of four cups with milk first, a lady finds three.
    @Test func aLadyTastesTea() throws {
        let test = FisherTest(
            ProportionComparison(try #require(Proportion(3, of: 4)), to: try #require(Proportion(1, of: 4))))
        #expect(abs(test.greater - 17.0 / 70) < 1e-14)
        #expect(abs(test.twoSided - 34.0 / 70) < 1e-14)
    }

    // The example of Benjamini and Hochberg (1995): of fifteen hypotheses, Bonferroni's and Holm's procedures reject
    // three at 0.05.
    @Test func rejectsAsMany() {
        let values = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
            0.7590, 1.000,
        ]
        #expect(AdjustedPValues.holm(values).count { $0 <= 0.05 } == 3)
    }

    // 104 and 0 of 2,000 devices, and the devices that exclude 0.1 % and 0.01 %.
    @Test func figuresOfReports() throws {
        let (some, none) = (try #require(Proportion(104, of: 2000)), try #require(Proportion(0, of: 2000)))
        expect(some.interval(at: .usual), (0.0431, 0.0626), digits: 4)
        expect(none.interval(at: .usual), (0, 0.00184), digits: 5)
        #expect(Self.rounded(none.upperBound(at: .usual), 5) == 0.00150)
        #expect(SampleSize.total(toExclude: 0.001, at: .usual) == 2995)
        #expect(SampleSize.total(toExclude: 0.0001, at: .usual) == 29_956)
    }

    private static func rounded(_ value: Double, _ digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (value * scale).rounded() / scale
    }

    private func expect(
        _ interval: ConfidenceInterval, _ ends: (lower: Double, upper: Double), digits: Int,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(Self.rounded(interval.lower, digits) == ends.lower, sourceLocation: location)
        #expect(Self.rounded(interval.upper, digits) == ends.upper, sourceLocation: location)
    }
}
