import Foundation
import Testing

@testable import Documents
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// Folders of split captures whose manifest somebody changed: what it says wrongly ends no process.
@Suite struct SplitDamageTests {
    private static let capture = (0..<60).map { number in
        let device = TestSupport.Sample.device(number % 7)
        return #"{"time":"2020-07-23T1\#(number / 10):00:00Z","device-id":"\#(device)","flags":""}"# + "\n"
    }.joined()

    /// The same capture, split twice.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder(["c.jsonl": capture])
        for name in ["one", "two"] {
            let run = ToolRun(["split", "@c.jsonl", "--shards=2", "--output=@\(name)", "--no-progress"], in: folder)
            #expect(run.status == .success, "\(run.error)")
        }
        return folder
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let key: String
        let value: Int
        var testDescription: String { "\(key) is \(value)" }
    }

    // Times that hide that the second folder begins before the first one ends, and numbers that add up to too much.
    static let rows = [
        Row(key: "latest", value: 0), Row(key: "latest", value: -1), Row(key: "first", value: 1 << 42),
        Row(key: "lines", value: .max), Row(key: "records", value: .max), Row(key: "first-line", value: .max),
        Row(key: "malformed", value: .max), Row(key: "disordered", value: .max),
    ]

    @Test(arguments: rows, [["one", "two"], ["two", "one"]]) func aChangedManifestIsRefused(
        _ row: Row, _ order: [String]
    ) throws {
        let folder = try Self.folder()
        let text = try #require(folder["one/manifest.json"])
        let changed = text.replacing(try Regex("\"\(row.key)\": [0-9]+"), with: "\"\(row.key)\": \(row.value)")
        try #require(changed != text)
        try folder.write(changed, to: "one/manifest.json")
        let run = ToolRun(
            ["replay"] + order.map { "@\($0)" } + ["--shard=1/2", "--series", "--format=json", "--no-progress"],
            in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains(": error: "))
    }

    // A chunk that says it is as long as can be.
    @Test(arguments: [12, 16, 20, 24]) func aChangedLengthTakesNoMemory(_ offset: Int) throws {
        let folder = try Self.folder()
        var bytes = try #require(folder.bytes(of: "one/shard-1.zst"))
        let known = FileDigest(of: bytes).text
        bytes.replaceSubrange(offset..<offset + 4, with: [0xFF, 0xFF, 0xFF, 0x7F])
        try folder.write(bytes, to: "one/shard-1.zst")
        let manifest = try #require(folder["one/manifest.json"])
        try folder.write(
            manifest.replacing(known, with: FileDigest(of: bytes).text), to: "one/manifest.json")
        let run = ToolRun(["replay", "@one", "--shard=1/2", "--no-progress"], in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("the split data is damaged or cut"), "\(run.error)")
    }
}
