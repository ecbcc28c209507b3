import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Times that the manual has in local time are printed by the clock of `--timezone`, and by that of UTC without it.
@Suite struct LocalTimeTests {
    private static let account = """
        registrations:
          - {app-sig: S=, appid: a, app-version: "1", added: 2019-05-15T17:03:17Z, expires: 2019-06-01T13:49:36Z}
        user-roles:
          - {id: dev-1234, email: bob@a.com, expires: 2029-12-31T23:30:00Z}

        """

    struct Row: Sendable, CustomTestStringConvertible {
        let zone: String?
        let command: [String]
        let output: String
        var isBeginning = false
        var testDescription: String { "\(zone ?? "none") \(command.joined(separator: " "))" }
    }

    // Manual, Listing Registrations ("in local time"), Temporary Registrations, Listing User Roles.
    static let rows = [
        Row(
            zone: nil, command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 17:03:17 expiry:2019-06-01 13:49:36\n"),
        Row(
            zone: "BST", command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 18:03:17 expiry:2019-06-01 14:49:36\n"),
        Row(
            zone: "-05:30", command: ["registration", "-list"],
            output: "1 app registration:\n S=a-1   registered:2019-05-15 11:33:17 expiry:2019-06-01 08:19:36\n"),
        Row(
            zone: "+01:00", command: ["users", "-list"],
            output: "1 user role:\n  dev-1234 bob@a.com, bob, expires 2030-01-01 00:30:00\n"),
        Row(
            zone: "+01:00",
            command: [
                "registration", "-add", "b.ipa", "-signature", "T=", "-appID", "b", "-appVersion", "1", "-libraryID",
                "2", "-expireAfter", "1d",
            ],
            output: "registering app b.ipa\n T=b-1-2\nregistration successful, expires 2019-05-21 00:00:00\n"),
        Row(
            zone: "+01:00", command: ["token", "-genLongLived", "server-token,1d"],
            output: "token will expire at 2019-05-21 00:00:00\n", isBeginning: true),
        Row(
            zone: nil, command: ["token", "-genLongLived", "server-token,1d"],
            output: "token will expire at 2019-05-20 23:00:00\n", isBeginning: true),
        Row(
            zone: "+01:00", command: ["users", "-revoke", "dev-1234"],
            output: "WARNING: you are revoking dev-1234 for bob@a.com, bob, expires 2030-01-01 00:30:00\n"
                + "If you wish to continue then please enter YES and return: YES\nuser access dev-1234 revoked\n"),
    ]

    @Test(arguments: rows) func approov(_ row: Row) throws {
        let options = ["--yes", "--at", "2019-05-19T23:00:00Z"] + (row.zone.map { ["--timezone=\($0)"] } ?? [])
        let run = try ToolRun(
            ["approov", "--account", "@account.yaml"] + options + row.command, files: ["account.yaml": Self.account])
        #expect(run.status == .success)
        // A token, and the warning of a secret that is derived, are behind the time.
        if row.isBeginning {
            #expect(run.output.hasPrefix(row.output))
        } else {
            #expect((run.output, run.error) == (row.output, ""))
        }
    }

    private static let scenario = """
        scenario: s
        devices: {bob: {id: h4gubfCFzJu81j/U2BJsdg==}}
        steps:
          - {at: 0s, fetch: bob, expect: {verdict: pass}}
          - {at: 1s, approov: device -getFetches timed}
          - {at: 1s, approov: device -getInfo new-did}

        """

    // Manual, Analyzing New Devices ("local capture time"), Observing All Token Fetch Devices.
    @Test(arguments: [(nil, "00:00:00 UTC"), ("BST", "01:00:00 BST"), ("+01:00", "01:00:00 +01:00")])
    func run(row: (zone: String?, time: String)) throws {
        let folder = try TemporaryFolder(["s.yaml": Self.scenario])
        let options = ["--printed", "@out.txt"] + (row.zone.map { ["--timezone", $0] } ?? [])
        #expect(ToolRun(["run", "@s.yaml"] + options, in: folder).status == .success)
        let lines = folder["out.txt"]?.split(separator: "\n").map(String.init) ?? []
        #expect(lines.first == "h4gubfCFzJu81j/U2BJsdg== 2020-01-01 \(row.time)")
        #expect(lines.dropFirst().first == "--- h4gubfCFzJu81j/U2BJsdg== 2020-01-01 \(row.time) ---")
    }

    @Test(arguments: [["run", "@s.yaml"], ["approov", "--account", "@s.yaml"]])
    func unknownZone(command: [String]) throws {
        let rest = command[0] == "approov" ? ["registration", "-list"] : []
        let run = try ToolRun(command + ["--timezone", "MARS"] + rest, files: ["s.yaml": Self.scenario])
        #expect(run.status == .usage && run.output == "")
        #expect(run.error.contains("`--timezone` takes `±hh:mm` or the name of a zone, not `MARS`"))
    }
}

/// Attestations by hour in pages.
@Suite struct HourTests {
    // The figures of each row of the table that follows a title.
    private static func rows(below title: String, in page: String) -> [[String]] {
        guard let section = page.split(separator: ">\(title)</h2>").dropFirst().first,
            let body = section.split(separator: "<tbody>").dropFirst().first?.split(separator: "</tbody>").first
        else { return [] }
        return body.split(separator: "<tr>").map { row in
            row.replacing(/<[^>]*>/, with: "|").split(separator: "|").map(String.init).filter { $0 != "\n" }
        }
    }

    // Bob is rooted and attests at 10:00 and 11:00, Amy at 10:00.
    @Test func aReplayHasThemWithoutAskingForMinutes() throws {
        let run = try ToolRun("replay @day.jsonl --format=html", files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-07-23 10:00", "2", "1", "50.0 %"], ["2020-07-23 11:00", "1", "1", "100.0 %"],
            ])
        // Each device attests once an hour, so that devices by hour would say the same.
        #expect(!run.output.contains("devices by hour"))
    }

    @Test func aDiffHasThemBeforeAndAfter() throws {
        let run = try ToolRun(
            "diff @day.jsonl --account=new --policy=default,allow-root,default --format=html", files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-07-23 10:00", "2", "1", "50.0 %", "0", "0.0 %"],
                ["2020-07-23 11:00", "1", "1", "100.0 %", "0", "0.0 %"],
            ])
    }

