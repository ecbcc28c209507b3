import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `scenario.toml`: defaults of a command line, which what is typed replaces.
@Suite struct SettingsFileTests {
    private static let toml = """
        account = "root.yaml" # the account
        captures = ["three.jsonl"]

        [diff]
        max-newly-rejected = "50%"

        """

    private static func folder(_ toml: String = toml) throws -> TemporaryFolder {
        var files = DiffSample.files
        files["scenario.toml"] = toml
        files["sub/deep/here.txt"] = ""
        return try TemporaryFolder(files)
    }

    private struct Run {
        let status: Int32
        let output, error: String

        init(_ words: String, in folder: TemporaryFolder, at place: String = "") throws {
            let (shell, output, error) = (Process(), Pipe(), Pipe())
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.currentDirectoryURL = URL(filePath: folder.path(place))
            shell.arguments = ["-c", "'\(ToolProcess.path)' \(words)"]
            (shell.standardOutput, shell.standardError) = (output, error)
            try shell.run()
            self.output = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            self.error = String(decoding: try error.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            shell.waitUntilExit()
            status = shell.terminationStatus
        }
    }

    private static let change = "--change='policy -set default,default,default'"

    @Test("defaults come from a folder above, and the report says which") func foundAbove() throws {
        let folder = try Self.folder()
        let run = try Run("diff \(Self.change)", in: folder, at: "sub/deep")
        let words = "--account ../../root.yaml, ../../three.jsonl, --max-newly-rejected 50%"
        #expect(run.output.hasSuffix("\nThis report has defaults of ../../scenario.toml: \(words)\n"))
        // Two of three devices are rooted.
        #expect(run.output.hasPrefix("2 of 3 devices (66.7 %) would stop getting valid tokens"))
        #expect(run.status == 4)
        #expect(run.error.contains("scenario: defaults of ../../scenario.toml: \(words)\n"))
        #expect(
            run.error.contains(
                "2 of 3 devices (66.7 %), more than `--max-newly-rejected` of ../../scenario.toml allows"))
    }

    @Test("the report is otherwise that of the same words, typed") func equalsTyped() throws {
        let folder = try Self.folder()
        let other = try TemporaryFolder(DiffSample.files)
        let typed = "diff three.jsonl --account root.yaml --max-newly-rejected 50% \(Self.change)"
        let run = try Run("diff \(Self.change)", in: folder)
        let plain = try Run(typed, in: other)
        #expect(run.output.hasPrefix(plain.output) && run.status == plain.status && plain.status == 4)
        // All of it typed, nothing of the file is used or named.
        let all = try Run(typed, in: folder)
        #expect(all.output == plain.output && all.error == plain.error)
    }

    @Test("what is typed wins, value by value") func typedWins() throws {
        let folder = try Self.folder()
        let loose = try Run("diff --max-newly-rejected=100% \(Self.change)", in: folder)
        #expect(loose.status == 0 && loose.output.hasSuffix("--account root.yaml, three.jsonl\n"))
        let new = try Run("diff --account=new \(Self.change)", in: folder)
        #expect(new.output.hasPrefix("no device of 3 would stop") && !new.output.contains("--account"))
        let day = try Run("replay day.jsonl", in: folder)
        #expect(
            day.output.contains("attestations    3") && day.output.hasSuffix("scenario.toml: --account root.yaml\n"))
    }

    @Test("a scenario keeps its own account, and other commands read no defaults") func leftAlone() throws {
        let folder = try Self.folder("account = \"missing.yaml\"\n")
        #expect(try Run("diff good.yaml --policy=strict", in: folder).status == 0)
        #expect(try Run("run good.yaml", in: folder).status == 0)
        #expect(try Run("replay day.jsonl", in: folder).error.contains("missing.yaml: error: no such file"))
        let broken = try Self.folder("account = \n")
        #expect(try Run("run good.yaml", in: broken).status == 0)
        #expect(try Run("replay --help", in: broken).status == 0)
        #expect(try Run("replay day.jsonl", in: broken).status == 2)
    }

    @Test("the search ends with a repository") func repository() throws {
        let folder = try Self.folder()
        try folder.write("", to: "sub/.git/")
        let run = try Run("replay three.jsonl", in: folder, at: "sub")
        #expect(run.status == 2 && !run.error.contains("toml"))
        #expect(try Run("replay ../three.jsonl", in: folder, at: "sub").error == "")
    }

    @Test("a report as JSON names the file and the values") func json() throws {
        let run = try Run("diff --format=json \(Self.change)", in: try Self.folder())
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let settings = try #require(object["settings"] as? [String: Any])
        #expect(settings["file"] as? String == "scenario.toml")
        let values = try #require(settings["values"] as? [[String: Any]])
        #expect(values.map { $0["value"] as? String } == ["root.yaml", "three.jsonl", "50%"])
        #expect(values.map { $0["option"] as? String } == ["--account", nil, "--max-newly-rejected"])
    }

    @Test("the JSON Schema of reports knows the member `settings`") func schema() async throws {
        let folder = try Self.folder()
        let commands = [
            "replay", "diff \(Self.change)", "whatif", "search --reject=flag:rooted", "prove \(Self.change)",
            "explain --device=\(DiffSample.device(0))",
        ]
        let reports = try commands.map { try Run("\($0) --format=json", in: folder).output }
        #expect(reports.allSatisfy { $0.contains(",\"settings\":{\"file\":\"scenario.toml\",") })
        let problems = try await SchemaCheck.problems(in: reports, by: try ToolRun("schema report").output)
        #expect(problems.allSatisfy { $0 == nil }, "\(problems)")
    }

    @Test("all mistakes are reported at once, with line and column") func mistakes() throws {
        let toml = """
            acount = "x"
            captures = "day.jsonl"
            labels = ""
            [diff]
            max-newly-rejected = 1.5
            max-newly-accepted = "many"
            [dif]
            a = 1

            """
        let run = try Run("diff --policy=strict", in: try Self.folder(toml))
        #expect(run.status == 2 && run.output == "")
        let heads = run.error.split(separator: "\n").filter { $0.hasPrefix("scenario.toml:") }
        #expect(
            heads == [
                "scenario.toml:1:1: error: unknown key `acount`",
                "scenario.toml:2:12: error: `captures` takes a list of paths, such as [\"day.jsonl.gz\"]",
                "scenario.toml:3:10: error: the value of `labels` is empty",
                "scenario.toml:5:22: error: `max-newly-rejected` takes a number such as 12, or a share in quotes such as \"0.1%\"",
                "scenario.toml:6:22: error: `max-newly-accepted` takes a number such as 12, or a share in quotes such as \"0.1%\"",
                "scenario.toml:8:1: error: the table `dif` is not known",
            ])
        #expect(run.error.contains("hint: did you mean `account`?"))
    }

    @Test("every limit of `diff` is a key") func limits() {
        let keys = Setting.all.filter { $0.table == "diff" }.map { "--" + $0.key }
        #expect(keys == ChangeLimits.options.map(\.name) && keys.count == 5)
    }
}
