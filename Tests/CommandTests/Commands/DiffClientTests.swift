import Testing

@testable import TestSupport
@testable import scenario

/// `diff` on a scenario whose clients make requests and calls.
@Suite("R19a.1 diff compares all that clients get") struct DiffClientTests {
    private static func account(_ pin: String) -> String {
        "account: shop\napis: [{domain: api.example.com, pins: ['key:\(pin)']}]\n"
    }

    private static let files = [
        "before.yaml": account("LEAF"), "after.yaml": account("OTHER"),
        "day.jsonl": DiffSample.files["day.jsonl"] ?? "",
        "s.yaml": """
        scenario: s
        account: before.yaml
        backends: {api.example.com: {chain: [LEAF, CA]}}
        devices: {phones: {count: 100, os: android}}
        steps: [{at: 0s, request: phones, to: api.example.com, every: 1h, until: 2h, expect: {accepted: 300}}]

        """,
        "strings.yaml": """
        scenario: s
        account: {features: [secure-strings], secure-strings: {k: v}}
        devices: {bob: {os: android}, amy: {os: ios}}
        steps: [{at: 0s, secure-string: {group: all, key: k}, expect: {value: v}}]

        """,
        "none.yaml": "features: [secure-strings]\n",
    ]

    private static let change = "--candidate=@after.yaml"
    private static let sentence =
        "100 of 100 devices (100.0 %) would have requests no longer accepted (blocked: 100)"

    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let status: scenario.ExitStatus
        /// The whole standard error.
        let error: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let rows: [Row] = [
        Row(arguments: ["@s.yaml", change], status: .success, error: ""),
        Row(
            arguments: ["@s.yaml", change, "--max-newly-blocked=0"], status: .limitExceeded,
            error: "scenario: limit exceeded: 100 of 100 devices are more than `--max-newly-blocked` allows\n"),
        Row(
            arguments: ["@s.yaml", change, "--max-newly-blocked=99.9%"], status: .limitExceeded,
            error: "scenario: limit exceeded: 100 of 100 devices are more than `--max-newly-blocked` allows\n"),
        Row(arguments: ["@s.yaml", change, "--max-newly-blocked=100"], status: .success, error: ""),
        // No token is lost; what no limit counts is said.
        Row(
            arguments: ["@s.yaml", change, "--max-newly-rejected=0"], status: .success,
            error: "scenario: warning: \(sentence), and no limit counts them; `--max-newly-blocked` does\n"),
        Row(
            arguments: ["@strings.yaml", "--candidate=@none.yaml", "--max-newly-rejected=1"], status: .limitExceeded,
            error: "scenario: limit exceeded: 2 of 2 devices are more than `--max-newly-rejected` allows\n"),
        Row(
            arguments: ["@strings.yaml", "--candidate=@none.yaml", "--max-newly-blocked=0"], status: .success,
            error: "scenario: warning: 2 of 2 devices (100.0 %) would no longer get secure strings, "
                + "and no limit counts them; `--max-newly-rejected` does\n"),
        Row(
            arguments: ["@day.jsonl", "--account=@before.yaml", change, "--max-newly-blocked=0"], status: .usage,
            error: "scenario: error: `--max-newly-blocked` needs a scenario; a capture tells of no requests\n"),
        Row(
            arguments: ["@s.yaml", change, "--at=3h"], status: .nothingRan,
            error: "scenario: error: nothing was compared: the change is made at 2020-01-01T03:00:00Z, "
                + "after the last step\n"),
    ]

    @Test("R19a.2 the limits count, and what none counts is said", arguments: rows) func endsAsTheLimitsSay(_ row: Row)
        throws
    {
        let run = try ToolRun(["diff"] + row.arguments, files: Self.files)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(run.output.isEmpty == (row.status == .usage || row.status == .nothingRan))
    }

    /// A form of the report, and what it says of the requests.
    struct Form: LabelledRow {
        let format: String
        let contents: [String]
    }

    static let forms: [Form] = [
        Form(
            format: "text",
            contents: [
                sentence + "; no device of 100 would stop getting valid tokens; ", "\nWhat clients get otherwise\n",
            ]),
        Form(format: "markdown", contents: [sentence, "What clients get otherwise", "accepted"]),
        Form(format: "html", contents: [sentence, "What clients get otherwise"]),
        Form(
            format: "csv",
            contents: ["newly-blocked,all,,100,,,\r\n", "request,worse,\"accepted to blocked\",100,,,"]),
        Form(
            format: "sarif",
            contents: [
                #""ruleId":"newly-blocked""#,
                "requests of 100 devices would end otherwise: accepted before, blocked after, such as ",
            ]),
        Form(
            format: "junit",
            contents: [#"<failure message="100 of 100 devices" type="limit">"#, sentence]),
    ]

    @Test("every form says it", arguments: forms) func everyFormSaysIt(_ form: Form) throws {
        let run = try ToolRun(
            ["diff", "@s.yaml", Self.change, "--format=\(form.format)", "--max-newly-blocked=0"], files: Self.files)
        #expect(run.status == .limitExceeded)
        let output = run.output.replacing(#/</?(b|span)[^>]*>/#, with: "")
        for content in form.contents { #expect(output.contains(content), "\(content)\n\(run.output.prefix(4000))") }
    }

    @Test("JSON has every figure") func jsonHasEveryFigure() throws {
        let run = try ToolRun(["diff", "@s.yaml", Self.change, "--format=json"], files: Self.files)
        let report = try JSONText(run.output)
        #expect(report.integer("changes", "newly-blocked", "requests") == 300)
        #expect(report.integer("changes", "newly-blocked", "devices") == 100)
        #expect(report.integer("changes", "newly-rejected", "devices") == 0)
        let clients = try #require(report["changes", "clients"] as? [[String: Any]])
        #expect(clients.map { $0["kind"] as? String } == ["request"])
        let differences = try #require(clients.first?["differences"] as? [[String: Any]])
        #expect(differences.map { $0["effect"] as? String } == ["worse"])
        #expect(differences.map { $0["before"] as? String } == ["accepted"])
        #expect(differences.map { $0["after"] as? String } == ["blocked"])
        #expect(differences.map { $0["events"] as? Int } == [300])
    }

    // The change is delivered by an attestation from 00:30:30 on: by those of 1 h.
    @Test("the timeline has the minute in which devices are blocked") func theTimelineHasTheMinute() throws {
        let run = try ToolRun(
            ["diff", "@s.yaml", Self.change, "--at=30m", "--format=json"], files: Self.files)
        let report = try JSONText(run.output)
        let minutes = try #require(report["changes", "timeline", "minutes"] as? [[String: Any]])
        let blocked = minutes.map { "\($0["minute"] ?? "") \($0["newly-blocked"] ?? "")" }
        #expect(blocked == ["2020-01-01T01:00:00Z 100", "2020-01-01T02:00:00Z 0"])
        let text = try ToolRun(["diff", "@s.yaml", Self.change, "--at=30m"], files: Self.files).output
        #expect(text.contains("newly blocked  blocked so far\n"))
    }
}
