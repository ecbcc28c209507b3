import Foundation
import Testing

@testable import Documents
@testable import PolicyEngine
@testable import TestSupport
@testable import scenario

/// `scenario split`, and replays of what it wrote, as a user types them.
@Suite struct SplitCommandTests {
    private static func line(_ second: Int, _ id: String, _ flags: String = "") -> String {
        #"{"time":"2020-07-23T00:00:0\#(second)Z","device-id":"\#(id)","flags":"\#(flags)"}"# + "\n"
    }

    // Of two parts, the first four devices are in the second.
    private static let day =
        line(0, "w4mmGFZkpz5oPz6w6gl1Cw==") + "no record\n" + line(1, "AAAAAAAAAAAAAAAAAAAAAA==", "rooted")
        + line(2, "h4gubfCFzJu81j/U2BJsdg==", "new-b")

    private static let evening = """
        --- AAAAAAAAAAAAAAAAAAAAAA== 2020-07-23 20:00:00 UTC ---
        public-flags: new-a
        --- qZka0yfv+ExvOq3PRh6pGw== 2020-07-23 20:00:01 UTC ---
        public-flags: rooted

        """

    private static func folder() throws -> TemporaryFolder {
        try TemporaryFolder(["day.jsonl": day, "evening.txt": evening, "a.yaml": "policy: default,default,all\n"])
    }

    private static func split(_ arguments: [String], in folder: TemporaryFolder) {
        let run = ToolRun(["split"] + arguments, in: folder)
        #expect(run.status == .success, "\(run.error)")
    }

    private static func partials(_ command: [String], of count: Int, in folder: TemporaryFolder) -> [String] {
        (1...count).map { number in
            let run = ToolRun(command + ["--shard=\(number)/\(count)", "--partial=@p\(number)"], in: folder)
            #expect(run.status == .success, "\(run.error)")
            return "@p\(number)"
        }
    }

    private static let changes = [
        ["replay", "--account=@a.yaml", "--skip-malformed"],
        ["diff", "--account=@a.yaml", "--policy=default,allow-root,all", "--skip-malformed"],
    ]

    @Test("the merged report is that of one machine", arguments: changes, [1, 2, 7])
    func theMergedReportIsThatOfOneMachine(_ command: [String], count: Int) throws {
        let folder = try Self.folder()
        Self.split(["@day.jsonl", "@evening.txt", "--shards=\(count)", "--output=@parts"], in: folder)
        let parts = Self.partials(command + ["@parts"], of: count, in: folder)
        let whole = ToolRun(command + ["@day.jsonl", "@evening.txt", "--format=json"], in: folder)
        #expect(ToolRun(["merge", "--format=json"] + parts, in: folder).output == whole.output)
        #expect(whole.output.contains(#""attestations":5"#) || whole.output.contains(#""attestations": 5"#))
    }

