import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `diff --who` of parts, and `--since` beside files of decisions; `Tests/Transcripts/diff/groups.txt` shows what they write.
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
            expect(part.status, equals: .success, "\(part.error)")
        }
        let merged = ToolRun(["merge"] + (1...count).map { "@part-\($0)" } + ["--format=\(form)"], in: folder)
        #expect(merged.output == whole.output && whole.output.contains("10.1.0.0/16"), "\(merged.error)")
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
}
