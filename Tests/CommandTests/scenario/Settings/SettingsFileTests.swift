import Testing

@testable import TestSupport
@testable import scenario

/// `scenario.toml`: defaults of a command line; `Tests/Transcripts/settings` has what it does.
@Suite struct SettingsFileTests {
    @Test("the JSON Schema of reports knows the member `settings`") func schema() async throws {
        let folder = try TemporaryFolder(
            DiffSample.files.merging([
                "scenario.toml": "account = \"root.yaml\"\ncaptures = [\"three.jsonl\"]\n",
                "change.txt": "policy -set default,default,default\n",
            ]) { $1 })
        let commands = [
            "replay", "diff --changes=change.txt", "whatif", "search --reject=flag:rooted",
            "prove --changes=change.txt",
            "explain --device=\(DiffSample.device(0))", "compare three.jsonl three.jsonl",
            "rollout --changes=change.txt --steps=100%",
        ]
        let reports = try commands.map { command in
            let words = Words(stringLiteral: command).list + ["--format=json", "--output=report"]
            _ = try ToolProcess(words, in: folder).end()
            return folder["report"] ?? ""
        }
        #expect(reports.allSatisfy { $0.contains(",\"settings\":{\"file\":\"scenario.toml\",") })
        let problems = try await SchemaCheck.problems(in: reports, by: try ToolRun("schema report").output)
        #expect(problems.allSatisfy { $0 == nil }, "\(problems)")
    }

    @Test("every limit of `diff` is a key") func limits() {
        let keys = Setting.all.filter { $0.table == "diff" }.map { "--" + $0.key }
        #expect(keys == ChangeLimits.options.map(\.name) && keys.count == 5)
    }
}
