import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `generate` into a pipe.
@Suite struct GenerateCommandTests {
    private static let population = """
        scenario: Population
        devices: {stock: {count: 90, flag-rates: {rooted: 20%, xposed: 10%}}}

        """

    @Test func aReaderThatHasEnoughIsNoFailure() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = unsafe pipe(&ends) == 0
        try #require(isOpen)
        close(ends[0])
        defer { close(ends[1]) }
        let run = ToolRun(
            ["generate", "@population.yaml", "--events", "10000", "--output", "/dev/fd/\(ends[1])"],
            in: try TemporaryFolder(["population.yaml": Self.population]))
        #expect(run.status == .success)
        #expect(run.error == "")
    }
}
