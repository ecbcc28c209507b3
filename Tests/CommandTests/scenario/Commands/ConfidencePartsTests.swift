import Foundation
import Testing

@testable import TestSupport
@testable import scenario

/// Intervals are the same for any number of threads and parts, and for both forms of input.
@Suite struct ConfidencePartsTests {
    // 400 attestations of 60 devices, some far more active than others.
    private static let records: [(time: String, device: String, flags: String)] = {
        var state: UInt64 = 7
        return (0..<400).map { number in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (first, second) = (Int(state >> 40 % 60), Int(state >> 20 % 60))
            let time = "10:\(10 + number / 60):\(10 + number % 50)"
            let device = DiffSample.device(min(first, second))
            return (time, device, state >> 33 % 5 == 0 ? "rooted" : "")
        }.sorted { $0.time < $1.time }
    }()

    private static let files = DiffSample.files.merging([
        "json.jsonl": records.map {
            #"{"time":"2020-07-23T\#($0.time)Z","device-id":"\#($0.device)","public-flags":"\#($0.flags)"}"# + "\n"
        }.joined(),
        "text.txt": records.map {
            "--- \($0.device) 2020-07-23 \($0.time) UTC ---\npublic-flags: \($0.flags)\nrejection-flags: \n"
        }.joined(separator: "\n"),
    ]) { $1 }

    private static let commands = [
        ["replay", "--account=@plain.yaml"], ["diff", "--account=@root.yaml", "--candidate=@plain.yaml"],
    ]

    @Test(arguments: commands) func jobsPartsAndFormsAgree(_ command: [String]) throws {
        let folder = try TemporaryFolder(Self.files)
        let options = ["--confidence=99%", "--format=json"]
        let whole = ToolRun(command + ["@json.jsonl"] + options, in: folder)
        let expected = try Self.intervals(whole)
        #expect(expected.hasPrefix(#","intervals":{"level":"99%","#))
        for jobs in [1, 2, 7] {
            for capture in ["@json.jsonl", "@text.txt"] {
                let run = ToolRun(command + [capture, "--jobs=\(jobs)"] + options, in: folder)
                try expect(Self.intervals(run), equals: expected)
            }
        }
        for count in [1, 3, 64] {
            let parts = (1...count).map { "@part-\($0)" }
            for (index, part) in parts.enumerated() {
                ToolRun(
                    command + [
                        "@json.jsonl", "--confidence=99%", "--shard=\(index + 1)/\(count)", "--partial=\(part)",
                    ], in: folder
                ).ending(.success)
            }
            expect(ToolRun(["merge", "--format=json"] + parts, in: folder).output, equals: whole.output)
            let other = ToolRun(["merge", "--format=json", "--confidence=90%"] + parts, in: folder)
            let direct = ToolRun(command + ["@json.jsonl", "--confidence=90%", "--format=json"], in: folder)
            expect(other.output, equals: direct.output)
        }
    }

    // The member `intervals`, whose entries have no objects themselves.
    private static func intervals(_ run: ToolRun) throws -> String {
        let start = try #require(run.output.range(of: #","intervals":"#), "\(run.error)")
        let end = try #require(run.output[start.upperBound...].firstRange(of: "}}"))
        return String(run.output[start.lowerBound..<end.upperBound])
    }
}