    @Test("standard input, which can be read once only, is no capture of a part") func pipe() throws {
        let run = ToolRun("replay - --partial=@p0", in: try Self.folder())
        #expect(run.status == .usage)
        #expect(
            run.error.contains("`--partial` says which captures were read, and of standard input that cannot be said"))
    }

    @Test("a pipe has no digest by which `merge` would know it") func namedPipe() throws {
        let replay = try ToolProcess(["replay", "/dev/stdin", "--partial=p0"], in: try Self.folder())
        replay.type(String(Self.day.replacing("no record\n", with: "").dropLast()))
        replay.endInput()
        let end = replay.end()
        #expect(end.status == 2)
        #expect(end.error.contains("`/dev/stdin` can be read once only, so `--partial` cannot name it"))
    }

    @Test("standard input that was split is evaluated in parts, as a file is") func standardInput() throws {
        let folder = try Self.folder()
        let records = Self.day.replacing("no record\n", with: "")
        let split = try ToolProcess(["split", "-", "--shards=2", "--output=parts"], in: folder)
        split.type(String(records.dropLast()))
        split.endInput()
        try #require(split.end().status == 0)
        let parts = Self.partials(["replay", "--account=@a.yaml", "@parts"], of: 2, in: folder)
        let merged = ToolRun(["merge"] + parts, in: folder)
        _ = try folder.write(records, to: "day.jsonl")
        let whole = ToolRun("replay --account=@a.yaml @day.jsonl", in: folder)
        #expect(merged.status == .success && merged.output == whole.output, "\(merged.error)")
    }

    @Test("ranges stand for the capture in their order") func ranges() throws {
        let folder = try Self.folder()
        let length = Self.day.utf8.count
        for (name, range) in [("1", "0-90"), ("2", "90-91"), ("3", "91-\(length)")] {
            Self.split(["@day.jsonl", "--range=\(range)", "--shards=2", "--output=@\(name)"], in: folder)
        }
        let command = ["replay", "--skip-malformed"]
        let parts = Self.partials(command + ["@1", "@2", "@3"], of: 2, in: folder)
        let whole = ToolRun(command + ["@day.jsonl"], in: folder)
        #expect(ToolRun(["merge"] + parts, in: folder).output == whole.output)
        for wrong in [["@1", "@3"], ["@2", "@1", "@3"], ["@1", "@2"]] {
            let run = ToolRun(command + wrong + ["--shard=1/2"], in: folder)
            #expect(run.status == .invalidInput)
            #expect(run.error.contains("are missing"))
        }
    }

    @Test("a malformed record is reported with file and line of the capture") func malformed() throws {
        let folder = try Self.folder()
        Self.split(["@day.jsonl", "--shards=2", "--output=@parts"], in: folder)
        let whole = ToolRun("replay @day.jsonl", in: folder)
        for shard in 1...2 {
            let run = ToolRun(["replay", "@parts", "--shard=\(shard)/2"], in: folder)
            #expect(run.status == .invalidInput)
            #expect(run.error == whole.error)
            #expect(run.error.contains("day.jsonl:2: error:"))
        }
    }

    @Test("a file of records is a capture for everybody") func plain() throws {
        let folder = try Self.folder()
        Self.split(["@day.jsonl", "--shards=1", "--output=@parts"], in: folder)
        let run = ToolRun("replay @parts/shard-1.zst --format=json", in: folder)
        #expect(run.status == .success)
        #expect(run.output.contains(#""attestations":3"#) || run.output.contains(#""attestations": 3"#))
        #expect(folder.names.filter { $0.hasSuffix(".partial") }.isEmpty)
    }

    struct Refused: LabelledRow {
        let name: String
        let arguments: Words
        var status = scenario.ExitStatus.invalidInput
        let message: String
    }

    static let refused = [
        Refused(
            name: "no part", arguments: "replay @parts",
            message: "the captures are split into 2 parts\n  hint: `--shard K/2`"),
        Refused(
            name: "another number of parts", arguments: "replay @parts --shard=1/3",
            message: "the captures are split into 2 parts, and 1/3 is one of 3"),
        Refused(
            name: "no manifest", arguments: "replay @half --shard=1/2",
            message: "not a folder that `scenario split` has finished: `manifest.json` in it: no such file"),
        Refused(
            name: "a manifest that was cut", arguments: "replay @cut --shard=1/2",
            message: "is not a manifest of split captures"),
        Refused(
            name: "a file that was changed", arguments: "replay @changed --shard=1/2",
            message: "was cut or changed: it is not the file that `manifest.json` names"),
        Refused(
            name: "a file that is missing", arguments: "replay @missing --shard=2/2",
            message: "the records of the part 2/2 are missing"),
        Refused(
            name: "a file that is missing, in a comparison",
            arguments: "diff @missing --account=new --shard=2/2 --policy=default,allow-root,all",
            message: "the records of the part 2/2 are missing"),
        Refused(
            name: "a capture among folders", arguments: "replay @parts @day.jsonl --shard=1/2",
            message: "not a folder that `scenario split` has finished"),
        Refused(
            name: "a time zone", arguments: "replay @parts --shard=1/2 --timezone=+01:00",
            message: "`--timezone` and `--input-format` cannot be combined with split captures"),
        Refused(
            name: "keeping malformed records", arguments: "replay @parts --shard=1/2 --malformed=@m",
            message: "`--malformed` cannot be combined with split captures"),
        Refused(
            name: "another command", arguments: "whatif @parts --account=@a.yaml",
            message: "the captures are split into 2 parts"),
        Refused(
            name: "folders out of order", arguments: "replay @late @parts --shard=1/2 --skip-malformed",
            message: "day.jsonl:1: error: record of 2020-07-23T00:00:00Z after one of 2020-07-23T20:00:01Z"),
        Refused(
            name: "captures out of order", arguments: "split @evening.txt @day.jsonl --shards=2 --output=@o",
            message: "day.jsonl:1: error: record of 2020-07-23T00:00:00Z after one of 2020-07-23T20:00:01Z"),
        Refused(
            name: "a folder that is there", arguments: "split @day.jsonl --shards=2 --output=@parts",
            message: "the folder exists already, and is not empty"),
        Refused(
            name: "fetches", arguments: "split @fetches --shards=2 --output=@o",
            message: "a capture of fetches among captures of attestations"),
        Refused(
            name: "a range of a compressed capture",
            arguments: "split @parts/shard-1.zst --range=0-9 --shards=2 --output=@o",
            message: "only a file that is not compressed has ranges of bytes"),
        Refused(
            name: "a range too long", arguments: "split @day.jsonl --range=0-9999 --shards=2 --output=@o",
            message: "the range ends at byte 9,999, and the capture has"),
        Refused(
            name: "too many flags", arguments: "split @flags.jsonl --shards=2 --output=@o",
            message: "is one too many; there can be at most 128 flags"),
        Refused(
            name: "too many flags with the account's", arguments: "replay @some --account=@more.yaml --shard=1/1",
            message: "is one too many; there can be at most 128 flags"),
        Refused(
            name: "too many flags with those of one of two accounts",
            arguments: "diff @some --account=new --candidate=@more.yaml --shard=1/1",
            message: "have more than 128 different flags together"),
        Refused(
            name: "no number of parts", arguments: "split @day.jsonl --output=@o", status: .usage,
            message: "option `--shards` is missing"),
        Refused(
            name: "no folder", arguments: "split @day.jsonl --shards=2", status: .usage,
            message: "option `--output` is missing"),
        Refused(
            name: "no range", arguments: "split @day.jsonl --range=9-9 --shards=2 --output=@o",
            status: .usage, message: "`--range` takes `FROM-TO`"),
        Refused(
            name: "a range of two", arguments: "split @day.jsonl @x --range=0-9 --shards=2 --output=@o", status: .usage,
            message: "`--range` is of one file"),
    ]

    // One after another, so that the folders are written once.
    @Test("what does not belong together is refused, with a sentence") func isRefused() throws {
        let folder = try Self.folder()
        try Self.addBroken(to: folder)
        let names = folder.names
        for row in Self.refused {
            let run = ToolRun(row.arguments.list, in: folder)
            #expect(run.status == row.status, "\(row)")
            #expect(run.error.contains(row.message), "\(row): \(run.error)")
            #expect(run.output.isEmpty, "\(row)")
            #expect(folder.names == names, "\(row)")
        }
    }

    private static func addBroken(to folder: TemporaryFolder) throws {
        split(["@day.jsonl", "--shards=2", "--output=@parts"], in: folder)
        split(["@evening.txt", "--shards=2", "--output=@late"], in: folder)
        for name in ["half", "cut", "changed", "missing"] {
            for file in ["shard-1.zst", "shard-2.zst", "manifest.json"] {
                try folder.write(try #require(folder.bytes(of: "parts/\(file)")), to: "\(name)/\(file)")
            }
        }
        try FileManager.default.removeItem(atPath: folder.path("half/manifest.json"))
        try FileManager.default.removeItem(atPath: folder.path("missing/shard-2.zst"))
        let manifest = try #require(folder["cut/manifest.json"])
        try folder.write(String(manifest.dropLast(20)), to: "cut/manifest.json")
        var bytes = try #require(folder.bytes(of: "changed/shard-1.zst"))
        bytes[bytes.count - 1] ^= 1
        try folder.write(bytes, to: "changed/shard-1.zst")
        try folder.write("w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 00:00:00 UTC\n", to: "fetches")
        let names = (0..<128).map { "new-\($0)" }
        try folder.write(line(0, "w4mmGFZkpz5oPz6w6gl1Cw==", names.joined(separator: ",")), to: "flags.jsonl")
        try folder.write(
            line(0, "w4mmGFZkpz5oPz6w6gl1Cw==", names.prefix(60).joined(separator: ",")), to: "some.jsonl")
        split(["@some.jsonl", "--shards=1", "--output=@some"], in: folder)
        let declared = (0..<70).map { "  - {name: own-\($0)}\n" }.joined()
        try folder.write("flags:\n" + declared, to: "more.yaml")
    }

    @Test("what a killed command left is replaced") func abandoned() throws {
        let folder = try Self.folder()
        try folder.write("half", to: ".parts.partial/shard-1.zst")
        Self.split(["@day.jsonl", "--shards=2", "--output=@parts"], in: folder)
        #expect(folder.names == ["a.yaml", "day.jsonl", "evening.txt", "parts"])
    }

    @Test("the file of a part that is empty") func empty() throws {
        let folder = try Self.folder()
        Self.split(["@evening.txt", "--shards=7", "--output=@parts"], in: folder)
        // AAAA… is in the part 3/7, qZka… in 5/7.
        let run = ToolRun("replay @parts --shard=1/7", in: folder)
        #expect(run.status == .nothingRan)
        #expect(run.error.contains("nothing to evaluate"))
        #expect(ToolRun("replay @parts --shard=5/7", in: folder).status == .success)
    }
}

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
        let run = ToolRun("replay @one --shard=1/2 --no-progress", in: folder)
        #expect(run.status == .invalidInput)
        #expect(run.error.contains("the split data is damaged or cut"), "\(run.error)")
    }
}
