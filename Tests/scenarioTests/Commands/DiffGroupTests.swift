import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `diff --who` and `--since`: the groups of devices that a change hits. The figures are worked out by hand: of 200 devices the 20
/// that have version 5.0 and an address in 10.1 are rooted, and 2 of the others.
@Suite struct DiffGroupTests {
    static func record(_ number: Int, flags: String, version: String, ip: String) -> String {
        let minute = number / 60
        let clock = "10:0\(minute):\(number % 60 < 10 ? "0" : "")\(number % 60)"
        return #"{"time":"2020-07-23T\#(clock)Z","device-id":"\#(DiffSample.device(number))","flags":"\#(flags)","#
            + #""app-version":"\#(version)","ip":"\#(ip)"}"# + "\n"
    }

    static let capture = (0..<200).map { number in
        // 40 devices have the version, 40 the network, and 20 both.
        let hasBoth = number < 20
        let version = number < 40 ? "5.0(\(number))" : "5.\(1 + number % 2)"
        let ip = hasBoth || (40..<60).contains(number) ? "10.1.\(number).7" : "10.\(2 + number % 3).0.\(number)"
        let isRooted = hasBoth || number == 30 || number == 190
        return record(number, flags: isRooted ? "rooted" : "", version: version, ip: ip)
    }.joined()

    private static let files = [
        "day.jsonl": capture, "loose.yaml": "account: shop\npolicy: default,allow-root,default\n",
    ]

    private static func diff(_ arguments: [String]) throws -> ToolRun {
        try ToolRun(
            ["diff", "@day.jsonl", "--account=@loose.yaml", "--change=policy -set default,default,default"] + arguments,
            files: files)
    }

    private static func groups(_ arguments: [String]) throws -> [String: Any] {
        let run = try diff(arguments + ["--format=json"]).ending(.success)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        return try #require((report["changes"] as? [String: Any])?["groups"] as? [String: Any])
    }

    @Test func theGroupIsFound() throws {
        let found = try Self.groups(["--who=app-version~major,ip/16"])
        // One major version: two combinations with each of four networks, and these alone.
        #expect(found["devices"] as? Int == 200 && found["newly-rejected"] as? Int == 22)
        #expect(found["support"] as? Int == 5 && found["order"] as? Int == 2)
        #expect(found["tried"] as? Int == 1 + 4 + 4)
        let groups = try #require(found["groups"] as? [[String: Any]])
        #expect(groups.map { $0["condition"] as? String } == ["ip/16=10.1.0.0/16"])
        let group = try #require(groups.first)
        // 20 of 40 devices, 2 of the other 160: 0.5 ÷ 0.0125 = 40.
        #expect(group["devices"] as? Int == 40 && group["newly-rejected"] as? Int == 20)
        #expect(group["ratio"] as? Double == 40 && group["more"] as? Int == 20)
    }

