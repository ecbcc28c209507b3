import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Limits that may be exceeded, and devices that do not count: neither is silent.
@Suite struct AllowanceTests {
    private static let change = ["diff", "@three.jsonl", "--account=@root.yaml", "--candidate=@plain.yaml"]

    @Test func anAllowedLimitExitsWithSuccessAndIsVisible() throws {
        let folder = try TemporaryFolder(DiffSample.files)
        let arguments = Self.change + ["--max-newly-rejected=1", "--allow=agreed with *risk*"]
        let text = ToolRun(arguments, in: folder).ending(.success)
        #expect(
            text.error == """
                scenario: warning: 2 of 3 devices (66.7 %), more than `--max-newly-rejected` allows; allowed: agreed with *risk*

                """)
        #expect(
            text.output.contains(
                "--max-newly-rejected 1  2 of 3 devices (66.7 %)  exceeded, allowed: agreed with *risk*"))
        let markdown = ToolRun(arguments + ["--format=markdown"], in: folder).output
        #expect(
            markdown.contains(
                #"| --max-newly-rejected 1 | 2 of 3 devices (66.7 %) | **exceeded, allowed: agreed with \*risk\*** |"#))
        let units = ToolRun(arguments + ["--format=junit"], in: folder).output
        #expect(units.contains(#"tests="1" failures="0" errors="0" skipped="1""#))
        #expect(units.contains("allowed: agreed with *risk*"))
        let sarif = ToolRun(arguments + ["--format=sarif"], in: folder).output
        #expect(sarif.contains("allowed: agreed with *risk*") && !sarif.contains(#""level":"error""#))
    }

    @Test func aLimitThatHoldsNeedsNoAllowance() throws {
        let run = try ToolRun(Self.change + ["--max-newly-rejected=2", "--allow=agreed"], files: DiffSample.files)
        #expect(run.status == .success && run.error == "" && !run.output.contains("agreed"))
    }

    @Test("a reason that cannot be seen is none", arguments: ["", " ", "\t \n", "\u{200B}", "\u{AD}\u{2060} "])
    func aBlankReasonIsNone(_ reason: String) throws {
        let run = try ToolRun(Self.change + ["--max-newly-rejected=1", "--allow=\(reason)"], files: DiffSample.files)
        let message = reason.isEmpty ? "the value of option `--allow REASON` is empty" : "`--allow` needs a reason"
        #expect(run.status == .usage && run.output == "" && run.error.contains(message), "\(run.error)")
    }

    // Five devices: the first two rooted, the next two jailbroken, one with neither.
    private static let capture = ["rooted", "rooted", "jailbroken", "jailbroken", ""].enumerated().map {
        number, flags in
        #"{"time":"2020-07-23T10:00:00Z","device-id":"\#(DiffSample.device(number))","flags":"\#(flags)"}"# + "\n"
    }.joined()

    private static let files = DiffSample.files.merging([
        "five.jsonl": capture, "other.jsonl": capture.replacing("T10:", with: "T11:"),
        "open.yaml": "policy: default,whitelist,default\n",
        // The same by another text.
        "open-too.yaml": "# as before\naccount: account\npolicy: default,whitelist,default\n",
        "jail.yaml": "policy: default,whitelist,default\ngrace: 20s\n",
        "roots.yaml": "policy: default,whitelist,default\nreject-flags: {add: [rooted]}\n",
        "jailed.yaml": "policy: default,whitelist,default\nreject-flags: {add: [jailbroken]}\n",
        "both.yaml": "policy: default,whitelist,default\nreject-flags: {add: [rooted, jailbroken]}\n",
    ]) { $1 }

    struct Row: LabelledRow {
        let name: String
        /// The change of the earlier comparison, and the one that is compared with it.
        let earlier, now: String
        /// The limit, how the comparison ends, and how many devices are known.
        let limit: String
        let status: scenario.ExitStatus
        let found: String
        let known: Int
    }

    static let rows = [
        Row(
            name: "all known", earlier: "roots", now: "roots", limit: "0", status: .success,
            found: "0 of 5 devices (0.0 %)",
            known: 2),
        Row(
            name: "two more", earlier: "roots", now: "both", limit: "1", status: .limitExceeded,
            found: "2 of 5 devices (40.0 %)", known: 2),
        Row(
            name: "two more, which may be", earlier: "roots", now: "both", limit: "2", status: .success,
            found: "2 of 5 devices (40.0 %)", known: 2),
        Row(
            name: "fewer than were known", earlier: "both", now: "roots", limit: "0", status: .success,
            found: "0 of 5 devices (0.0 %)", known: 2),
        Row(
            name: "as many others", earlier: "roots", now: "jailed", limit: "1", status: .limitExceeded,
            found: "2 of 5 devices (40.0 %)", known: 0),
        Row(
            name: "none known", earlier: "open", now: "roots", limit: "1", status: .limitExceeded,
            found: "2 of 5 devices (40.0 %)", known: 0),
    ]

    private static func compare(_ candidate: String, _ options: [String], in folder: TemporaryFolder) -> ToolRun {
        ToolRun(
            ["diff", "@five.jsonl", "--account=@open.yaml", "--candidate=@\(candidate).yaml"] + options, in: folder)
    }

    @Test("only devices that an earlier comparison has not count", arguments: rows)
    func onlyWhatIsNewCounts(_ row: Row) throws {
        let folder = try TemporaryFolder(Self.files)
        _ = Self.compare(row.earlier, ["--format=json", "--output=@base.json"], in: folder)
        let run = Self.compare(
            row.now, ["--baseline=@base.json", "--max-newly-rejected=\(row.limit)", "--format=junit"], in: folder)
        #expect(run.status == row.status, "\(run.error)")
        #expect(run.error.contains("\(row.found), more than") == (row.status == .limitExceeded))
        let skipped = "\(row.known) devices are in the baseline and do not count"
        #expect(run.output.contains(skipped) == (row.known > 0))
        let warning = "does not count \(row.known) devices, which the baseline has"
        #expect(run.error.contains(warning) == (row.known > 0))
        // No ID of a device is in it but those of examples.
        let base = try #require(folder["base.json"])
        #expect(base.contains(#""device-names":["#) && !base.contains(DiffSample.device(1)))
    }

    struct Refused: LabelledRow {
        let name: String
        var earlier: [String] = []
        var edit: (@Sendable (String) -> String)?
        let error: String
    }

    private static let hint =
        "\n  hint: a baseline is of the same captures and the same account before; only the change may be another one\n"

    static let refused = [
        Refused(
            name: "another capture", earlier: ["@other.jsonl", "--account=@open.yaml"],
            error: "this compares other captures, or a scenario otherwise" + hint),
        Refused(
            name: "another account before", earlier: ["@five.jsonl", "--account=@jail.yaml"],
            error: "this compares with another account before the change" + hint),
        Refused(
            name: "another key of names", earlier: ["@five.jsonl", "--account=@open.yaml", "--redact-key=@five.jsonl"],
            error: "its devices are named with another `--redact-key`" + hint),
        Refused(
            name: "a comparison of an older version",
            edit: { $0.replacing(/"compared":\{[^}]*\}/, with: #""compared":null"#) },
            error:
                "this comparison does not say what was compared\n  hint: one that was made of files, by this version, does\n"
        ),
        Refused(
            name: "more devices than are named",
            edit: { $0.replacing(/"device-names":\[[^\]]*\]/, with: #""device-names":null"#) },
            error: "it names no devices: more than 100,000 of them change\n"),
    ]

    @Test("a baseline of something else is refused", arguments: refused) func isRefused(_ row: Refused) throws {
        let folder = try TemporaryFolder(Self.files)
        let earlier = row.earlier.isEmpty ? ["@five.jsonl", "--account=@open.yaml"] : row.earlier
        _ = ToolRun(
            ["diff", "--candidate=@roots.yaml", "--format=json", "--output=@base.json"] + earlier, in: folder)
        if let edit = row.edit { try folder.write(edit(try #require(folder["base.json"])), to: "base.json") }
        let run = Self.compare("roots", ["--baseline=@base.json", "--max-newly-rejected=0"], in: folder)
        #expect(run.status == .invalidInput && run.output == "")
        #expect(run.error.hasSuffix("base.json: error: " + row.error), "\(run.error)")
    }

    @Test(
        "no baseline names devices that are newly blocked, or tokens with other annotations",
        arguments: ["--max-newly-blocked", "--max-annotations-changed"])
    func namesDevicesOfVerdictsAlone(_ limit: String) throws {
        let run = try ToolRun("diff @s.yaml --policy=strict \(limit)=0 --baseline=@base.json", files: Self.files)
        #expect(run.status == .usage && run.error.contains("`--baseline` cannot be combined with `\(limit)`"))
    }

    // Another key of DeviceCheck, which no record shows.
    private static let unseen = [
        "diff", "@five.jsonl", "--account=@open.yaml", "--change=devicecheck -addAuthKey AuthKey_X.p8 -teamID T",
    ]
    private static let found = "DeviceCheck changes, and a capture shows only what the old settings found"

    @Test("a change that no capture shows exceeds whatever is limited", arguments: ["rejected", "accepted"])
    func unseenChange(_ side: String) throws {
        let folder = try TemporaryFolder(Self.files)
        #expect(ToolRun(Self.unseen, in: folder).status == .success)
        let limited = Self.unseen + ["--max-newly-\(side)=100%"]
        let run = ToolRun(limited, in: folder).ending(.limitExceeded)
        #expect(run.error == "scenario: limit exceeded: changes that no capture shows: \(Self.found)\n")
        let forms = [
            ("junit", #"<testcase name="changes that no capture shows" classname="scenario diff">"#),
            ("sarif", "changes that no capture shows: \(Self.found)"), ("html", "changes that no capture shows"),
        ]
        for (form, text) in forms {
            let output = ToolRun(limited + ["--format=\(form)"], in: folder).output
            #expect(output.contains(text), "\(form)")
        }
        let allowed = ToolRun(limited + ["--allow=a new key"], in: folder)
        #expect(allowed.status == .success && allowed.error.hasSuffix("\(Self.found); allowed: a new key\n"))
        #expect(allowed.output.contains("exceeded, allowed: a new key"))
    }

    @Test("a change without effect exceeds nothing") func changeOfNoBearing() throws {
        let run = try ToolRun(
            ["diff", "@five.jsonl", "--account=@open.yaml", "--change=monitoring -setEmergencyContact me"]
                + ["--max-newly-rejected=0"], files: Self.files)
        #expect(run.status == .success && run.error == "", "\(run.error)")
    }

    @Test("the account before may be said otherwise, by another path or text") func theSameAccountByAnotherText() throws
    {
        let folder = try TemporaryFolder(Self.files)
        _ = Self.compare("roots", ["--format=json", "--output=@base.json"], in: folder)
        let run = ToolRun(
            "diff @five.jsonl --account=@open-too.yaml --candidate=@roots.yaml --baseline=@base.json "
                + "--max-newly-rejected=0", in: folder)
        #expect(run.status == .success && run.error.contains("does not count 2 devices"))
    }

    @Test("a scenario is known by its file, its seed and the time of the change") func aScenarioIsKnownToo() throws {
        var files = Self.files
        files["s.yaml"] = "scenario: s\ndevices: {d: {count: 9, flags: [rooted]}}\nsteps: [{at: 1m, fetch: d}]\n"
        let folder = try TemporaryFolder(files)
        let change = ["diff", "@s.yaml", "--account=@open.yaml", "--candidate=@roots.yaml"]
        _ = ToolRun(change + ["--format=json", "--output=@base.json"], in: folder)
        let limit = ["--baseline=@base.json", "--max-newly-rejected=0"]
        #expect(ToolRun(change + limit, in: folder).status == .success)
        #expect(ToolRun(change + limit + ["--seed=7"], in: folder).status == .invalidInput)
        #expect(ToolRun(change + limit + ["--at=30s"], in: folder).status == .invalidInput)
    }
}
