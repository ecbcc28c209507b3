import Replay
import Testing

@testable import TestSupport

/// Records that straddle the ends of what is read at a time.
@Suite struct BlockEdgeTests {
    struct Row: LabelledRow {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ text: String) { self.init(name, bytes: Array(text.utf8)) }

        init(_ name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    private static let info = """
        getting new devices
        --- w4mmGFZkpz5oPz6w6gl1Cw== 2020-07-23 12:10:43 BST ---
        rejection-flags: rooted
        public-flags: rooted,strange
        note: Ünï
          is more

        captured: 2020-07-23 12:10:44 BST
        device-id: qZka0yfv+ExvOq3PRh6pGw==
        empty:
        broken
        --- h4gubfCFzJu81j/U2BJsdg== 2020-07-23 12:10:45 BST ---
        ip: 1.2.3.4
        """
    private static let jsonl = #"""
        {"time":"2020-07-23T11:10:43Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":["rooted","strange"]}

        {"time":"2020-07-23T11:10:44Z","device-id":"qZka0yfv+ExvOq3PRh6pGw==","note":"\u00dcn\ud83d\ude97"}
        {"broken"
        {"time":"2020-07-23T11:10:45Z","device-id":"h4gubfCFzJu81j/U2BJsdg==","ip":"1.2.3.4"}
        """#

    static let plain = [Row("device information", info), Row("JSON Lines", jsonl)]

    static let others = [
        Row("device information with CR LF", info.replacing("\n", with: "\r\n")),
        Row("JSON Lines with CR LF", jsonl.replacing("\n", with: "\r\n")),
        Row("device information behind a mark", "\u{FEFF}" + info + "\n"),
        Row("JSON Lines behind a mark", "\u{FEFF}" + jsonl + "\n"),
        Row("gzip", bytes: PackedCapture.gzipMembers), Row("zstd", bytes: PackedCapture.zstdFrames),
    ]

    private static let attributes = ["note", "empty", "ip"]

    @Test(arguments: plain) func oneCutAnywhereChangesNothing(_ row: Row) throws {
        let whole = try ReadCapture(bytes: row.bytes, attributes: Self.attributes)
        #expect(whole.lines.count >= 3)
        for position in 0...row.bytes.count {
            let pipe = try SplitPipe(row.bytes, cuts: [position])
            #expect(try ReadCapture(path: pipe.path, attributes: Self.attributes) == whole, "cut at byte \(position)")
        }
    }

    @Test(arguments: plain + others) func manyCutsChangeNothing(_ row: Row) throws {
        let whole = try ReadCapture(bytes: row.bytes, attributes: Self.attributes)
        #expect(whole.lines.count >= 2)
        for length in [1, 2, 3, 4, 5, 7, 11, 17, 31] {
            let pipe = try SplitPipe(row.bytes, every: length)
            #expect(try ReadCapture(path: pipe.path, attributes: Self.attributes) == whole, "pieces of \(length)")
        }
    }

    // A first record as long as a block, so that the others slide over the block's end.
    @Test(arguments: ["info", "jsonl"]) func recordsMaySlideOverTheEndOfABlock(kind: String) throws {
        let id = SampleDevice.bob
        let rest = kind == "info" ? Self.info : Self.jsonl
        let (before, behind) =
            kind == "info"
            ? ("--- \(id) 2020-07-23 12:10:42 BST ---\nlong: ", "\n")
            : ("{\"time\":\"2020-07-23T11:10:42Z\",\"device-id\":\"\(id)\",\"long\":\"", "\"}\n")
        let short = try ReadCapture(before + behind + rest, attributes: Self.attributes)
        for slide in stride(from: 0, through: rest.utf8.count + 8, by: 61) {
            let length = CaptureLimits.blockBytes - slide
            let text = before + String(repeating: "x", count: length) + behind + rest
            #expect(try ReadCapture(text, attributes: Self.attributes) == short, "first record of \(length)")
        }
    }

    @Test(arguments: ["info", "jsonl"]) func aRecordMayBeLongerThanSeveralBlocks(kind: String) throws {
        let id = SampleDevice.bob
        let long = String(repeating: "y", count: 3 * CaptureLimits.blockBytes + 17)
        let record =
            kind == "info"
            ? "--- \(id) 2020-07-23 12:10:43 BST ---\nlong: \(long)\n"
            : "{\"time\":\"2020-07-23T11:10:43Z\",\"device-id\":\"\(id)\",\"long\":\"\(long)\"}\n"
        let lines = try ReadCapture(record + record, attributes: ["long"]).lines
        let line = "2020-07-23T11:10:43Z \(id) long=\(long)"
        #expect(lines.count == 2)
        #expect(lines.first == "1: \(line)")
        #expect(lines.last == "\(kind == "info" ? 3 : 2): \(line)")
    }

    @Test func aRecordThatNeverEndsIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}\n{\"x\":\"".utf8, to: "capture")
        let file = FilePadding(path: path)
        try file.extend(to: CaptureLimits.recordBytes + 2 * CaptureLimits.blockBytes)
        #expect(throws: CaptureFailure.recordTooLong(path: path, line: 2)) { try ReadCapture(path: path) }
    }
}
