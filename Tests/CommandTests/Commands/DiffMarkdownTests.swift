import Testing

@testable import TestSupport
@testable import scenario

/// Markdown of `diff` goes into change requests: nothing that a capture holds may become markup there.
@Suite struct DiffMarkdownTests {
    struct Row: LabelledRow {
        let name: String
        /// As JSON writes it.
        let value: String
        /// As a cell shows it.
        let cell: String
    }

    static let rows = [
        Row(name: "a bar", value: "a|b", cell: #"a\|b"#), Row(name: "a backslash", value: #"a\\|b"#, cell: #"a\\\|b"#),
        Row(name: "a tag", value: "<script>x</script>", cell: #"\<script\>x\</script\>"#),
        Row(name: "an entity", value: "&lt;b&gt;", cell: #"\&lt;b\&gt;"#),
        Row(name: "emphasis", value: "*a* _b_ ~~c~~", cell: #"\*a\* \_b\_ \~\~c\~\~"#),
        Row(name: "a link", value: "[a](b) ![c](d)", cell: #"\[a\](b) !\[c\](d)"#),
        Row(name: "a bare address", value: "https://a.b www.a.b", cell: #"https\://a.b www\.a.b"#),
        Row(name: "code", value: "`a`", cell: #"\`a\`"#), Row(name: "a reference", value: "#12", cell: "\\#12"),
        Row(name: "braces", value: "{{a}}", cell: #"\{\{a\}\}"#),
        Row(name: "ends of lines", value: #"a\nb\r\n| c"#, cell: #"a␊b␍␊\| c"#),
        Row(name: "a turned direction", value: #"a\u202eb"#, cell: "a\\<U+202E\\>b"),
        Row(name: "a bar with a mark on it", value: #"a|\u0301b"#, cell: "a\\|\u{301}b"),
        Row(name: "a quote with a mark on it", value: #"a`\u0301b`"#, cell: "a\\`\u{301}b\\`"),
        Row(name: "a bar joined to another", value: #"|\u200d|"#, cell: "\\|\\<U+200D\\>\\|"),
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

    @Test(arguments: rows) func escapesApps(_ row: Row) throws {
        let lines = try Self.report(Self.record(row.value, "rooted"), ["--candidate=@root.yaml"])
        let apps = lines.filter { $0.hasPrefix("| unknown-") }
        #expect(
            apps == [
                "| unknown-\(row.cell) | 1 | 100.0 % | 1 | \(Sample.bob) |",
                "| unknown-\(row.cell)-\(row.cell) | 1 | 100.0 % | 1 | \(Sample.bob) |",
            ])
        Self.expectTables(lines)
    }

    // A flag's name has no white space and no comma; those rows do not apply to flags.
    @Test(arguments: rows.filter { !$0.value.contains(" ") && !$0.value.contains(#"\n"#) })
    func escapesFlags(_ row: Row) throws {
        let capture = Self.record("a", row.value, verdict: #","rejection-flags":"rooted""#)
        let lines = try Self.report(capture, ["--candidate=@root.yaml"])
        #expect(lines.contains("| failed | passes with \(row.cell) | 1 | \(Sample.bob) |"), "\(lines)")
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
