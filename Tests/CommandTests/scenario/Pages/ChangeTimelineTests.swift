import Foundation
import Testing

@testable import TestSupport
@testable import scenario

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
        expect(Dictionary(uniqueKeysWithValues: counted), equals: expected)
        #expect(expected.count > 1 && expected.values.reduce(0, +) == 30)
        expect(report["changes", "timeline", "made"] as? String, equals: "2020-07-01T00:10:00Z")
        expect(report["changes", "timeline", "in-force"] as? String, equals: "2020-07-01T00:10:30Z")
        // The lazy ones are let in again, since they change; at the end the eager ones are out.
        expect(report.integer("changes", "locked-out"), equals: 20)
        expect(report.integer("changes", "newly-rejected", "devices"), equals: 30)
    }
}
