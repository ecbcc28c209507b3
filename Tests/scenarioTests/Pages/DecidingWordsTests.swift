import Testing

@testable import TestSupport
@testable import scenario

/// The words of a comparison's page that decide: limits, and numbers of devices.
@Suite struct DecidingWordsTests {
    private static let changed = "reject-flags: {add: [safetynet-unavailable]}\n"

    private static func page(_ limits: String...) throws -> String {
        let folder = try TemporaryFolder([
            "one.jsonl": DiffSample.capture(devices: 1, rooted: 1), "plain.yaml": "account: plain\n",
            "root.yaml": "account: plain\npolicy: default,allow-root,default\n",
        ])
        return ToolRun(
            ["diff", "@one.jsonl", "--account=@plain.yaml", "--candidate=@root.yaml", "--format=html"] + limits,
            in: folder
        ).output
    }

    @Test func oneDeviceIsNoPlural() throws {
        let page = try Self.page("--max-newly-accepted=0")
        #expect(page.contains("1 device") && !page.contains("1 devices") && !page.contains("1 attestations"))
        let text = try ToolRun(
            "diff @one.jsonl --account=@plain.yaml --policy=default,allow-root,default",
            files: ["one.jsonl": DiffSample.capture(devices: 1, rooted: 1), "plain.yaml": "account: plain\n"])
        #expect(text.output.contains("1 attestation (100.0 %) of 1 device (100.0 %) would pass"))
    }

    // A device that is rooted, at an hour.
    private static func record(_ hour: Int) -> String {
        #"{"time":"2020-07-23T\#(hour):00:00Z","device-id":"\#(DiffSample.device(0))","flags":"rooted","app-version":"1"}"#
            + "\n"
    }

    private static let files = [
        "one.jsonl": record(10), "twice.jsonl": record(10) + record(11),
        "labels.csv": "device-id,label\n\(DiffSample.device(0)),bad\n",
        "new.yaml": "filters: [{name: f, key: flags-all, regex: rooted, new-did-only: true, reject: true}]\n",
        "trial.yaml": "account: shop\nrules: [trial]\npolicy: default,allow-root,default\n",
        "s.yaml": """
        scenario: One
        account: {account: shop}
        devices: {bob: {os: android, flags: [rooted]}}
        steps: [{at: 0s, fetch: bob, expect: {verdict: fail}}]

        """,
    ]

    static let commands: [Words] = [
        "diff @one.jsonl --account=new --policy=allow-root --labels=@labels.csv",
        "diff @one.jsonl --account=new --policy=allow-root --who=app-version --confidence=95%",
        "diff @one.jsonl --account=@new.yaml --policy=default,allow-root,default",
        "replay @one.jsonl --account=new --labels=@labels.csv --count=app-version",
        "replay @one.jsonl --account=@new.yaml",
        "whatif @one.jsonl --account=new --labels=@labels.csv", "compare @one.jsonl @one.jsonl --account=@new.yaml",
        "rollout @twice.jsonl --account=@trial.yaml --policy=strict --steps=100% --labels=@labels.csv",
        "search @one.jsonl --account=new --keep=flag:rooted --labels=@labels.csv",
        "explain @one.jsonl --account=new --device=\(DiffSample.device(0))", "explain @s.yaml", "run @s.yaml",
        "diff @s.yaml --policy=default,allow-root,default",
    ]

    @Test(arguments: commands) func wordsAgreeWithOne(_ command: Words) throws {
        for form in ["text", "html"] {
            let run = try ToolRun(command.list + ["--format", form], files: Self.files)
            let text = run.output.replacing(#/<[^>]*>/#, with: "|")
            #expect(text.utf8.count > 100, "\(run.error)")
            let plurals = text.matches(
                of:
                    #/(?:^|[^0-9,.\-])1[| ]+(?:device|attestation|token|fetche|record|value|combination|label|edit|verdict|scenario)s\b/#
            )
            #expect(plurals.map(\.output) == [], "\(form)")
            let verbs = text.matches(
                of: #/(?:^|[^0-9,.\-])1(?: (?:device|attestation|record|label))? (?:are|were|have)\b/#)
            #expect(verbs.map(\.output) == [], "\(form)")
        }
    }
}

/// Words of reports that are read once, and not twice: titles, cards and sentences that depend on the data.
@Suite struct FirstLookTests {
    private static func report(_ command: [String], _ files: [String: String] = Sample.files) throws -> String {
        let run = try ToolRun(command, files: files).ending(.success)
        return run.output
    }

    @Test func aChangeThatChangesNothingIsCalledSo() throws {
        let same = ["diff", "@day.jsonl", "--account=new", "--policy=default,default,default"]
        let text = try Self.report(same)
        #expect(
            text.contains(
                "Policy\n  default,default,default, before and after\n  the change leaves the account as it is\n"))
        let page = try Self.report(same + ["--format=html"])
        #expect(page.contains("<h1>account: no change</h1>"))
        #expect(page.contains(#"<p class="muted">The change leaves the account as it is</p>"#))
        #expect(page.ranges(of: "leaves the account as it is").count == 1)
        let other = ["diff", "@day.jsonl", "--account=new", "--change=filter -add a -key ip -matchValue 1"]
        #expect(try !Self.report(other).contains("leaves the account as it is"))
        #expect(try Self.report(other + ["--format=html"]).contains("<h1>account: change of the account</h1>"))
    }

    // Tokens of these devices live for two minutes, so all of them are reached in the second minute after 10:00.
    @Test func oneMinuteIsNamedOnce() throws {
        let shop = """
            scenario: Rooted customers
            account: {account: shop, policy: "default,allow-root,default"}
            devices: {regulars: {count: 2, os: android, flags: [rooted]}, others: {count: 3, os: ios}}
            steps: [{at: 0s, fetch: all, every: 1m, until: 1h, expect: {pass: {at-least: 1}}}]

            """
        let text = try Self.report(
            ["diff", "@shop.yaml", "--policy=default,default,default", "--at=10m"], ["shop.yaml": shop])
        #expect(text.contains("  it reaches all devices that it affects in the minute of 2020-01-01T00:12:00Z\n"))
    }

    @Test func capturesAreNamedWithoutTheirFolders() throws {
        let files = ["old.jsonl": Sample.day, "new.jsonl": Sample.day]
        let page = try Self.report(["compare", "@old.jsonl", "@new.jsonl", "--account=new", "--format=html"], files)
        #expect(page.contains("<h1>account: old.jsonl → new.jsonl</h1><p>2 devices before, 2 after</p>"))
        #expect(page.contains("<span>devices are in both captures</span>"))
        #expect(page.contains(">Intervals (95 %) are those of independent random samples"))
    }

    @Test func theCardOfAReplaySaysWhatItsFiguresAreOf() throws {
        let page = try Self.report(["replay", "@day.jsonl", "--account=new", "--format=html"])
        let sentence =
            #"The figures are those of this capture; <code><span class="option">--confidence</span></code> "#
            + "adds what they say of all devices"
        #expect(page.contains(#"<p class="muted">\#(sentence)</p></section>"#))
    }
}
