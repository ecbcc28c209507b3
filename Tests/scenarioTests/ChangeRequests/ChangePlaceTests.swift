import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// SARIF and annotations of `diff` point at what changes.
@Suite struct ChangePlaceTests {
    private static let before =
        "account: shop\npolicy: default,default,default\nfilters:\n  - {name: a, key: ip, match: 1.2.3.4}\n"
    private static let after =
        "account: shop\npolicy: default,allow-root,default\nfilters:\n  - {name: a, key: ip, match: 1.2.3.4}\n"
    private static let files = [
        "before.yaml": before, "after.yaml": after,
        "changes.txt": "# Phones of the test department\n\npolicy -set default,allow-root,default\n",
        "three.jsonl": DiffSample.capture(devices: 3, rooted: 2),
    ]

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        let file: String
        let line: Int
        var words: String?
    }

    static let rows = [
        Row(name: "an account", arguments: "--candidate=@after.yaml", file: "after.yaml", line: 2),
        Row(name: "a file of changes", arguments: "--changes=@changes.txt", file: "changes.txt", line: 3),
        Row(
            name: "a command", arguments: ["--change", "policy -set default,allow-root,default"], file: "before.yaml",
            line: 1,
            words: "--change 'policy -set default,allow-root,default'"),
        Row(
            name: "a policy", arguments: "--policy=default,allow-root,default", file: "before.yaml", line: 1,
            words: "--policy default,allow-root,default"),
    ]

    private static func run(_ row: Row, _ form: String) throws -> ToolRun {
        try ToolRun(
            ["diff", "@three.jsonl", "--account=@before.yaml", "--max-newly-accepted=0", "--format", form]
                + row.arguments.list, files: files)
    }

    @Test(arguments: rows) func resultsAreAtTheLineThatChanges(_ row: Row) throws {
        let root = try JSONText(try Self.run(row, "sarif").output)
        let run = try #require((root["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.map { $0["ruleId"] as? String } == ["newly-accepted", "limit-exceeded"])
        for result in results {
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let physical = try #require(location["physicalLocation"] as? [String: [String: Any]])
            #expect((physical["artifactLocation"]?["uri"] as? String)?.hasSuffix("/\(row.file)") == true)
            #expect(physical["region"]?["startLine"] as? Int == row.line)
            let words = (location["logicalLocations"] as? [[String: String]])?.map { $0["fullyQualifiedName"] }
            #expect(words == row.words.map { [$0] })
        }
    }

    @Test(arguments: rows) func annotationsAreAtTheLineThatChanges(_ row: Row) throws {
        let run = try Self.run(row, "github").ending(.limitExceeded)
        let words = row.words.map { " (\($0))" } ?? ""
        let lines = run.output.replacing(/file=[^,]*\//, with: "file=").split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let place = "file=\(row.file),line=\(row.line),title="
        #expect(
            lines[0].hasPrefix(
                "::notice \(place)newly-accepted::2 devices would newly be accepted by flag rooted, such as device-"))
        #expect(lines[1].hasPrefix("::error \(place)limit-exceeded::") && lines.allSatisfy { $0.hasSuffix(words) })
    }

    @Test func aResultIsAtTheLineThatNamesItsFilter() throws {
        var files = Self.files
        files["record.jsonl"] =
            #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","flags":"","ip":"1.2.3.4"}"# + "\n"
        files["after.yaml"] = Self.before.replacing("default,default,default", with: "default,default,risk")
            .replacing("match: 1.2.3.4}", with: "match: 1.2.3.4, reject: true}")
        let run = try ToolRun(
            "diff @record.jsonl --account=@before.yaml --candidate=@after.yaml --format=github", files: files)
        #expect(run.output.contains(",line=4,title=newly-rejected::1 device would newly be rejected by filter a"))
    }

    @Test func aResultIsAtTheLineThatACommitChanges() throws {
        let folder = try TemporaryFolder(Self.files.filter { $0.key == "three.jsonl" })
        try folder.git("init", "--quiet")
        try folder.write(Self.before, to: "shop.yaml")
        try folder.commit("first")
        // A line that is taken out is where the next one is.
        for (text, line) in [
            (Self.after, 2), ("# New\n\n" + Self.after, 1), (Self.after.replacing("account: shop\n", with: ""), 1),
        ] {
            try folder.write(text, to: "shop.yaml")
            let run = ToolRun(
                "diff @three.jsonl --account=@shop.yaml --base=first --format=github", in: folder)
            #expect(run.output.contains("shop.yaml,line=\(line),title=newly-accepted::"), "\(run.output)\(run.error)")
        }
    }

    @Test func everyRuleIsDescribed() throws {
        for command in ["diff @three.jsonl --account=@before.yaml --candidate=@after.yaml", "lint @after.yaml"] {
            let run = try ToolRun("\(command) --format=sarif", files: Self.files)
            let tool = try #require(
                (try JSONText(run.output)["runs"] as? [[String: Any]])?.first?["tool"] as? [String: [String: Any]])
            let rules = try #require(tool["driver"]?["rules"] as? [[String: Any]])
            #expect(rules.count >= 7)
            for rule in rules {
                let text = (rule["fullDescription"] as? [String: String])?["text"] ?? ""
                #expect(text.count > 20 && text.hasSuffix("."), "\(rule)")
                #expect((rule["helpUri"] as? String)?.hasPrefix("file:///usr/share/doc/scenario/") == true)
            }
        }
    }
}
