import Testing

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
        #expect(try Set(ReferenceRow.all.get().map(\.function)) == Set(ReferenceFunction.all.map(\.name)))
    }
}
