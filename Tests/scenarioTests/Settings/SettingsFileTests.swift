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

/// `diff --base` with a change that sets `scenario.toml`, too: the limits are those of the commit before.
@Suite struct CommittedSettingsTests {
    /// Files of a commit and of the working tree; two of three devices are rooted, and the change rejects them.
    struct Row: LabelledRow {
        let name: String
        /// The lines of `scenario.toml` before and after, below the account and the captures; `nil` for no file.
        let before, after: String?
        var options: [String] = []
        let status: Int32
        /// A part of standard error, and of the report.
        let error: String
        var report = ""
    }

    private static let inputs = "account = \"shop.yaml\"\ncaptures = [\"three.jsonl\"]\n"
    private static let typed = ["three.jsonl", "--account=shop.yaml"]
    private static func limit(_ bound: String, _ more: String = "") -> String {
        "\(inputs)\(more)[diff]\nmax-newly-rejected = \(bound)\n"
    }

    private static let exceeded = "3 devices (66.7 %), more than `--max-newly-rejected` of scenario.toml"

    static let rows = [
        Row(
            name: "nothing but the account changes", before: limit("\"50%\""), after: limit("\"50%\""), status: 4,
            error: exceeded + " allows"),
        Row(
            name: "the limit is loosened with it", before: limit("\"50%\""), after: limit("\"100%\""), status: 4,
            error: exceeded + " before the change allows",
            report: "| changes of scenario.toml | --max-newly-rejected 50% becomes 100% | **exceeded** |"),
        Row(
            name: "a limit that is loosened, and would have held", before: limit("\"90%\""), after: limit("\"100%\""),
            status: 4,
            error: "limit exceeded: changes of scenario.toml, which a change must not loosen for itself: "
                + "--max-newly-rejected 90% becomes 100%\n"),
        Row(
            name: "with a reason", before: limit("\"90%\""), after: limit("\"100%\""), options: ["--allow=agreed"],
            status: 0, error: "; allowed: agreed", report: "**exceeded, allowed: agreed**"),
        Row(
            name: "a limit that goes", before: limit("\"50%\""), after: inputs, status: 4,
            error: "--max-newly-rejected 50% is gone"),
        Row(
            name: "a file that goes", before: limit("3"), after: nil, options: typed, status: 4,
            error: "changes of scenario.toml, which a change must not loosen for itself: --max-newly-rejected 3 is gone"
        ),
        Row(
            name: "a share in place of a number", before: limit("3"), after: limit("\"99%\""), status: 4,
            error: "--max-newly-rejected 3 becomes 99%"),
        Row(
            name: "a number in place of a share", before: limit("\"90%\""), after: limit("1"),
            status: 4, error: "--max-newly-rejected 90% becomes 1"),
        Row(
            name: "a share that is tightened", before: limit("\"90%\""), after: limit("\"10%\""), status: 0,
            error: "--max-newly-rejected 90% before the change",
            report: "| changes of scenario.toml | --max-newly-rejected 90% becomes 10% | **holds** |"),
        Row(
            name: "a limit that is new holds at once", before: inputs, after: limit("0"), status: 4,
            error: exceeded + " allows",
            report: "| changes of scenario.toml | --max-newly-rejected 0 is new | **holds** |"),
        Row(
            name: "a file that is new", before: nil, after: limit("0"), status: 4, error: exceeded + " allows"),
        Row(
            name: "another capture", before: limit("3"),
            after: limit("3").replacing("[\"three", with: "[\"thousand"), status: 4,
            error: "captures three.jsonl becomes thousand.jsonl"),
        Row(
            name: "the level goes", before: limit("\"90%\"", "confidence = \"95%\"\n"), after: limit("\"90%\""),
            status: 4, error: "--confidence 95% is gone"),
        Row(
            name: "a typed limit is no default", before: limit("0"), after: limit("\"100%\""),
            options: ["--max-newly-rejected=2"], status: 0, error: ""),
        Row(
            name: "a commit whose file is wrong", before: "limit = 1\n", after: limit("0"), status: 2,
            error: "first:scenario.toml:1:1: error: unknown key `limit`"),
    ]

    @Test("a change is held against the limits of the commit before", arguments: rows) func limits(_ row: Row) throws {
        let folder = try TemporaryFolder([
            "three.jsonl": DiffSample.capture(devices: 3, rooted: 2),
            "thousand.jsonl": DiffSample.capture(devices: 1000, rooted: 1),
            "shop.yaml": "account: shop\npolicy: default,allow-root,default\n",
        ])
        try folder.git("init", "--quiet")
        if let before = row.before { try folder.write(before, to: "scenario.toml") }
        try folder.commit("first")
        if row.before != nil { try folder.remove("scenario.toml") }
        if let after = row.after { try folder.write(after, to: "scenario.toml") }
        try folder.write("account: shop\npolicy: default,default,default\n", to: "shop.yaml")
        let options = ["diff", "--base=first", "--format=markdown", "--output=report"] + row.options
        let run = try ToolProcess(options, in: folder).end()
        #expect(run.status == row.status, "\(run.error)")
        #expect(row.error.isEmpty || run.error.contains(row.error), "\(run.error)")
        #expect(row.report.isEmpty || folder["report"]?.contains(row.report) == true, "\(folder["report"] ?? "")")
    }

    @Test("a change between two commits is held against the limits of the first") func twoCommits() throws {
        let folder = try TemporaryFolder(["three.jsonl": DiffSample.capture(devices: 3, rooted: 2)])
        try folder.git("init", "--quiet")
        for (tag, policy, bound) in [("first", "allow-root", "0"), ("second", "default", "3")] {
            try folder.write("account: shop\npolicy: default,\(policy),default\n", to: "shop.yaml")
            try folder.write(Self.limit(bound), to: "scenario.toml")
            try folder.commit(tag)
        }
        try folder.remove("scenario.toml")
        let options = ["diff", "--base=first", "--head=second", "--format=json", "--output=report"] + Self.typed
        let run = try ToolProcess(options, in: folder).end()
        #expect(run.status == 4 && run.error.contains("--max-newly-rejected 0 becomes 3"), "\(run.error)")
        let changes =
            #""changes":[{"option":"--max-newly-rejected","before":["0"],"after":["3"],"loosens":true}]}}"#
        #expect(folder["report"]?.contains(changes) == true)
    }
}
