import Testing

@testable import TestSupport
@testable import scenario

/// `diff --changes FILE`: one command a line.
@Suite struct DiffChangesFileTests {
    struct Row: LabelledRow {
        let name, text: String
        /// Devices newly accepted; Bob is rooted.
        let accepted: Int
    }

    private static let allow = "policy -set default,allow-root,default"
    private static let automated = "policy -addRejectFlag automated"

    static let rows = [
        Row(name: "one command", text: allow + "\n", accepted: 1),
        Row(name: "no newline at the end", text: allow, accepted: 1),
        Row(name: "in order", text: "policy -set default,default,risk\n\(allow)\n\(automated)\n", accepted: 1),
        Row(name: "in the other order", text: "\(allow)\npolicy -set default,default,risk\n", accepted: 0),
        Row(name: "comments and blank lines", text: "# why\n\n   \n\(allow)\n\t# policy -set x\n", accepted: 1),
        Row(name: "indented", text: "  \t\(allow)  \n", accepted: 1),
        Row(name: "CRLF", text: "\(allow)\r\n", accepted: 1),
        Row(name: "several lines with CRLF", text: "\(allow)\r\n\(automated)\r\n", accepted: 1),
        Row(name: "a comment with CRLF", text: "# why\r\n\r\n\(allow)\r\n", accepted: 1),
        Row(name: "as the manual prints it", text: "$ approov \(allow)\n", accepted: 1),
        Row(name: "a byte order mark", text: "\u{FEFF}\(allow)\n", accepted: 1),
        Row(name: "a comment behind a byte order mark", text: "\u{FEFF}# why\n\(allow)\n", accepted: 1),
    ]

    @Test(arguments: rows) func carriesOutEveryLine(_ row: Row) throws {
        var files = DiffSample.files
        files["changes"] = row.text
        let run = try ToolRun(
            ["diff", "@day.jsonl", "--account=new", "--changes", "@changes", "--format=json"], files: files)
        #expect(run.error == "")
        #expect(try JSONText(run.output).integer("changes", "newly-accepted", "devices") == row.accepted)
    }

    // With other bytes it would be another command.
    @Test func aLineThatIsNotUTF8IsRefused() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(Array("\(Self.allow)\nfilter -add f -key x -match ".utf8) + [0xFF, 0x0A], to: "changes")
        let run = ToolRun(["diff", "@day.jsonl", "--account=new", "--changes", "@changes"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error == "changes:2: error: the command is not UTF-8\n")
    }

    struct Mistake: LabelledRow {
        let name, text, error: String
    }

    private static let unknown = "error: unknown command `polcy`\n  hint: did you mean `policy`?\n"

    static let mistakes = [
        Mistake(name: "in the first line", text: "polcy -get\n", error: "changes:1: \(unknown)"),
        Mistake(
            name: "behind comments and blank lines", text: "# why\n\n\(allow)\npolcy -get\n",
            error: "changes:4: \(unknown)"),
        Mistake(name: "with CRLF", text: "# why\r\n\r\n\(allow)\r\npolcy -get\r\n", error: "changes:4: \(unknown)"),
        Mistake(
            name: "several", text: "polcy -get\n\(allow)\npolicy -addRejectFlag roted\n",
            error: "changes:1: \(unknown)changes:3: error: unknown flag `roted`\n  hint: did you mean `rooted`?\n"),
        Mistake(
            name: "what the service refuses", text: "\(allow)\nfilter -remove nothing\n",
            error: "changes:2: error: there is no filter `nothing`\n"),
        Mistake(
            name: "a warning has its line too", text: "\npolicy -set default,default,all\npolcy -get\n",
            error: "changes:3: \(unknown)"),
    ]

    @Test(arguments: mistakes) func namesFileAndLine(_ mistake: Mistake) throws {
        var files = DiffSample.files
        files["changes"] = mistake.text
        let run = try ToolRun(["diff", "@day.jsonl", "--account=new", "--changes", "@changes"], files: files)
        #expect(run.status == .invalidInput)
        let reported = run.error.split(separator: "changes:2: warning", maxSplits: 1).last.map(String.init) ?? ""
        #expect(reported.hasSuffix(mistake.error), "\(run.error)")
        #expect(run.output == "")
    }
}
