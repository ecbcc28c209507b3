import Testing

@testable import Statistics
@testable import TestSupport

/// Compares with mpmath, SciPy and statsmodels.
@Suite struct ReferenceTests {
    @Test(arguments: ReferenceFunction.all) func agrees(_ function: ReferenceFunction) throws {
        let rows = try ReferenceRow.all.get().filter { $0.function == function.name }.rows(atLeast: 2)
        for row in rows {
            let values = try function.values(row.arguments)
            try #require(values.count == row.expected.count)
            for (value, expected) in zip(values, row.expected) {
                let isSame = value == expected || abs(value - expected) <= function.tolerance * abs(expected) + 1e-300
                #expect(isSame, "\(row.arguments): \(value), and not \(expected)")
            }
        }
    }

    @Test func everyRowIsCompared() throws {
        try expect(Set(ReferenceRow.all.get().map(\.function)), equals: Set(ReferenceFunction.all.map(\.name)))
    }
}

/// A function that other programs compute, too.
struct ReferenceFunction: LabelledRow {
    let name: String
    /// The greatest relative difference.
    let tolerance: Double
    let values: @Sendable ([Double]) throws -> [Double]

    private init(
        _ name: String, within tolerance: Double = 3e-13, _ values: @escaping @Sendable ([Double]) throws -> [Double]
    ) {
        (self.name, self.tolerance, self.values) = (name, tolerance, values)
    }

    static let all = distributions + intervals + tests
}

// Distributions.
extension ReferenceFunction {
    private static let distributions: [ReferenceFunction] = [
        Self("normalLowerTail") { [NormalDistribution.lowerTail($0[0])] },
        Self("normalQuantile", within: 2e-15) { [NormalDistribution.quantile($0[0])] },
        Self("binomialProbability") {
            [try binomial($0).probability(of: Int($0[0]))]
        },
        Self("binomialLowerTail") { [try binomial($0).lowerTail(Int($0[0]))] },
        Self("binomialUpperTail") { [try binomial($0).upperTail(Int($0[0]))] },
        Self("betaLowerTail") { [try beta($0).lowerTail($0[0])] },
        Self("betaLowerQuantile") { [try beta($0).quantile(lowerTail: $0[0])] },
        Self("betaUpperQuantile") { [try beta($0).quantile(upperTail: $0[0])] },
        Self("chiSquareUpperTail") {
            [try #require(ChiSquareDistribution(degrees: Int($0[1]))).upperTail($0[0])]
        },
        Self("chiSquareQuantile") {
            [try #require(ChiSquareDistribution(degrees: Int($0[1]))).quantile(upperTail: $0[0])]
        },
    ]

    private static func binomial(_ values: [Double]) throws -> BinomialDistribution {
        try #require(BinomialDistribution(trials: Int(values[1]), probability: values[2]))
    }

    private static func beta(_ values: [Double]) throws -> BetaDistribution {
        try #require(BetaDistribution(values[1], values[2]))
    }
}

// Intervals.
extension ReferenceFunction {
    private static let intervals: [ReferenceFunction] = [
        Self("scoreInterval") {
            ends(try proportion($0).scoreInterval(at: try #require(Confidence($0[2]))))
        },
        Self("exactInterval") {
            ends(try proportion($0).exactInterval(at: try #require(Confidence($0[2]))))
        },
        Self("newcombe") {
            ends(try comparison($0).scoreDifferenceInterval(at: try #require(Confidence($0[4]))))
        },
        Self("koopman") { ends(try comparison($0).ratioInterval(at: try #require(Confidence($0[4])))) },
        // A root where the function is steep has fewer digits.
        Self("tango", within: 1e-11) {
            let pairs = try #require(PairedComparison(gained: Int($0[0]), lost: Int($0[1]), of: Int($0[2])))
            return ends(pairs.scoreInterval(at: try #require(Confidence($0[3]))))
        },
    ]

    private static func proportion(_ values: [Double]) throws -> Proportion {
        try #require(Proportion(Int(values[0]), of: Int(values[1])))
    }

    private static func comparison(_ values: [Double]) throws -> ProportionComparison {
        ProportionComparison(try proportion(values), to: try proportion([values[2], values[3]]))
    }

    private static func ends(_ interval: ConfidenceInterval) -> [Double] { [interval.lower, interval.upper] }
}

// Tests.
extension ReferenceFunction {
    private static let tests: [ReferenceFunction] = [
        Self("fisher") {
            let test = FisherTest(try comparison($0))
            return [test.greater, test.less, test.twoSided, test.twoSidedMidP]
        },
        Self("stability") {
            let (first, second) = halves($0)
            let stability = try #require(PopulationStability(first, second))
            return [stability.index, stability.chanceLevel(at: .usual)]
        },
        Self("holm", AdjustedPValues.holm),
        Self("benjaminiYekutieli", AdjustedPValues.benjaminiYekutieli),
    ]

    private static func halves(_ values: [Double]) -> (first: [Int], second: [Int]) {
        let counts = values.map { Int($0) }
        return (Array(counts.prefix(counts.count / 2)), Array(counts.suffix(counts.count / 2)))
    }
}

/// The values of a function by other programs: a line of `reference.csv`, which reference.py writes from mpmath, SciPy and
/// statsmodels and `make check-statistics` compares with them.
struct ReferenceRow: Sendable {
    let function: String
    let arguments: [Double]
    let expected: [Double]

    static let all = Result {
        try Repository.text(of: "Tests/EngineTests/Statistics/reference.csv").split(separator: "\n").dropFirst().map(
            read)
    }

    private static func read(_ line: Substring) throws -> ReferenceRow {
        let columns = line.split(separator: ",")
        try #require(columns.count == 3)
        let numbers = try columns.dropFirst().map { try $0.split(separator: " ").map { try #require(Double($0)) } }
        return ReferenceRow(function: String(columns[0]), arguments: numbers[0], expected: numbers[1])
    }
}
