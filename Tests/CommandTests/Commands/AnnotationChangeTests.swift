import Testing

@testable import TestSupport
@testable import scenario

/// A change of annotations, which no verdict shows: in the headline, under a limit, and in every form.
@Suite struct AnnotationChangeTests {
    // Three devices, the first two rooted, that pass before and after; two tokens newly name `rooted`.
    private static let files = DiffSample.files.merging([
        "before.yaml": "policy: default,allow-root,default\n", "after.yaml": "policy: default,allow-root,rooted\n",
        "named.yaml": "policy: default,allow-root,rooted+frida\n",
    ]) { $1 }

    private static let change = ["diff", "@three.jsonl", "--account=@named.yaml", "--candidate=@after.yaml"]
    private static let appearing = ["diff", "@three.jsonl", "--account=@before.yaml", "--candidate=@after.yaml"]

    struct Row: LabelledRow {
        let form, part: String
    }

    static let rows = [
        Row(
            form: "text",
            part: "token fetches stay as they are; annotations change on 3 of 3 tokens (100.0 %)\n"),
        Row(
            form: "markdown", part: "token fetches stay as they are; annotations change on 3 of 3 tokens (100.0 %)**"),
        Row(form: "html", part: "<b class=\"strong\">3</b> <span>of 3 tokens (100.0 %) with other annotations</span>"),
        Row(form: "junit", part: "annotations change on 3 of 3 tokens (100.0 %)"),
        Row(
            form: "sarif",
            part: #""level":"warning","locations":"#),
        Row(form: "sarif", part: "annotations change on 3 of 3 tokens (100.0 %)"),
        Row(form: "csv", part: "annotations-changed,all,,3,3,,\r\nannotations-changed,gained,rooted,,2,,\r\n"),
        Row(
            form: "json",
            part: #""annotations":{"appearing":3,"attestations":3,"devices":3,"disappearing":0,"gained":{"rooted":2},"#),
    ]

    @Test("tokens that get other annotations are told in every form", arguments: rows)
    func isInEveryForm(_ row: Row) throws {
        let run = try ToolRun(Self.appearing + ["--format=\(row.form)"], files: Self.files)
        #expect(run.status == .success && run.output.contains(row.part), "\(run.output)")
        // If none changes, nothing is said.
        let same = try ToolRun(Self.change + ["--format=\(row.form)"], files: Self.files)
        #expect(!same.output.contains("annotations change"))
    }

    @Test(
        "a limit on tokens whose annotations change",
        arguments: [("2", false), ("3", true), ("99.9%", false), ("100%", true)])
    func isLimited(_ limit: String, _ holds: Bool) throws {
        let option = "--max-annotations-changed=\(limit)"
        for form in ["text", "json", "markdown", "html", "csv", "junit", "sarif"] {
            let run = try ToolRun(Self.appearing + [option, "--format=\(form)"], files: Self.files)
            #expect(run.status == (holds ? .success : .limitExceeded))
            #expect(
                run.error
                    == (holds
                        ? ""
                        : "scenario: limit exceeded: 3 of 3 tokens are more than `--max-annotations-changed` allows\n"))
            if ["html", "junit"].contains(form) { #expect(run.output.contains("--max-annotations-changed \(limit)")) }
            if form == "sarif" { #expect(run.output.contains("are more than --max-annotations") != holds) }
        }
        let allowed = try ToolRun(Self.appearing + [option, "--allow=agreed"], files: Self.files)
        #expect(allowed.status == .success && allowed.error.contains("allowed: agreed") != holds)
        let none = try ToolRun(Self.change + ["--max-annotations-changed=0"], files: Self.files)
        #expect(none.status == .success && none.error == "")
    }

    @Test("findings are in the capture, whatever else was read") func findingsAreInTheCapture() throws {
        let run = try ToolRun(
            [
                "diff", "@day.jsonl", "--account=@plain.yaml", "--candidate=@root.yaml", "--fetches=@fetches.txt",
                "--max-newly-accepted=0", "--format=sarif",
            ], files: DiffSample.files)
        #expect(run.status == .limitExceeded)
        let positions = run.output.matches(of: /"artifactLocation":\{"uri":"([^"]*)"/).map { String($0.output.1) }
        #expect(positions.count == 2 && positions.allSatisfy { $0.hasSuffix("day.jsonl") }, "\(positions)")
    }
}
