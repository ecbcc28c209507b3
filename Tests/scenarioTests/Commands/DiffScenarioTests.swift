import Testing

@testable import TestSupport
@testable import scenario

/// `diff` on a scenario.
@Suite struct DiffScenarioTests {
    private static let scenario = """
        scenario: s
        account: {account: own, flags: [{name: one}, {name: two}]}
        devices:
          bob: {os: android, flags: [rooted]}
          amy: {os: android, flags: [one]}
          eve: {os: android, flags: [two]}
        steps: [{at: 0s, fetch: all, expect: {group: bob, verdict: fail}}]

        """

    private static let files = DiffSample.files.merging([
        "s.yaml": scenario, "one.yml": scenario,
        "several.yaml": "scenario: s\naccounts: {a: {account: a}, b: {account: b}}\n"
            + "devices: {bob: {account: a}}\nsteps: [{at: 0s, fetch: bob}]\n",
        "two.yaml": "flags: [{name: two}, {name: three}]\nreject-flags: {add: [two]}\n",
        "swapped.yaml": "flags: [{name: two}, {name: one}]\nreject-flags: {add: [one]}\n",
        "wrong.yaml": "scenario: s\ndevices: {bob: {falgs: []}}\nsteps: [{at: 0s, fetch: bob}]\n",
        "hundred.yaml": "flags: [" + (0..<FlagFacts.room).map { "{name: f-\($0)}" }.joined(separator: ", ") + "]\n",
    ]) { $1 }

    struct Row: LabelledRow {
        let name: String
        let arguments: Words
        /// The devices newly rejected and newly accepted, and those that pass before.
        let rejected, accepted, passed: Int
    }

    static let rows = [
        Row(
            name: "the scenario's account", arguments: ["--change=policy -addRejectFlag one"], rejected: 1, accepted: 0,
            passed: 2),
        Row(name: "a policy", arguments: "--policy=default,allow-root,risk", rejected: 0, accepted: 1, passed: 2),
        Row(
            name: "a candidate without the scenario's flags", arguments: "--candidate=@root.yaml", rejected: 0,
            accepted: 1, passed: 2),
        Row(
            name: "a candidate with the flags in another order", arguments: "--candidate=@swapped.yaml", rejected: 1,
            accepted: 0, passed: 2),
        Row(
            name: "another account before, without flags",
            arguments: "--account=@root.yaml --policy=default,default,default", rejected: 1, accepted: 0, passed: 3),
        Row(
            name: "another account before, with other flags",
            arguments: "--account=@two.yaml --policy=default,default,default", rejected: 0, accepted: 1, passed: 1),
        Row(
            name: "other accounts on both sides", arguments: "--account=@two.yaml --candidate=@swapped.yaml",
            rejected: 1, accepted: 1, passed: 1),
    ]

    @Test(arguments: rows) func compares(_ row: Row) throws {
        let run = try ToolRun(["diff", "@s.yaml", "--format=json"] + row.arguments.list, files: Self.files)
        #expect(run.status == .success)
        #expect(run.error == "")
        let report = try JSONText(run.output)
        #expect(report.integer("changes", "newly-rejected", "devices") == row.rejected)
        #expect(report.integer("changes", "newly-accepted", "devices") == row.accepted)
        #expect(report.integer("before", "metrics", "pass") == row.passed)
        #expect(report.integer("changes", "devices") == 3)
    }

    /// Scenarios whose device Apple has bits of from the start, and changes that bring the team.
    struct BitsRow: LabelledRow {
        let name: String
        var account = "account: {account: own}"
        var steps = ""
        let change: String
        /// True if the device is newly rejected.
        let bites: Bool
    }

    private static let key = "devicecheck -addAuthKey AuthKey_KEY0000000.p8"

    static let bits = [
        BitsRow(name: "a command", change: "--change=\(key) -teamID TEAM000000 -bits bit0", bites: true),
        BitsRow(name: "a candidate", change: "--candidate=@team.yaml", bites: true),
        BitsRow(
            name: "another team than before", account: "account: {team: OTHER00000}",
            change: "--change=\(key) -teamID TEAM000000 -bits bit0", bites: true),
        BitsRow(
            name: "the team of the account", account: "account: {team: TEAM000000}",
            change: "--change=\(key) -bits bit0",
            bites: true),
        BitsRow(
            name: "another bit", account: "account: {team: TEAM000000}", change: "--change=\(key) -bits bit1",
            bites: false),
        BitsRow(
            name: "the team comes by a step, and the policy by the candidate",
            steps: "{at: 0s, approov: '\(key) -teamID TEAM000000 -bits bit0'}, ", change: "--candidate=@plain.yaml",
            bites: false),
    ]

    @Test("R8.3 Apple's bits of the start belong to the team that the account gets", arguments: bits)
    func bitsBiteWhereTheChangeBringsTheTeam(_ row: BitsRow) throws {
        let scenario = """
            scenario: s
            \(row.account)
            devices: {bob: {os: ios, devicecheck: {state: available, bits: 1, changed: 2019-12}}}
            steps: [\(row.steps){at: 1m, fetch: bob}]

            """
        let files = DiffSample.files.merging([
            "b.yaml": scenario, "team.yaml": "devicecheck: {team-id: TEAM000000, key-id: KEY0000000, bits: bit0}\n",
        ]) { $1 }
        let run = try ToolRun(["diff", "@b.yaml", "--format=json", "--max-newly-rejected=0", row.change], files: files)
        #expect(run.status == (row.bites ? .limitExceeded : .success))
        let report = try JSONText(run.output)
        // With the key from a step both sides ban it.
        let banned = row.bites || !row.steps.isEmpty ? 1 : nil
        #expect(report.integer("after", "metrics", "rejection-flag-devicecheck-ban") == banned)
    }

