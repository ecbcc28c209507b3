import Testing

@testable import TestSupport
@testable import scenario

/// The reports of `diff`: headline, forms, and what is said first.
@Suite struct DiffReportTests {
    static let headlines: [Case<[String], String>] = [
        Case(
            "nothing changes", ["@day.jsonl", "--policy=default,default,default"],
            gives: "no device of 2 would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Case(
            "one would start", ["@day.jsonl", "--candidate=@root.yaml"],
            gives: "no device of 2 would stop getting valid tokens; 1 would start; token fetches stay as they are"),
        Case(
            "one of many would stop",
            ["@thousand.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            gives: "1 of 1,000 devices (0.1 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Case(
            "many would stop", ["@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            gives: "2 of 3 devices (66.7 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Case(
            "thousands would stop", ["@thousand.jsonl", "--policy=default,blacklist,default"],
            gives: "999 of 1,000 devices (99.9 %) would stop getting valid tokens; none would start; "
                + "token fetches stay as they are"),
        Case(
            // Bob attests twice, 120 s before; Amy once, 300 s: (2 × 120/45 + 300/45) / 3 = 4.
            "tokens live shorter",
            ["@day.jsonl", "--policy=default,allow-raj-only-short-lifetime,default"],
            gives: "no device of 2 would stop getting valid tokens; 1 would start; token fetches rise 4×"),
        Case(
            // (2 × 45/120 + 45/300) / 3 = 0.3.
            "tokens live longer",
            ["@day.jsonl", "--account=@short.yaml", "--candidate=@plain.yaml"],
            gives: "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                + "token fetches fall 0.3×"),
        Case(
            // (1 + 1 + 300/120) / 3 = 1.5.
            "one device becomes risky",
            ["@day.jsonl", "--change=filter -add a -key device-id -matchValue \(Sample.amy) -risky"],
            gives: "no device of 2 would stop getting valid tokens; none would start; token fetches rise 1.5×"),
        Case(
            // 2/3 × 120/120 + 1/3 × 120/300 = 0.8.
            "a device is risky no longer",
            ["@day.jsonl", "--account=@risky.yaml", "--candidate=@plain.yaml"],
            gives: "no device of 2 would stop getting valid tokens; none would start; token fetches fall 0.8×"),
        Case(
            // 0 and 1 attest rooted and then not, 2 rooted alone, 3 not.
            "two are rejected at times, and one always",
            ["@times.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            gives: "3 of 4 devices (75.0 %) would get no valid tokens at times, 1 would stop getting them; "
                + "none would start; token fetches stay as they are"),
        Case(
            "two are accepted at more times, and one starts", ["@times.jsonl", "--candidate=@root.yaml"],
            gives: "no device of 4 would stop getting valid tokens; "
                + "3 would get valid tokens at more times, 1 would start; token fetches stay as they are"),
        Case(
            "all are rejected at times, and none always",
            ["@all.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"],
            gives: "2 of 2 devices (100.0 %) would get no valid tokens at times, none would stop getting them; "
                + "none would start; token fetches stay as they are"),
    ]

    // Attestations of devices by their numbers, rooted or not.
    private static func attestations(_ all: [(Int, isRooted: Bool)]) -> String {
        all.enumerated().map { second, attestation in
            #"{"time":"2020-07-23T10:00:0\#(second)Z","device-id":"\#(DiffSample.device(attestation.0))","#
                + #""flags":"\#(attestation.isRooted ? "rooted" : "")"}"# + "\n"
        }.joined()
    }

    private static let files = DiffSample.files.merging([
        "short.yaml": "policy: default,allow-raj-only-short-lifetime,default\n",
        "risky.yaml": "filters: [{name: a, key: device-id, match: \(Sample.amy), risky: true}]\n",
        "times.jsonl": attestations([(0, true), (1, true), (2, true), (0, false), (1, false), (2, true), (3, false)]),
        "all.jsonl": attestations([(0, true), (1, true), (0, true), (1, true), (0, false), (1, false)]),
    ]) { $1 }

    @Test(arguments: headlines) func headlineSaysWhatWouldHappen(_ row: Case<[String], String>) throws {
        let text = try ToolRun(DiffSample.named(["diff"] + row.input), files: Self.files)
        #expect(text.output.split(separator: "\n").first.map(String.init) == row.expected)
        let markdown = try ToolRun(DiffSample.named(["diff", "--format=markdown"] + row.input), files: Self.files)
        #expect(markdown.output.split(separator: "\n").first.map(String.init) == "**\(row.expected)**")
    }

    @Test(arguments: ["text", "json", "markdown"]) func anyFormGoesToAFile(form: String) throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let arguments = ["diff", "@day.jsonl", "--account=new", "--candidate=@root.yaml", "--format", form]
        let printed = ToolRun(arguments, in: folder)
        let written = ToolRun(arguments + ["--output", "@report"], in: folder)
        #expect(printed.status == .success)
        #expect(written.status == .success)
        #expect(written.output == "")
        #expect(folder["report"]?.replacing(folder.path + "/", with: "") == printed.output)
        #expect(printed.output.hasSuffix("\n"))
    }

    @Test func whatIsNotReproducedComesFirst() throws {
        let run = try ToolRun("diff @day.txt --account=@root.yaml --candidate=@plain.yaml", files: DiffSample.files)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(
            Array(lines.prefix(6)) == [
                "1 of 2 devices (50.0 %) would stop getting valid tokens; none would start; "
                    + "token fetches stay as they are",
                "", "The account before does not reproduce the capture",
                "  1 of 2 captured verdicts (50.0 %) differ from those of this account; "
                    + "is it the account of the capture?",
                "  captured  this account        records  first device",
                "  failed    passes with rooted        1  \(Sample.bob)",
            ])
    }

    @Test func whatIsReproducedIsNotMentioned() throws {
        let run = try ToolRun("diff @day.txt --account=new --candidate=@root.yaml", files: DiffSample.files)
        #expect(!run.output.contains("reproduce"))
        let json = try ToolRun(
            "diff @day.txt --account=new --candidate=@root.yaml --format=json", files: DiffSample.files)
        let report = try JSONText(json.output)
        #expect(report["before", "reproduced"] as? [String: Int] == ["compared": 2, "agreed": 2])
        #expect(report["after", "reproduced"] as? [String: Int] == ["compared": 2, "agreed": 1])
        #expect((report["changes", "disagreements"] as? [Any])?.isEmpty == true)
    }

    @Test func theJSONKeepsItsShape() throws {
        let run = try ToolRun(
            "diff @day.txt --account=new --candidate=@root.yaml --format=json", files: DiffSample.files)
        let report = try JSONText(run.output)
        #expect(report.keys[0] == ["version", "before", "after", "changes", "sentence", "explain"])
        #expect(report.integer("version") == 1)
        let changes = try #require(report["changes"] as? [String: Any])
        #expect(
            changes.keys.sorted() == [
                "annotations", "attestations", "certainty", "compared", "counts", "decided-rules", "devices",
                "disagreements", "fetches", "judged",
                "let-in",
                "lifetimes", "locked-out", "newly-accepted", "newly-rejected", "policies", "policy-difference",
                "token-fetches", "unjudged",
            ])
        for side in ["newly-rejected", "newly-accepted"] {
            let keys = (changes[side] as? [String: Any])?.keys.sorted()
            #expect(
                keys == [
                    "apps", "attestations", "device-names", "devices", "examples", "fetches", "filters", "flags",
                    "others", "systems", "versions",
                ])
        }
        // Everything below the top level and the two reports is sorted.
        for keys in report.keys.dropFirst() where keys.first != "version" {
            #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        }
        #expect(run.output.count { $0 == "\n" } == 1)
    }
}

/// Markdown of `diff` goes into change requests: nothing that a capture holds may become markup there.
@Suite struct DiffMarkdownTests {
    /// Values as JSON writes them, and as a cell shows them.
    static let rows: [Case<String, String>] = [
        Case("a bar", "a|b", gives: #"a\|b"#), Case("a backslash", #"a\\|b"#, gives: #"a\\\|b"#),
        Case("a tag", "<script>x</script>", gives: #"\<script\>x\</script\>"#),
        Case("an entity", "&lt;b&gt;", gives: #"\&lt;b\&gt;"#),
        Case("emphasis", "*a* _b_ ~~c~~", gives: #"\*a\* \_b\_ \~\~&#8203;c\~\~"#),
        Case("a link", "[a](b) ![c](d)", gives: #"\[a\](b) !\[c\](d)"#),
        Case("a bare address", "https://a.b www.a.b", gives: "https:&#8203;//a.b www&#8203;.a.b"),
        Case("code", "`a`", gives: #"\`a\`"#), Case("a reference", "#12", gives: "\\#&#8203;12"),
        Case("braces", "{{a}}", gives: #"\{\{a\}\}"#),
        Case("ends of lines", #"a\nb\r\n| c"#, gives: #"a␊b␍␊\| c"#),
        Case("a turned direction", #"a\u202eb"#, gives: "a\\<U+202E\\>b"),
        Case("a bar with a mark on it", #"a|\u0301b"#, gives: "a\\|\u{301}b"),
        Case("a quote with a mark on it", #"a`\u0301b`"#, gives: "a\\`\u{301}b\\`"),
        Case("a bar joined to another", #"|\u200d|"#, gives: "\\|\\<U+200D\\>\\|"),
    ]

    private static func record(_ value: String, _ flags: String, verdict: String = "") -> String {
        #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(Sample.bob)","public-flags":"\#(flags)","appid":"\#(value)","#
            + #""app-version":"\#(value)"\#(verdict)}"# + "\n"
    }

    private static func report(_ capture: String, _ arguments: [String]) throws -> [String] {
        var files = DiffSample.files
        files["c.jsonl"] = capture
        let run = try ToolRun(
            ["diff", "@c.jsonl", "--account=new", "--format=markdown", "--no-redact"] + arguments, files: files)
        #expect(run.status == .success)
        return run.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: rows) func escapesApps(_ row: Case<String, String>) throws {
        let lines = try Self.report(Self.record(row.input, "rooted"), ["--candidate=@root.yaml"])
        let apps = lines.filter { $0.hasPrefix("| Unknown system · ") }
        #expect(
            apps == [
                "| Unknown system · \(row.expected) | 1 | 100.0 % | 100.0 % | 1 | \(Sample.bob) |",
                "| Unknown system · \(row.expected)-\(row.expected) | 1 | 100.0 % | 100.0 % | 1 | \(Sample.bob) |",
            ])
        Self.expectTables(lines)
    }

    // A flag's name has no white space and no comma; those rows do not apply to flags.
    @Test(arguments: rows.filter { !$0.input.contains(" ") && !$0.input.contains(#"\n"#) })
    func escapesFlags(_ row: Case<String, String>) throws {
        let capture = Self.record("a", row.input, verdict: #","rejection-flags":"rooted""#)
        let lines = try Self.report(capture, ["--candidate=@root.yaml"])
        #expect(lines.contains("| failed | passes with \(row.expected) | 1 | \(Sample.bob) |"), "\(lines)")
        Self.expectTables(lines)
    }

    // In every table each row has as many bars that part cells as its head.
    private static func expectTables(_ lines: [String]) {
        var head: Int?
        for line in lines {
            let bars = line.hasPrefix("|") ? bars(in: line) : nil
            if let head, let bars { #expect(bars == head, "\(line)") }
            head = bars.map { head ?? $0 }
        }
    }

    private static func bars(in line: String) -> Int {
        var (count, isEscaped) = (0, false)
        for scalar in line.unicodeScalars {
            if scalar == "|", !isEscaped { count += 1 }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return count
    }
}

/// `diff --changes FILE`: one command a line.
@Suite struct DiffChangesFileTests {
    private static let allow = "policy -set default,allow-root,default"
    private static let automated = "policy -addRejectFlag automated"

    /// Files of changes, and the number of devices that each newly accepts; Bob is rooted.
    static let rows: [Case<String, Int>] = [
        Case("one command", allow + "\n", gives: 1),
        Case("no newline at the end", allow, gives: 1),
        Case("in order", "policy -set default,default,risk\n\(allow)\n\(automated)\n", gives: 1),
        Case("in the other order", "\(allow)\npolicy -set default,default,risk\n", gives: 0),
        Case("comments and blank lines", "# why\n\n   \n\(allow)\n\t# policy -set x\n", gives: 1),
        Case("a comment behind a command", "\(allow) # why\n\(automated)\t# `policy -set x`\n", gives: 1),
        Case(
            "a number sign within a word, in quotes or escaped is none",
            "device -add \(Sample.amy) -label a#1\ndevice -add \(Sample.amy) -label '#2'\n"
                + "device -add \(Sample.amy) -label \\#3\n\(allow)\n", gives: 1),
        Case("indented", "  \t\(allow)  \n", gives: 1),
        Case("CRLF", "\(allow)\r\n", gives: 1),
        Case("several lines with CRLF", "\(allow)\r\n\(automated)\r\n", gives: 1),
        Case("a comment with CRLF", "# why\r\n\r\n\(allow)\r\n", gives: 1),
        Case("as the manual prints it", "$ approov \(allow)\n", gives: 1),
        Case("a byte order mark", "\u{FEFF}\(allow)\n", gives: 1),
        Case("a comment behind a byte order mark", "\u{FEFF}# why\n\(allow)\n", gives: 1),
    ]

    @Test(arguments: rows) func carriesOutEveryLine(_ row: Case<String, Int>) throws {
        var files = DiffSample.files
        files["changes"] = row.input
        let run = try ToolRun("diff @day.jsonl --account=new --changes @changes --format=json", files: files)
        #expect(run.error == "")
        #expect(try JSONText(run.output).integer("changes", "newly-accepted", "devices") == row.expected)
    }

    // With other bytes it would be another command.
    @Test func aLineThatIsNotUTF8IsRefused() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        try folder.write(Array("\(Self.allow)\nfilter -add f -key x -match ".utf8) + [0xFF, 0x0A], to: "changes")
        let run = ToolRun("diff @day.jsonl --account=new --changes @changes", in: folder).ending(.invalidInput)
        #expect(run.error == "changes:2: error: the command is not UTF-8\n")
    }

    private static let unknown = "error: unknown command `polcy`\n  hint: did you mean `policy`?\n"

    static let mistakes: [Case<String, String>] = [
        Case("in the first line", "polcy -get\n", gives: "changes:1: \(unknown)"),
        Case("behind comments and blank lines", "# why\n\n\(allow)\npolcy -get\n", gives: "changes:4: \(unknown)"),
        Case("with CRLF", "# why\r\n\r\n\(allow)\r\npolcy -get\r\n", gives: "changes:4: \(unknown)"),
        Case(
            "a value that begins with a number sign", "\ndevice -add \(Sample.amy) -label #x\npolcy -get\n",
            gives: "changes:2: error: `-label` needs a value\nchanges:3: \(unknown)"),
        Case(
            "several", "polcy -get\n\(allow)\npolicy -addRejectFlag roted\n",
            gives: "changes:1: \(unknown)changes:3: error: unknown flag `roted`\n  hint: did you mean `rooted`?\n"),
        Case(
            "what the service refuses", "\(allow)\nfilter -remove nothing\n",
            gives: "changes:2: error: there is no filter `nothing`\n"),
        Case(
            "a warning has its line too", "\npolicy -set default,default,all\npolcy -get\n",
            gives: "changes:3: \(unknown)"),
    ]

    @Test(arguments: mistakes) func namesFileAndLine(_ mistake: Case<String, String>) throws {
        var files = DiffSample.files
        files["changes"] = mistake.input
        let run = try ToolRun("diff @day.jsonl --account=new --changes @changes", files: files).ending(.invalidInput)
        let reported = run.error.split(separator: "changes:2: warning", maxSplits: 1).last.map(String.init) ?? ""
        #expect(reported.hasSuffix(mistake.expected), "\(run.error)")
        #expect(run.output == "")
    }
}