    private static let change = [
        "diff", "@good.yaml", "--change=policy -addRejectFlag ios-simulator", "--format=html",
    ]

    @Test func aScenarioHasThemToo() throws {
        let run = try ToolRun(Self.change, files: Sample.files)
        #expect(
            Self.rows(below: "Failing attestations by hour", in: run.output) == [
                ["2020-01-01 00:00", "1", "0", "0.0 %", "0", "0.0 %"]
            ])
    }
}

/// `diff --at`: how a change that is made during the scenario reaches the devices of a scenario.
@Suite struct ChangeTimelineTests {
    // Three groups that ask at different times; some devices come back only now and then, and one group changes sides twice.
    private static func scenario(_ step: String = "") -> String {
        """
        scenario: s
        account: {account: shop, policy: "default,allow-root,default"}
        start: 2020-07-01T00:00:00Z
        devices:
          eager: {count: 20, os: android, flags: [rooted]}
          lazy: {count: 10, os: android, flags: [rooted]}
          plain: {count: 30, os: ios}
          fails: {count: 5, os: ios, flags: [jailbroken]}
        steps:
          - {at: 0s, fetch: [eager, plain], every: 40s, until: 1h}
          - {at: 3m, fetch: [lazy, fails], every: 7m, until: 1h}
        \(step)
          - {at: 31m, set: {group: lazy, flags: []}}

        """
    }

    private static let command = "policy -set default,default,default"

