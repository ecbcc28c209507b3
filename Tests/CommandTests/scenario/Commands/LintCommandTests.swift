import Foundation
import Testing

@testable import Analysis
@testable import Reports
@testable import TestSupport
@testable import scenario

/// The pages on the checks, and what comments allow.
@Suite struct LintCommandTests {
    private static let information = LintCatalogue.information

    @Test(
        "each code has a page that says why it matters, how to mend it, and how to allow it",
        arguments: information.map(\.code))
    func explains(_ code: String) throws {
        let run = try ToolRun("lint --explain=\(code)")
        let information = try #require(LintCatalogue.information(on: code))
        #expect(run.status == .success && run.error == "")
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for part in [information.why, information.mend, "# scenario: allow \(code) because …"] {
            #expect(words.contains(part.split(whereSeparator: \.isWhitespace).joined(separator: " ")))
        }
        for file in [information.trips, information.passes] {
            #expect(file.split(separator: "\n").allSatisfy { run.output.contains("    \($0)\n") })
        }
    }

    @Test("docs/LINT.md is what the catalogue says; UPDATE=1 writes it") func document() throws {
        let path = Repository.root.appending(path: "docs/LINT.md")
        if ProcessInfo.processInfo.environment["UPDATE"] == "1" {
            try Data(LintPages.document.utf8).write(to: path)
        }
        try expect(String(contentsOf: path, encoding: .utf8), equals: LintPages.document)
        for code in Self.information.map(\.code) { #expect(LintPages.document.contains("\n## \(code)\n")) }
    }
}
