import Testing

@testable import TestSupport

/// The values of a function by other programs: a line of `reference.csv`, which reference.py writes from mpmath, SciPy and
/// statsmodels and `make check-statistics` compares with them.
struct ReferenceRow: Sendable {
    let function: String
    let arguments: [Double]
    let expected: [Double]

    static let all = Result {
        try Repository.text(of: "Tests/StatisticsTests/reference.csv").split(separator: "\n").dropFirst().map(read)
    }

    private static func read(_ line: Substring) throws -> ReferenceRow {
        let columns = line.split(separator: ",")
        try #require(columns.count == 3)
        let numbers = try columns.dropFirst().map { try $0.split(separator: " ").map { try #require(Double($0)) } }
        return ReferenceRow(function: String(columns[0]), arguments: numbers[0], expected: numbers[1])
    }
}
