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

    static let rows = [
        ToolRow.usage(
            "a code that is near", "lint --explain=development-kay",
            "no check has the code `development-kay`; did you mean `development-key`?"),
        .usage(
            "a code and a file", "lint --explain=development-key x.yaml",
            "`--explain` explains a code, and checks no file"),
        .usage("neither", "lint", "`PATH…` is missing; `--help` shows how it is used"),
    ]

    @Test(arguments: rows) func isWrong(_ row: ToolRow) throws { try row.expectNoOutput(files: [:]) }

    @Test("docs/LINT.md is what the catalogue says; RECORD_GOLDEN=1 writes it") func document() throws {
        let path = Repository.root.appending(path: "docs/LINT.md")
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try Data(LintPages.document.utf8).write(to: path)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == LintPages.document)
        for code in Self.information.map(\.code) { #expect(LintPages.document.contains("\n## \(code)\n")) }
    }

    @Test("a report counts what is allowed, in each form") func counts() throws {
        let files = ["a.yaml": "dev-key: x # scenario: allow development-key because of \"testers\"\n"]
        let text = try ToolRun("lint @a.yaml --strict", files: files).ending(.success)
        #expect(text.output == "a.yaml:1:12: allowed: 1 finding of development-key, because of \"testers\"\n")
        let json = try ToolRun("lint @a.yaml --format=json", files: files).output
        #expect(json.contains(#""warnings":0,"diagnostics":[],"allowed":[{"file":"#))
        #expect(json.contains(#""line":1,"code":"development-key","reason":"of \"testers\"","diagnostics":[{"#))
        let sarif = try ToolRun("lint @a.yaml --format=sarif", files: files).output
        #expect(sarif.contains(#""suppressions":[{"justification":"of \"testers\"","kind":"inSource"}]"#))
    }
}
