import Foundation
import Testing

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

    private static func folder() throws -> TemporaryFolder {
        try TemporaryFolder(["day.jsonl": day, "a.yaml": "policy: default,default,all\n"])
    }

    @Test("a pipe has no digest by which `merge` would know it") func namedPipe() throws {
        let replay = try ToolProcess(["replay", "/dev/stdin", "--partial=p0"], in: try Self.folder())
        replay.type(String(Self.day.replacing("no record\n", with: "").dropLast()))
        replay.endInput()
        let end = replay.end()
        expect(end.status, equals: 2)
        #expect(end.error.contains("`/dev/stdin` can be read once only, so `--partial` cannot name it"))
    }

    @Test("standard input that was split is evaluated in parts, as a file is") func standardInput() throws {
        let folder = try Self.folder()
        let records = Self.day.replacing("no record\n", with: "")
        let split = try ToolProcess(["split", "-", "--shards=2", "--output=parts"], in: folder)
        split.type(String(records.dropLast()))
        split.endInput()
        try #require(split.end().status == 0)
        let parts = (1...2).map { number in
            ToolRun("replay --account=@a.yaml @parts/shard-\(number).arrow --partial=@p\(number)", in: folder).ending(
                .success)
            return "@p\(number)"
        }
        let merged = ToolRun(["merge"] + parts, in: folder)
        _ = try folder.write(records, to: "day.jsonl")
        let whole = ToolRun("replay --account=@a.yaml @day.jsonl", in: folder)
        #expect(merged.status == .success && merged.output == whole.output, "\(merged.error)")
    }

    @Test("a file that was cut, and one of an earlier version, are refused with a sentence") func broken() throws {
        let folder = try Self.folder()
        ToolRun("split @day.jsonl --shards=2 --output=@parts", in: folder).ending(.success)
        let part = try #require(folder.bytes(of: "parts/shard-1.arrow"))
        try folder.write(Array(part.dropLast(20)), to: "cut/shard-1.arrow")
        // The head of a chunk: a frame that decoders of Zstandard skip.
        let head: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 20, 0, 0, 0] + Array("PLT1".utf8)
        try folder.write(head + [UInt8](repeating: 0, count: 16), to: "former.zst")
        let cut = ToolRun("replay @cut/shard-1.arrow", in: folder).ending(.invalidInput)
        #expect(cut.error.contains("the file does not end as files of Arrow do") && cut.output.isEmpty)
        let former = ToolRun("replay @former.zst", in: folder).ending(.invalidInput)
        let sentence = "former.zst: error: an earlier version of `scenario split` wrote it\n  hint: split the captures"
        #expect(former.error.contains(sentence) && former.output.isEmpty)
    }
}
