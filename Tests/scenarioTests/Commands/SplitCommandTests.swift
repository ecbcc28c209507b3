import Foundation
import Testing

@testable import Replay
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
        ToolRun(["split"] + arguments, in: folder).ending(.success)
    }

    private static func partials(
        _ command: [String], _ folders: [String] = ["@parts"], of count: Int, in folder: TemporaryFolder
    ) -> [String] {
        (1...count).map { number in
            let files = folders.map { "\($0)/shard-\(number).arrow" }
            ToolRun(command + files + ["--partial=@p\(number)"], in: folder).ending(.success)
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
        let parts = Self.partials(command, of: count, in: folder)
        let whole = ToolRun(command + ["@day.jsonl", "@evening.txt", "--format=json"], in: folder)
        #expect(ToolRun(["merge", "--format=json"] + parts, in: folder).output == whole.output)
        #expect(whole.output.contains(#""attestations":5"#) || whole.output.contains(#""attestations": 5"#))
    }

    @Test("standard input, which can be read once only, is no capture of a part") func pipe() throws {
        let run = ToolRun("replay - --partial=@p0", in: try Self.folder()).ending(.usage)
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
        let parts = Self.partials(["replay", "--account=@a.yaml"], of: 2, in: folder)
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
        let parts = Self.partials(command, ["@1", "@2", "@3"], of: 2, in: folder)
        let whole = ToolRun(command + ["@day.jsonl"], in: folder)
        #expect(ToolRun(["merge"] + parts, in: folder).output == whole.output)
        for wrong in [["@1", "@3"], ["@2", "@1", "@3"], ["@1", "@2"]] {
            let run = ToolRun(command + wrong.map { "\($0)/shard-1.arrow" }, in: folder).ending(.invalidInput)
            #expect(run.error.contains("are missing"))
        }
    }

    @Test("a malformed record is reported with file and line of the capture") func malformed() throws {
        let folder = try Self.folder()
        Self.split(["@day.jsonl", "--shards=2", "--output=@parts"], in: folder)
        let whole = ToolRun("replay @day.jsonl", in: folder)
        for shard in 1...2 {
            let run = ToolRun(["replay", "@parts/shard-\(shard).arrow"], in: folder).ending(.invalidInput)
            #expect(run.error == whole.error)
            #expect(run.error.contains("day.jsonl:2: error:"))
        }
    }

    struct Refused: LabelledRow {
        let name: String
        let arguments: Words
        var status = scenario.ExitStatus.invalidInput
        let message: String
    }

    static let refused = [
        Refused(
            name: "another part than was asked for", arguments: "replay @parts/shard-1.arrow --shard=2/2",
            message: "shard-1.arrow: error: is the part 1/2 of the devices, not 2/2"),
        Refused(
            name: "two parts", arguments: "replay @parts/shard-1.arrow @parts/shard-2.arrow",
            message: "shard-2.arrow: error: is the part 2/2 of the devices, not 1/2"),
        Refused(
            name: "a folder", arguments: "replay @parts", message: "parts: error: is a folder, and no capture"),
        Refused(
            name: "a file of an earlier version", arguments: "replay @former.zst",
            message: "former.zst: error: an earlier version of `scenario split` wrote it\n  hint: split the captures"),
        Refused(
            name: "a file that was cut", arguments: "replay @cut/shard-1.arrow",
            message: "the file does not end as files of Arrow do"),
        Refused(
            name: "a file that is missing", arguments: "replay @parts/shard-3.arrow", message: "no such file"),
        Refused(
            name: "a file that is missing, in a comparison",
            arguments: "diff @parts/shard-3.arrow --account=new --policy=default,allow-root,all",
            message: "no such file"),
        Refused(
            name: "a capture among parts", arguments: "replay @parts/shard-1.arrow @day.jsonl",
            message: "day.jsonl: error: is no part of split captures"),
        Refused(
            name: "keeping malformed records", arguments: "replay @parts/shard-1.arrow --malformed=@m",
            message: "`--malformed` cannot be combined with split captures"),
        Refused(
            name: "sorting", arguments: "replay @parts/shard-1.arrow --sort",
            message: "`--sort` cannot be combined with split captures"),
        Refused(
            name: "parts out of order", arguments: "replay @late/shard-1.arrow @parts/shard-1.arrow --skip-malformed",
            message: "day.jsonl:1: error: record of 2020-07-23T00:00:00Z after one of 2020-07-23T20:00:01Z"),
        Refused(
            name: "a part that is to be split", arguments: "split @parts/shard-1.arrow --shards=2 --output=@o",
            message: "shard-1.arrow: error: is the part 1/2 of split captures"),
        Refused(
            name: "captures out of order", arguments: "split @evening.txt @day.jsonl --shards=2 --output=@o",
            message: "day.jsonl:1: error: record of 2020-07-23T00:00:00Z after one of 2020-07-23T20:00:01Z"),
        Refused(
            name: "a folder that is there", arguments: "split @day.jsonl --shards=2 --output=@parts",
            message: "the folder exists already, and is not empty"),
        Refused(
            name: "fetches", arguments: "split @fetches --shards=2 --output=@o",
            message: "a capture of fetches has no attestations, so `split` would have no effect"),
        Refused(
            name: "a range that is out of order", arguments: "split @mixed.jsonl --range=1-246 --shards=2 --output=@o",
            message: "mixed.jsonl: error: record of 2020-07-23T00:00:00Z after one of 2020-07-23T00:00:05Z, "
                + "on line 2 from byte 1 on"),
        Refused(
            name: "a key that parts have for themselves", arguments: "split @origin.jsonl --shards=2 --output=@o",
            message: "the key `origin-record` cannot be the name of a column"),
        Refused(
            name: "a range of a compressed capture",
            arguments: "split @day.jsonl.gz --range=0-9 --shards=2 --output=@o",
            message: "only lines in a file that is not compressed have ranges of bytes"),
        Refused(
            name: "a range too long", arguments: "split @day.jsonl --range=0-9999 --shards=2 --output=@o",
            message: "the range ends at byte 9,999, and the capture has"),
        Refused(
            name: "too many flags", arguments: "split @flags.jsonl --shards=2 --output=@o",
            message: "is one too many; there can be at most 128 flags"),
        Refused(
            name: "too many flags with the account's", arguments: "replay @some/shard-1.arrow --account=@more.yaml",
            message: "is one too many; there can be at most 128 flags"),
        Refused(
            name: "too many flags with those of one of two accounts",
            arguments: "diff @some/shard-1.arrow --account=new --candidate=@more.yaml",
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
        let part = try #require(folder.bytes(of: "parts/shard-1.arrow"))
        try folder.write(Array(part.dropLast(20)), to: "cut/shard-1.arrow")
        // The head of a chunk: a frame that decoders of Zstandard skip.
        let head: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 20, 0, 0, 0] + Array("PLT1".utf8)
        try folder.write(head + [UInt8](repeating: 0, count: 16), to: "former.zst")
        try folder.write(OutputCompression.packed(Array(day.utf8), for: ".gz"), to: "day.jsonl.gz")
        let (early, late) = (line(0, "w4mmGFZkpz5oPz6w6gl1Cw=="), line(5, "w4mmGFZkpz5oPz6w6gl1Cw=="))
        try folder.write(early + late + early, to: "mixed.jsonl")
        try folder.write(
            early.replacing(#""flags""#, with: #""origin-record":"1","flags""#), to: "origin.jsonl")
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
        let run = ToolRun("replay @parts/shard-1.arrow", in: folder).ending(.nothingRan)
        #expect(run.error.contains("nothing to evaluate"))
        #expect(ToolRun("replay @parts/shard-5.arrow", in: folder).status == .success)
    }
}
