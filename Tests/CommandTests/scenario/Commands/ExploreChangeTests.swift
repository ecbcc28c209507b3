import Foundation
import Testing

@testable import HTTP
@testable import TestSupport
@testable import scenario

/// Answers to one change after another are the reports of the commands, byte for byte, whatever the account and the captures.
@Suite struct ExploreChangeTests {
    private static let typed = [
        "filter -setSamplingPercentage 40", "filter -setSamplingPercentage 0",
        "filter -add new -key ip -matchValue ^1[01] -regex -ban",
        "filter -add new -key device -matchValue Android -regex -reject",
        "filter -add new -key nowhere -matchValue x -reject",
        "filter -add new -key app-version -matchValue 1.0 -risky",
        "filter -add new -key device-id -matchValue ^[A-M] -regex -reject",
        "filter -add new -key flags-all -matchValue rooted -regex -executeFilteredSecurityPolicy",
        "device -add \(RandomCapture.devices[1]) -policy default,whitelist,risk",
        "device -add \(RandomCapture.devices[2]) -ban",
        "device -add \(RandomCapture.devices[2]) -unban", "policy -set default,strict,all",
    ]

    private static func folder(seed: UInt64) throws -> TemporaryFolder {
        var account = RandomAccount(seed: seed, flags: [.init(name: "extra-one", isRisk: true)])
        var capture = RandomCapture(seed: seed << 16, flags: ["extra-one", "zz-unknown", "aa-unknown"])
        return try TemporaryFolder([
            "day.jsonl": capture.records(80).map(\.line).joined(), "account.yaml": account.text(),
        ])
    }

    // The commands that the page offers for an account, in their order.
    private static func offered(_ value: Any) -> [String] {
        switch value {
        case let list as [Any]: list.flatMap(offered)
        case let object as [String: Any]:
            object.sorted { $0.key < $1.key }.flatMap { key, value in
                ["command", "remove"].contains(key) ? [value as? String].compactMap(\.self) : offered(value)
            }
        default: []
        }
    }

    private static func body(_ changes: [String], _ more: String = "") throws -> String {
        let list = String(decoding: try JSONSerialization.data(withJSONObject: changes), as: UTF8.self)
        return #"{"changes":\#(list)\#(more)}"#
    }

    @Test("Random changes of random accounts", arguments: Exhaustive.seeds(1...240, each: 29)) func random(seed: UInt64)
        throws
    {
        let folder = try Self.folder(seed: seed)
        let jobs = "--jobs=\(1 + seed % 3)"
        let bench = try ExploreBench(["@day.jsonl", "--account", "@account.yaml", jobs], in: folder)
        var (changes, generator) = ([String](), SplitMix64(seed: seed))
        for step in 0..<6 {
            let switches = try bench.members("account", try Self.body(changes))
            let choices = Self.typed + Self.offered(switches).filter { !$0.contains("{percentage}") }
            changes.append(choices[Int(generator.next() % UInt64(choices.count))])
            let words = ["@day.jsonl", "--account", "@account.yaml", "--format", "json"]
            let changing = changes.flatMap { ["--change", $0] }
            let run = ToolRun(["diff"] + words + changing, in: folder)
            let answer = bench.ask("answer", try Self.body(changes))
            guard run.status == .success else {
                expect(answer.status, equals: 422, "seed \(seed), \(changes)")
                changes.removeLast()
                continue
            }
            let text = folder.relative(String(decoding: answer.body, as: UTF8.self))
            expect(text, equals: run.output, "seed \(seed), step \(step), \(changes)")
            guard step % 3 == 2 else { continue }
            let edits = ToolRun(["whatif"] + words + changing, in: folder)
            expect(bench.text("whatif", try Self.body(changes)), equals: edits.output, "seed \(seed), \(changes)")
        }
    }
}
