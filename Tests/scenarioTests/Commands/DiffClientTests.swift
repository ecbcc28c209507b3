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
        let arguments: Words
        let status: scenario.ExitStatus
        /// The whole standard error.
        let error: String
        var testDescription: String { arguments.list.joined(separator: " ") }
    }

    static let rows: [Row] = [
        Row(arguments: ["@s.yaml", change], status: .success, error: ""),
        Row(
            arguments: ["@s.yaml", change, "--max-newly-blocked=0"], status: .limitExceeded,
            error: "scenario: limit exceeded: 100 of 100 devices (100.0 %), more than `--max-newly-blocked` allows\n"),
        Row(
            arguments: ["@s.yaml", change, "--max-newly-blocked=99.9%"], status: .limitExceeded,
            error: "scenario: limit exceeded: 100 of 100 devices (100.0 %), more than `--max-newly-blocked` allows\n"),
        Row(arguments: ["@s.yaml", change, "--max-newly-blocked=100"], status: .success, error: ""),
        // No token is lost; what no limit counts is said.
        Row(
            arguments: ["@s.yaml", change, "--max-newly-rejected=0"], status: .success,
            error: "scenario: warning: \(sentence), and no limit counts them; `--max-newly-blocked` does\n"),
        Row(
            arguments: "@strings.yaml --candidate=@none.yaml --max-newly-rejected=1", status: .limitExceeded,
            error: "scenario: limit exceeded: 2 of 2 devices (100.0 %), more than `--max-newly-rejected` allows\n"),
        Row(
            arguments: "@strings.yaml --candidate=@none.yaml --max-newly-blocked=0", status: .success,
            error: "scenario: warning: 2 of 2 devices (100.0 %) would no longer get secure strings, "
                + "and no limit counts them; `--max-newly-rejected` does\n"),
        Row(
            arguments: ["@day.jsonl", "--account=@before.yaml", change, "--max-newly-blocked=0"], status: .usage,
            error: "scenario: error: `--max-newly-blocked` needs a scenario; a capture contains no requests\n"),
        Row(
            arguments: ["@s.yaml", change, "--at=3h"], status: .nothingRan,
            error: "scenario: error: nothing was compared: the change is made at 2020-01-01T03:00:00Z, "
                + "after the last step\n"),
    ]

    @Test("R19a.2 the limits count, and what none counts is said", arguments: rows) func endsAsTheLimitsSay(_ row: Row)
        throws
    {
        let run = try ToolRun(["diff"] + row.arguments.list, files: Self.files)
        #expect(run.status == row.status)
        #expect(run.error == row.error)
        #expect(run.output.isEmpty == (row.status == .usage || row.status == .nothingRan))
    }

    /// A form of the report, and what it says of the requests.
    static let forms: [Case<String, [String]>] = [
        Case(
            "text",
            gives: [
                sentence + "; no device of 100 would stop getting valid tokens; ",
                "\nDifferences in what clients get\n",
            ]),
        Case("markdown", gives: [sentence, "Differences in what clients get", "accepted"]),
        Case("html", gives: [sentence, "Differences in what clients get"]),
        Case("csv", gives: ["newly-blocked,all,,100,,,\r\n", "request,worse,\"accepted to blocked\",100,,,"]),
        Case(
            "sarif",
            gives: [
                #""ruleId":"newly-blocked""#,
                "requests of 100 devices would have another result: accepted before, blocked after, such as ",
            ]),
        Case("junit", gives: [#"<failure message="100 of 100 devices (100.0 %)" type="limit">"#, sentence]),
    ]

    @Test("every form says it", arguments: forms) func everyFormSaysIt(_ form: Case<String, [String]>) throws {
        let run = try ToolRun(
            ["diff", "@s.yaml", Self.change, "--format=\(form.input)", "--max-newly-blocked=0"], files: Self.files)
        #expect(run.status == .limitExceeded)
        let output = run.output.replacing(#/</?(b|span)[^>]*>/#, with: "")
        for content in form.expected { #expect(output.contains(content), "\(content)\n\(run.output.prefix(4000))") }
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
        let run = try ToolRun(["diff", "@s.yaml", Self.change, "--at=30m", "--format=json"], files: Self.files)
        let report = try JSONText(run.output)
        let minutes = try #require(report["changes", "timeline", "minutes"] as? [[String: Any]])
        let blocked = minutes.map { "\($0["minute"] ?? "") \($0["newly-blocked"] ?? "")" }
        #expect(blocked == ["2020-01-01T01:00:00Z 100", "2020-01-01T02:00:00Z 0"])
        let text = try ToolRun(["diff", "@s.yaml", Self.change, "--at=30m"], files: Self.files).output
        #expect(text.contains("newly blocked  blocked so far\n"))
    }
}

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
        Row(form: "text", part: "token fetches stay as they are; annotations change on 3 of 3 tokens (100.0 %)\n"),
        Row(form: "markdown", part: "token fetches stay as they are; annotations change on 3 of 3 tokens (100.0 %)**"),
        Row(form: "html", part: "<b class=\"strong\">3</b> <span>of 3 tokens (100.0 %) with other annotations</span>"),
        Row(form: "junit", part: "annotations change on 3 of 3 tokens (100.0 %)"),
        Row(form: "sarif", part: #""level":"warning","locations":"#),
        Row(form: "sarif", part: "annotations change on 3 of 3 tokens (100.0 %)"),
        Row(form: "csv", part: "annotations-changed,all,,3,3,,\r\nannotations-changed,gained,rooted,,2,,\r\n"),
        Row(
            form: "json",
            part: #""annotations":{"appearing":3,"attestations":3,"devices":3,"disappearing":0,"gained":{"rooted":2},"#),
    ]

    @Test("tokens that get other annotations are reported in every form", arguments: rows)
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
                        : "scenario: limit exceeded: 3 of 3 tokens (100.0 %), more than "
                            + "`--max-annotations-changed` allows\n"))
            if ["html", "junit"].contains(form) { #expect(run.output.contains("--max-annotations-changed \(limit)")) }
            if form == "sarif" { #expect(run.output.contains(", more than --max-annotations") != holds) }
        }
        let allowed = try ToolRun(Self.appearing + [option, "--allow=agreed"], files: Self.files)
        #expect(allowed.status == .success && allowed.error.contains("allowed: agreed") != holds)
        let none = try ToolRun(Self.change + ["--max-annotations-changed=0"], files: Self.files)
        #expect(none.status == .success && none.error == "")
    }

    @Test("findings are in the account that makes the change, whatever else was read")
    func findingsAreInTheAccount() throws {
        let run = try ToolRun(
            "diff @day.jsonl --account=@plain.yaml --candidate=@root.yaml --fetches=@fetches.txt "
                + "--max-newly-accepted=0 --format=sarif", files: DiffSample.files
        ).ending(.limitExceeded)
        let positions = run.output.matches(of: /"artifactLocation":\{"uri":"([^"]*)"/).map { String($0.output.1) }
        #expect(positions.count == 2 && positions.allSatisfy { $0.hasSuffix("root.yaml") }, "\(positions)")
    }
}

/// `replay --change` with commands about registrations and services (R15.2).
@Suite struct RegistrationChangeTests {
    private static let account = """
        registrations:
          - {app-sig: S=, appid: com.demo, app-version: 1.0(1)}
          - {app-sig: S=, appid: com.demo, app-version: 1.0(2)}
          - {app-sig: T=, appid: com.demo}

        """

    private static func record(_ hour: Int, _ attributes: String) -> String {
        #"{"time":"2020-07-23T1\#(hour):00:00Z","device-id":"\#(Sample.bob)","flags":"",\#(attributes)}"# + "\n"
    }

    private static let capture =
        record(0, #""app-sig":"S=","appid":"com.demo","app-version":"1.0(1)""#)
        + record(1, #""app-sig":"S=","appid":"com.demo","app-version":"1.0(2)""#)
        + record(2, #""app-sig":"T=","appid":"com.demo","app-version":"1.0(1)""#)
        + record(3, #""app-sig":"U=","appid":"com.demo","app-version":"1.0(1)""#)

    struct Row: Sendable, CustomTestStringConvertible {
        let changes: [String]
        let failed: Int
        var testDescription: String { changes.isEmpty ? "no change" : changes.joined(separator: "; ") }
    }

    static let rows = [
        Row(changes: [], failed: 0),
        Row(changes: ["registration -remove S=com.demo-1.0[1]"], failed: 1),
        Row(changes: ["registration -remove 'S=com.demo-1.0[2]'"], failed: 1),
        Row(changes: ["registration -remove T=com.demo-*"], failed: 1),
        Row(changes: ["registration -remove T=com.demo-*", "registration -remove S=com.demo-1.0[1]"], failed: 2),
        Row(changes: ["registration -remove T=com.demo-*", "policy -removeRejectFlag app-not-registered"], failed: 0),
    ]

    @Test("R15.2 only matching records fail", arguments: rows) func replays(_ row: Row) throws {
        let changes = row.changes.flatMap { ["--change", $0] }
        let run = try ToolRun(
            ["replay", "--format=json", "--account=@account.yaml", "@day.jsonl"] + changes,
            files: ["account.yaml": Self.account, "day.jsonl": Self.capture])
        #expect(run.status == .success)
        #expect(run.error == "")
        let report = try JSONText(run.output)
        #expect(report.integer("metrics", "fail") == row.failed)
        #expect(report.integer("metrics", "pass") == 4 - row.failed)
    }

    private static let time =
        "`-removeMatching` needs the time\n  hint: a scenario has a time; `scenario approov` takes it from `--at`, such as `--at now`"

    static let refused = [
        ToolRow(
            name: "a registration that is not there",
            arguments:
                "replay --account=@account.yaml @day.jsonl --change 'registration -remove S=com.demo-1.0[3]'",
            status: .invalidInput,
            error: "--change: error: there is no registration `S=com.demo-1.0[3]`\n"
                + "  hint: did you mean `S=com.demo-1.0[1]`?\n"),
        ToolRow(
            name: "a registration that was removed before",
            arguments: [
                "replay", "--account=@account.yaml", "@day.jsonl", "--change", "registration -remove T=com.demo-*",
                "--change", "registration -remove T=com.demo-*",
            ], status: .invalidInput, error: "--change: error: there is no registration `T=com.demo-*`\n"),
        ToolRow(
            name: "an age, where nobody knows the time",
            arguments:
                "replay --account=@account.yaml @day.jsonl --change 'registration -removeMatching com.demo,30d'",
            status: .invalidInput, error: "--change: error: \(time)\n"),
        ToolRow(
            name: "a new account",
            arguments: ["replay", "@day.jsonl", "--change", "registration -remove S=com.demo-1.0[1]"],
            status: .invalidInput, error: "--change: error: there is no registration `S=com.demo-1.0[1]`\n"),
        ToolRow(
            name: "a certificate's file that is not there",
            arguments: ["replay", "@day.jsonl", "--change", "appsigncert -add nowhere.der"], status: .invalidInput,
            error: "--change: error: certificate `nowhere.der`: no such file or directory\n"
                + "  hint: a fingerprint can be given instead\n"),
        ToolRow(
            name: "keys that are not there",
            arguments: ["replay", "@day.jsonl", "--change", "devicecheck -remove", "--change", "safetynet -remove"],
            status: .invalidInput,
            error: "--change: error: there is no DeviceCheck key\n--change: error: there is no SafetyNet API key\n"),
    ]

    @Test("R15 refuses what the account would refuse", arguments: refused) func refuses(_ row: ToolRow) throws {
        try row.expectNoOutput(files: ["account.yaml": Self.account, "day.jsonl": Self.capture])
    }
}
