import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `generate` into a pipe.
@Suite struct GenerateCommandTests {
    @Test func aReaderThatHasEnoughIsNoFailure() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = unsafe pipe(&ends) == 0
        try #require(isOpen)
        close(ends[0])
        defer { close(ends[1]) }
        let population = "scenario: s\ndevices: {stock: {count: 90, flag-rates: {rooted: 20%, xposed: 10%}}}\n"
        let run = ToolRun(
            ["generate", "@population.yaml", "--events", "10000", "--output", "/dev/fd/\(ends[1])"],
            in: try TemporaryFolder(["population.yaml": population]))
        #expect(run.status == .success && run.error == "")
    }
}
