import PolicyEngine
import Testing

@testable import Documents
@testable import Figures
@testable import Replay
@testable import TestSupport

/// Decisions as columns say the same as the lines.
@Suite struct DecisionColumnsTests {
    private static let keys = ["ip", "appid", "flags"]

    @Test(
        "columns have the values of the lines, and attributes of the records",
        arguments: ComparisonAgreesWithReplaysTests.rows)
    func ofAReplay(_ row: ComparisonAgreesWithReplaysTests.Row) throws {
        for seed in Exhaustive.seeds(row.seeds, each: 16) {
            let sample = ComparisonAgreesWithReplaysTests.Sample(row, seed: seed)
            let (capture, account) = (sample.records.map(\.line).joined(), try AccountText.account(sample.before))
            let replayed = try ReplayBench.replay(capture, account: account)
            let folder = try TemporaryFolder(["c": capture])
            let kept = CaptureRecords(
                ReplayRequest(captures: [folder.path("c")], account: account), keys: Self.keys
            ).read().records
            var alone: [UInt8]?
            for (jobs, sorts) in [(1, false), (3, false), (1, true), (7, true)] {
                let path = folder.path("d.arrow")
                _ = try ReplayBench.replay(capture, account: account) { request in
                    (request.decisionsPath, request.decisionKeys) = (path, Self.keys)
                    (request.jobs, request.sorts, request.blockBytes) = (jobs, sorts, 2000)
                }
                let bytes = try #require(folder.bytes(of: "d.arrow"))
                if alone == nil { alone = bytes }
                expect(bytes, equals: alone, "\(jobs) workers, seed \(seed)")
            }
            var expected = try (replayed.decisions ?? []).map { try Self.values($0, ending: "") }
            for (index, record) in kept.enumerated() {
                for attribute in record.attributes {
                    expected[index][attribute.key == "flags" ? "record.flags" : attribute.key] = attribute.value
                }
            }
            try expect(ColumnRows.read(alone ?? []).map(Self.plain), equals: expected, "seed \(seed)")
        }
    }

    @Test("a row of a comparison has both decisions", arguments: ComparisonAgreesWithReplaysTests.rows)
    func ofAComparison(_ row: ComparisonAgreesWithReplaysTests.Row) throws {
        for seed in Exhaustive.seeds(row.seeds, each: 16) {
            let sample = ComparisonAgreesWithReplaysTests.Sample(row, seed: seed)
            let capture = sample.records.map(\.line).joined()
            let before =
                try ReplayBench.replay(capture, account: try AccountText.account(sample.before)).decisions ?? []
            let after = try ReplayBench.replay(capture, account: try AccountText.account(sample.after)).decisions ?? []
            let folder = try TemporaryFolder()
            let summary = try ComparisonBench.compare(capture, before: sample.before, after: sample.after) { request in
                (request.decisionsPath, request.jobs) = (folder.path("d.arrow"), 2)
            }
            let plain = try ComparisonBench.compare(capture, before: sample.before, after: sample.after)
            expect(summary.comparison?.changes.lines, equals: plain.comparison?.changes.lines)
            let expected = try zip(before, after).map { before, after in
                try Self.values(before, ending: "-before")
                    .merging(try Self.values(after, ending: "-after")) { first, _ in first }
            }
            let bytes = try #require(folder.bytes(of: "d.arrow"))
            try expect(ColumnRows.read(bytes).map(Self.plain), equals: expected, "seed \(seed)")
        }
    }

    @Test("devices and values are hidden") func redacted() throws {
        let device = "w4mmGFZkpz5oPz6w6gl1Cw=="
        let line =
            #"{"time":"2020-07-23T11:10:43Z","device-id":"\#(device)","flags":"","ip":"1.2.3.4","device":"iOS"}"# + "\n"
        let (folder, redactor) = (try TemporaryFolder(), Redactor(PseudonymKey(from: [1, 2, 3])))
        _ = try ReplayBench.replay(line) { request in
            (request.decisionsPath, request.decisionKeys) = (folder.path("d.arrow"), ["ip", "device"])
            request.redactor = redactor
        }
        let row = try #require(try ColumnRows.read(folder.bytes(of: "d.arrow") ?? []).first)
        expect(row["device"], equals: redactor.name(of: try #require(DeviceID(device))))
        #expect(row["ip"] == redactor.value("1.2.3.4", of: "ip") && row["ip"] != "1.2.3.4")
        expect(row["record.device"], equals: "iOS")
    }

    // The ID as text.
    private static func plain(_ row: [String: String]) -> [String: String] {
        var row = row
        if let digits = row["device"], digits.utf8.count == 32, let first = UInt64(digits.prefix(16), radix: 16),
            let second = UInt64(digits.suffix(16), radix: 16)
        {
            row["device"] = DeviceID(first: first, second: second).description
        }
        return row
    }

    // The values of a line, as its columns have them.
    private static func values(_ line: String, ending: String) throws -> [String: String] {
        let shared: Set = ["index", "time", "device"]
        guard case .object(let members) = try JSONParser.parse(Array(line.utf8)) else { return [:] }
        var values: [String: String] = [:]
        for member in members {
            let name = shared.contains(member.name.text) ? member.name.text : member.name.text + ending
            switch member.value {
            case .number(let digits): values[name] = digits
            case .string(let text):
                values[name] = Instant(rfc3339: text.text).map { "\($0.secondsSinceEpoch)" } ?? text.text
            case .array(let items): values[name] = items.compactMap(\.text).joined(separator: ",")
            default: break
            }
        }
        return values
    }
}
