import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// `diff --count` of random captures; `Tests/Transcripts/diff/count.txt` shows what it writes.
@Suite struct DiffCountTests {
    /// Against a plain count: a device counts at each value that it showed at some time, and is newly rejected if it was rooted at
    /// some time.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func randomCapturesAgree(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (shown, hit) = ([String: Set<Int>](), [String: Set<Int>]())
        let records = (0..<120).map { number in
            let device = random.below(40)
            let version = "5.\(random.below(5))"
            let isRooted = random.below(12) == 0
            return (number: number, device: device, version: version, isRooted: isRooted)
        }
        let rooted = Set(records.filter(\.isRooted).map(\.device))
        for record in records {
            shown[record.version, default: []].insert(record.device)
            if rooted.contains(record.device) { hit[record.version, default: []].insert(record.device) }
        }
        let expected = hit.sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }.map { version, devices in
            #"{"devices":\#(shown[version]?.count ?? 0),"newly-rejected":\#(devices.count),"value":"\#(version)"}"#
        }
        let capture = records.map { record in
            let time =
                "10:\(record.number < 60 ? "00" : "01"):\(record.number % 60 < 10 ? "0" : "")\(record.number % 60)"
            return #"{"time":"2020-07-23T\#(time)Z","device-id":"\#(DiffSample.device(record.device))","#
                + #""flags":"\#(record.isRooted ? "rooted" : "")","app-version":"\#(record.version)"}"# + "\n"
        }.joined()
        let files = [
            "day.jsonl": capture, "loose.yaml": "account: shop\npolicy: default,allow-root,default\n",
        ]
        let run = try ToolRun(
            "diff @day.jsonl --account=@loose.yaml --change='policy -set default,default,default' "
                + "--count=app-version --format=json", files: files)
        #expect(
            run.output.contains(#""key":"app-version","values":[\#(expected.joined(separator: ","))]"#), "\(run.error)")
        let back = try ToolRun(
            ["diff", "@day.jsonl", "--account=new", "--policy=allow-root", "--count=app-version", "--format=json"],
            files: files)
        let accepted = expected.joined(separator: ",").replacing("newly-rejected", with: "newly-accepted")
        #expect(back.output.contains(#""key":"app-version","values":[\#(accepted)]"#), "\(back.error)")
    }
}