    @Test func textAndPageShowTheGroup() throws {
        let text = try Self.diff(["--who=ip/16", "--order=1"])
        #expect(text.output.contains("Groups that are newly rejected more often\n"))
        #expect(
            text.output.contains(
                "  4 combinations of up to 1 value of ip/16 were tried on 200 devices, 22 of them newly rejected\n"))
        #expect(text.output.contains("  ip/16=10.1.0.0/16       40              20  50.0 %           40.0×"))
        let page = try Self.diff(["--who=ip/16", "--format=html", "--no-redact"])
        #expect(page.output.contains(">Groups that are newly rejected more often</h2>"))
        let csv = try Self.diff(["--who=ip/16", "--format=csv"])
        #expect(csv.output.contains("newly-rejected,group,ip/16=10.1.0.0/16,20,,,\r\n"))
    }

    // 20 of 40 devices and 2 of 160, one of four groups; Koopman 1984, by bisection in Python, at 98.75 % and 99.75 %.
    @Test(arguments: [("", "95%", 8.08741), ("--confidence=99%", "99%", 6.22382)])
    func intervalsHaveTheLevel(option: String, level: String, lower: Double) throws {
        let found = try Self.groups(["--who=ip/16"] + (option.isEmpty ? [] : [option]))
        let group = try #require((found["groups"] as? [[String: Any]])?.first)
        #expect(found["level"] as? String == level)
        #expect(abs(try #require(group["lower"] as? Double) - lower) < 1e-4)
    }

    @Test func threadsDoNotMatter() throws {
        let all = try ["1", "2", "7"].map { try Self.diff(["--who=app-version,ip/16,flags", "--jobs=\($0)"]).output }
        #expect(Set(all).count == 1 && all[0].contains("flag:rooted"))
    }

    @Test(arguments: [1, 3, 7], ["text", "json", "csv"])
    func mergedPartsGiveTheSameReport(count: Int, form: String) throws {
        let folder = try TemporaryFolder(Self.files)
        let arguments = [
            "diff", "@day.jsonl", "--account=@loose.yaml", "--change=policy -set default,default,default",
            "--who=app-version~major,ip/16", "--order=3",
        ]
        let whole = ToolRun(arguments + ["--format=\(form)"], in: folder)
        for number in 1...count {
            let part = ToolRun(arguments + ["--shard=\(number)/\(count)", "--partial=@part-\(number)"], in: folder)
            #expect(part.status == .success, "\(part.error)")
        }
        let merged = ToolRun(["merge"] + (1...count).map { "@part-\($0)" } + ["--format=\(form)"], in: folder)
        #expect(merged.output == whole.output && whole.output.contains("10.1.0.0/16"), "\(merged.error)")
    }

    @Test func addressesAreHidden() throws {
        let run = try Self.diff(["--who=ip/16", "--redact", "--format=json"])
        #expect(!run.output.contains("10.1.0.0") && run.output.contains("ip/16=address-"))
    }

    @Test func withoutTheOptionThereIsNothing() throws {
        let run = try Self.diff(["--format=json"])
        #expect(!run.output.contains("\"groups\"") && !run.output.contains("\"since\""))
    }

    @Test func anOlderCaptureIsCompared() throws {
        let older = Self.capture.replacing("\"rooted\"", with: "\"frida\"")
        let run = try ToolRun(
            "diff @day.jsonl --account=@loose.yaml --change='policy -set default,default,default' "
                + "--since=@old.jsonl", files: Self.files.merging(["old.jsonl": older]) { $1 }
        ).ending(.success)
        #expect(run.output.contains("The capture and an older one\n  day.jsonl, compared with old.jsonl: "))
        // 11.0 % of devices: under this account Frida fails, and root does not.
        #expect(run.output.contains("differ by more than chance explains, the largest by 11.00 points: "))
        let same = try ToolRun(
            "diff @day.jsonl --account=@loose.yaml --change='policy -set default,default,default' "
                + "--since=@old.jsonl", files: Self.files.merging(["old.jsonl": Self.capture]) { $1 })
        #expect(same.output.contains("old.jsonl: still alike, none of "))
    }

    /// The older capture is read for its figures alone: decisions, labels and values are those of the newer one.
    @Test func anOlderCaptureChangesNoFile() throws {
        let folder = try TemporaryFolder(
            Self.files.merging(["old.jsonl": Self.record(7, flags: "", version: "1", ip: "1.1.1.1")]) { $1 })
        let files = try [[], ["--since=@old.jsonl"]].enumerated().map { number, since in
            ToolRun(
                [
                    "diff", "@day.jsonl", "--account=@loose.yaml", "--change=policy -set default,default,default",
                    "--decisions=@d\(number).arrow", "--with=ip",
                ] + since, in: folder
            ).ending(.success)
            return try Data(contentsOf: URL(filePath: folder.path("d\(number).arrow")))
        }
        #expect(files[0] == files[1] && !files[0].isEmpty)
    }

    static let refused: [ToolRow] = [
        .usage(
            "a key", "diff @day.jsonl --account=new --who=ip/99",
            "`--who`: `ip/99` is not a key; derived keys are os, os-version, model, locale, country, "
                + "time/hour, time/day, ip/1 to ip/32, and KEY~major"),
        .usage(
            "the same key", "diff @day.jsonl --account=new --who=ip,ip",
            "`--who` takes up to 8 different keys, not `ip,ip`; such as `app-version,ip/16,flags`"),
        .usage("only the order", "diff @day.jsonl --account=new --order=2", "`--order` needs `--who`"),
    ]

    @Test(arguments: refused) func wrongUseIsRefused(_ row: ToolRow) throws {
        let arguments = row.arguments.list + ["--change=policy -set default,default,default"]
        let run = try ToolRun(arguments, files: Self.files)
        #expect(run.status == row.status && run.error == row.error && run.output.isEmpty)
    }

    @Test(arguments: ["--shard=1/2", "--partial=@part.json"]) func olderCapturesOfPartsAreRefused(option: String) throws
    {
        let run = try Self.diff(["--since=@day.jsonl", option])
        #expect(run.status == .usage && run.error.contains("cannot be combined with"))
    }

    @Test func aScenarioHasNoGroups() throws {
        let run = try ToolRun(
            ["diff", "@good.yaml", "--who=ip", "--change=policy -set default,strict,default"], files: DiffSample.files)
        #expect(run.status == .usage && run.error.hasPrefix("scenario: error: `--who` needs a capture"))
    }

    @Test func aKeyThatNoRecordHasIsNamed() throws {
        let run = try Self.diff(["--who=ip,app-verison"]).ending(.success)
        #expect(
            run.error
                == "--who: warning: no record has a value for `app-verison`\n  hint: did you mean `app-version`?\n")
    }
}