    // The minute of the first rejection of each device in the decisions that a run writes.
    private static func firstFailures(_ scenario: String) throws -> [String: String] {
        let folder = try TemporaryFolder(["s.yaml": scenario])
        _ = ToolRun("run @s.yaml --allow-empty --decisions=@decisions", in: folder)
        var first: [String: String] = [:]
        for line in try #require(folder["decisions"]).split(separator: "\n") {
            let decision = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard decision["verdict"] as? String == "fail", let device = decision["device"] as? String,
                let time = decision["time"] as? String, first[device] == nil
            else { continue }
            first[device] = String(time.prefix(17)) + "00Z"
        }
        return first
    }

    @Test("R1.5 R14.1 devices are locked out in the minutes of the decisions") func agreesWithTheDecisions() throws {
        let before = try Self.firstFailures(Self.scenario())
        let after = try Self.firstFailures(Self.scenario("  - {at: 10m, approov: '\(Self.command)'}"))
        #expect(before.count == 5 && after.count == 35)
        let expected = after.filter { before[$0.key] == nil }.reduce(into: [String: Int]()) {
            $0[$1.value, default: 0] += 1
        }
        let run = try ToolRun(
            ["diff", "@s.yaml", "--change=\(Self.command)", "--at=10m", "--format=json"],
            files: ["s.yaml": Self.scenario()])
        let report = try JSONText(run.output)
        let minutes = try #require(report["changes", "timeline", "minutes"] as? [[String: Any]])
        let counted = minutes.compactMap { minute -> (String, Int)? in
            guard let start = minute["minute"] as? String, let count = minute["newly-locked-out"] as? Int, count > 0
            else { return nil }
            return (start, count)
        }
        #expect(Dictionary(uniqueKeysWithValues: counted) == expected)
        #expect(expected.count > 1 && expected.values.reduce(0, +) == 30)
        #expect(report["changes", "timeline", "made"] as? String == "2020-07-01T00:10:00Z")
        #expect(report["changes", "timeline", "in-force"] as? String == "2020-07-01T00:10:30Z")
        // The lazy ones are let in again, since they change; at the end the eager ones are out.
        #expect(report.integer("changes", "locked-out") == 20)
        #expect(report.integer("changes", "newly-rejected", "devices") == 30)
    }

    @Test func theTextShowsItWhereTheChangeIsMadeUnderWay() throws {
        let files = ["s.yaml": Self.scenario()]
        let arguments = ["diff", "@s.yaml", "--change=\(Self.command)"]
        let underWay = try ToolRun(arguments + ["--at=10m"], files: files).output
        #expect(
            underWay.hasPrefix(
                "30 of 65 devices (46.2 %) would get no valid tokens at times, 20 would stop getting them; none would start; "
            ))
        #expect(
            underWay.contains("\nTimeline of the change\n  the change is made at 2020-07-01T00:10:00Z and in force at ")
        )
        #expect(try !ToolRun(arguments, files: files).output.contains("Timeline"))
        #expect(try ToolRun(arguments + ["--format=html"], files: files).output.contains("Timeline of the change"))
    }

    static let refused: [ToolRow] = [
        .usage(
            "a capture", "diff @day.jsonl --candidate=@root.yaml --at=1m",
            "`--at` needs a scenario; the records of a capture are in the past"),
        .usage(
            "no duration", "diff @s.yaml --candidate=@root.yaml --at=soon",
            "`--at` takes a duration, not `soon`; such as `10m`"),
        .invalid(
            "another change before", "diff @s.yaml --candidate=@root.yaml --at=11m",
            "s.yaml:12:5: error: the scenario changes the account itself before the change that is compared\n"
                + "  hint: an earlier time, or a scenario that does not"),
        .invalid(
            "flags of its own", "diff @s.yaml --candidate=@flags.yaml --at=1m",
            "s.yaml: error: flags cannot be declared during a scenario"),
    ]

    @Test(arguments: refused) func aTimeIsOneOfAScenario(_ row: ToolRow) throws {
        let files = DiffSample.files.merging([
            "s.yaml": Self.scenario("  - {at: 10m, approov: '\(Self.command)'}"),
            "flags.yaml": "flags: [{name: own}]\n",
        ]) { $1 }
        let run = try ToolRun(row.arguments.list, files: files)
        #expect(run.status == row.status && run.output.isEmpty)
        #expect(run.error.contains(row.error), "\(run.error)")
    }
}
