import Testing

@testable import TestSupport
@testable import scenario

/// Limits that may be exceeded, and devices that do not count; `Tests/Transcripts/changes` has what is shown of both.
@Suite struct AllowanceTests {
    @Test("a reason that cannot be seen is none", arguments: [" ", "\t \n", "\u{200B}", "\u{AD}\u{2060} "])
    func aBlankReasonIsNone(_ reason: String) throws {
        let change = ["diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"]
        let run = try ToolRun(change + ["--max-newly-rejected=1", "--allow=\(reason)"], files: DiffSample.files)
        #expect(run.status == .usage && run.output == "" && run.error.contains("`--allow` needs a reason"))
    }

    static let edits: [Case<[String], String>] = [
        Case(
            "a comparison of an older version", [#""compared":\{[^}]*\}"#, #""compared":null"#],
            gives: "does not say what was compared\n  hint: one that was made of files, by this version, does\n"),
        Case(
            "more devices than are named", [#""device-names":\[[^\]]*\]"#, #""device-names":null"#],
            gives: "it names no devices: more than 100,000 of them change\n"),
    ]

    @Test("a baseline that says too little is refused", arguments: edits)
    func isRefused(_ row: Case<[String], String>) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let diff = ["diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"]
        let base = ToolRun(diff + ["--format=json"], in: folder).output
        try folder.write(base.replacing(try Regex(row.input[0]), with: row.input[1]), to: "base.json")
        let run = ToolRun(diff + ["--baseline=@base.json", "--max-newly-rejected=0"], in: folder)
        #expect(run.status == .invalidInput && run.output == "")
        #expect(run.error.hasPrefix("base.json: error: ") && run.error.hasSuffix(row.expected), "\(run.error)")
    }

    // GitHub and its readers want a text and a link for each rule.
    @Test func everyRuleOfSARIFIsDescribed() throws {
        for command in ["diff @three.jsonl --account=@root.yaml --candidate=@plain.yaml", "lint @root.yaml"] {
            let run = try ToolRun("\(command) --format=sarif", files: DiffSample.files)
            let tool = try #require(
                (try JSONText(run.output)["runs"] as? [[String: Any]])?.first?["tool"] as? [String: [String: Any]])
            let rules = try #require(tool["driver"]?["rules"] as? [[String: Any]])
            #expect(rules.count >= 7)
            for rule in rules {
                let text = (rule["fullDescription"] as? [String: String])?["text"] ?? ""
                #expect(text.count > 20 && text.hasSuffix("."), "\(rule)")
                expect((rule["helpUri"] as? String)?.hasPrefix("file:///usr/share/doc/scenario/"), equals: true)
            }
        }
    }
}