    @Test func saysThatItCountsFetches() throws {
        // Bob asks three times and attests once on each side: the token of his first fetch serves the others.
        let scenario =
            "scenario: s\ndevices: {bob: {os: android, flags: [automated]}}\n"
            + "steps: [{at: 0s, fetch: bob, every: 1m, until: 2m}]\n"
        let arguments = ["diff", "@f.yaml", "--change=policy -addRejectFlag automated"]
        let files = ["f.yaml": scenario]
        let text = try ToolRun(arguments, files: files).output
        #expect(text.contains("\nNewly rejected\n  3 fetches (100.0 %) of 1 device (100.0 %) would fail\n"))
        #expect(!text.contains("attestations"))
        let report = try JSONText(try ToolRun(arguments + ["--format=json"], files: files).output)
        #expect(report["changes", "counts"] as? String == "fetches")
        #expect([report.integer("changes", "fetches"), report.integer("changes", "attestations")] == [3, 1])
        let rejected = ["attestations", "devices", "fetches"].map { report.integer("changes", "newly-rejected", $0) }
        #expect(rejected == [1, 1, 3])
        let capture = try JSONText(
            try ToolRun(
                "diff @day.jsonl --account=new --candidate=@root.yaml --format=json",
                files: DiffSample.files
            ).output)
        #expect(capture["changes", "counts"] as? String == "attestations")
        #expect(capture.integer("changes", "attestations") == 3)
        #expect(capture.integer("changes", "fetches") == nil)
    }

    @Test func nothingEvaluatedIsNoSuccess() throws {
        let scenario =
            "scenario: s\ndevices: {bob: {}}\n"
            + "steps: [{at: 0s, network: {group: bob, state: none}}, {at: 1s, fetch: bob}]\n"
        let offline = try ToolRun("diff @n.yaml --policy=default,strict,risk", files: ["n.yaml": scenario])
        #expect(offline.status == .nothingRan)
        #expect(offline.error.hasSuffix("scenario: error: nothing was compared: there is no attestation\n"))
        let filter = "--change=filter -add f -key device-id -matchValue . -regex -reject -newDIDOnly"
        let unknown = try ToolRun(["diff", "@three.jsonl", "--account=new", filter], files: DiffSample.files)
        // Of three devices two are rooted and fail anyway.
        #expect(unknown.status == .success)
        let all = try ToolRun(["diff", "@three.jsonl", "--account=@root.yaml", filter], files: DiffSample.files)
        #expect(all.status == .nothingRan)
        #expect(all.error == "scenario: error: nothing was evaluated: the captures do not say which devices were new\n")
        #expect(all.output.contains("; 3 (100.0 %) are not evaluated\n"))
    }

    static let refused: [ToolRow] = [
        .invalid(
            "several accounts", "diff @several.yaml --policy=default,strict,risk",
            "several.yaml: error: a scenario with several accounts cannot be compared\n"
                + "  hint: a change is one of a single account"),
        .invalid(
            "several accounts, and another one", "diff @several.yaml --account=@root.yaml --policy=default,strict,risk",
            "several.yaml: error: a scenario with several accounts cannot be compared\n"
                + "  hint: a change is one of a single account"),
        .usage(
            "two scenarios", "diff @s.yaml @one.yml --policy=default,strict,risk",
            "a scenario is compared alone; captures may be many"),
        .invalid(
            "more flags than fit together", "diff @s.yaml --candidate=@hundred.yaml",
            "hundred.yaml:1:8: error: flag `f-89` is one too many; there can be at most 128 flags"),
        .invalid(
            "a missing scenario", "diff @no-such.yaml --policy=default,strict,risk",
            "no-such.yaml: error: no such file or directory"),
    ]

    @Test(arguments: refused) func reportsNothing(_ row: ToolRow) throws {
        let run = try ToolRun(row.arguments.list, files: Self.files)
        #expect(run.status == row.status)
        // Of an error that shows its line, only the message.
        #expect(run.error.hasPrefix(row.error), "\(run.error)")
        #expect(run.output == "")
    }

    @Test func aMistakeInTheScenarioHasItsPlace() throws {
        let run = try ToolRun("diff @wrong.yaml --policy=default,strict,risk", files: Self.files).ending(.invalidInput)
        #expect(run.error.contains("wrong.yaml:2:17: error: unknown key `falgs`"), "\(run.error)")
    }

    @Test func anotherSeedDrawsOtherDevices() throws {
        var files = Self.files
        files["rates.yaml"] =
            "scenario: s\ndevices: {stock: {count: 500, flag-rates: {rooted: 20%}}}\nsteps: [{at: 0s, fetch: stock}]\n"
        let counts = try ["1", "2", "1"].map { seed in
            let run = try ToolRun(
                ["diff", "@rates.yaml", "--policy=default,allow-root,risk", "--format=json", "--seed", seed],
                files: files)
            return try JSONText(run.output).integer("changes", "newly-accepted", "devices")
        }
        #expect(counts[0] == counts[2])
        #expect(counts[0] != counts[1])
    }

    @Test func gatesHoldForScenariosToo() throws {
        let run = try ToolRun(
            ["diff", "@s.yaml", "--change=policy -addRejectFlag one", "--max-newly-rejected=33.3%"], files: Self.files)
        #expect(run.status == .limitExceeded)
        #expect(run.output.hasPrefix("1 of 3 devices (33.3 %) would stop getting valid tokens; none would start; "))
    }
}
