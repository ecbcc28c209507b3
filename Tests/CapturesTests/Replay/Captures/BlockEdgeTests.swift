import Testing

@testable import Replay
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
        Row("device information joined with its mark", "\u{FEFF}" + info + "\n\u{FEFF}" + info + "\n"),
        Row("JSON Lines joined with their mark", "\u{FEFF}" + jsonl + "\n\u{FEFF}" + jsonl + "\n"),
        Row("gzip", bytes: PackedCapture.gzipMembers), Row("zstd", bytes: PackedCapture.zstdFrames),
    ]

    private static let attributes = ["note", "empty", "ip"]

    @Test(arguments: plain) func oneCutAnywhereChangesNothing(_ row: Row) throws {
        let whole = try ReadCapture(bytes: row.bytes, attributes: Self.attributes)
        #expect(whole.lines.count >= 3)
        for position in 0...row.bytes.count {
            let pipe = try SplitPipe(row.bytes, cuts: [position])
            try expect(
                ReadCapture(path: pipe.path, attributes: Self.attributes), equals: whole, "cut at byte \(position)")
        }
    }

    @Test(arguments: plain + others) func manyCutsChangeNothing(_ row: Row) throws {
        let whole = try ReadCapture(bytes: row.bytes, attributes: Self.attributes)
        #expect(whole.lines.count >= 2)
        for length in [1, 2, 3, 4, 5, 7, 11, 17, 31] {
            let pipe = try SplitPipe(row.bytes, every: length)
            try expect(ReadCapture(path: pipe.path, attributes: Self.attributes), equals: whole, "pieces of \(length)")
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
            try expect(ReadCapture(text, attributes: Self.attributes), equals: short, "first record of \(length)")
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
        expect(lines.count, equals: 2)
        expect(lines.first, equals: "1: \(line)")
        expect(lines.last, equals: "\(kind == "info" ? 3 : 2): \(line)")
    }

    @Test func aRecordThatNeverEndsIsAnError() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("{}\n{\"x\":\"".utf8, to: "capture")
        let file = FilePadding(path: path)
        try file.extend(to: CaptureLimits.recordBytes + 2 * CaptureLimits.blockBytes)
        #expect(throws: CaptureFailure.recordTooLong(path: path, line: 2)) { try ReadCapture(path: path) }
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Makes a file longer with zeros that take no room.
struct FilePadding {
    private let path: String

    private struct Failure: Error {}

    init(path: String) {
        self.path = path
    }

    /// Extends the file to a length in bytes.
    func extend(to length: Int) throws {
        guard unsafe truncate(path, length) == 0 else { throw Failure() }
    }
}

/// The division of a source's bytes into blocks of whole records.
@Suite struct BlockReaderTests {
    // Hands out bytes in pieces of one length, as pipes do.
    private final class Dripping: ByteSource {
        private let piece: Int
        private var left: ArraySlice<UInt8>

        init(_ bytes: [UInt8], piece: Int) {
            (left, self.piece) = (bytes[...], piece)
        }

        func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
            let part = left.prefix(min(piece, range.count))
            bytes.replaceSubrange(range.lowerBound..<range.lowerBound + part.count, with: part)
            left.removeFirst(part.count)
            return part.count
        }
    }

    private static func blocks(
        _ text: String, _ format: CaptureFormat, blockBytes: Int, piece: Int
    ) throws -> (texts: [String], isLast: [Bool]) {
        var reader = BlockReader(Dripping(Array(text.utf8), piece: piece), path: "pipe", blockBytes: blockBytes)
        var (block, texts, isLast) = (CaptureBlock(), [String](), [Bool]())
        while try reader.next(into: &block, format: format) {
            texts.append(String(decoding: block.bytes[0..<block.end], as: UTF8.self))
            isLast.append(block.isLast)
            #expect(block.bytes.count >= block.end + JSONScanner.padding)
        }
        expect(reader.handedOut, equals: text.utf8.count)
        return (texts, isLast)
    }

    @Test func whatCannotBeReadIsSaid() throws {
        let folder = try TemporaryFolder()
        let source = try FileSource(path: folder.path)
        var bytes: [UInt8] = [0]
        #expect(throws: CaptureFailure.unreadable(path: folder.path, reason: "is a directory")) {
            try source.read(into: &bytes, range: 0..<1)
        }
    }

    @Test func linesAreWholeWhateverTheBlock() throws {
        let text = "{}\n{\"a\":1}\n\n{\"b\":2}"
        for blockBytes in 1...30 {
            for piece in [1, 3, 100] {
                let (texts, isLast) = try Self.blocks(text, .jsonl, blockBytes: blockBytes, piece: piece)
                expect(texts.joined(), equals: text)
                #expect(texts.dropLast().allSatisfy { $0.hasSuffix("\n") })
                expect(isLast, equals: Array(repeating: false, count: texts.count - 1) + [true])
            }
        }
        try expect(
            Self.blocks(text, .jsonl, blockBytes: 4, piece: 100).texts,
            equals: [
                "{}\n", "{\"a\":1}\n", "\n", "{\"b\":2}",
            ])
    }

    @Test func recordsOfDeviceInformationAreWhole() throws {
        let records = ["--- a b ---\nip: 1\n", "captured: c\nx: -\n  --- d\n\ngetting e\n", "--- f g ---"]
        for blockBytes in 1...80 {
            let (texts, _) = try Self.blocks(records.joined(), .info, blockBytes: blockBytes, piece: 7)
            expect(texts.joined(), equals: records.joined())
            #expect(texts.allSatisfy { $0.hasPrefix("--- a") || $0.hasPrefix("captured:") || $0.hasPrefix("--- f") })
        }
        // The rest at the end is one block.
        let (texts, _) = try Self.blocks(records.joined(), .info, blockBytes: 30, piece: 100)
        expect(texts, equals: [records[0], records[1] + records[2]])
    }

    @Test func whatIsPeekedAtIsHandedOut() throws {
        var reader = BlockReader(Dripping(Array("abc\ndef\n".utf8), piece: 2), path: "pipe", blockBytes: 4)
        let count = try reader.peek { (bytes: Span<UInt8>, isAtEnd: Bool) throws(CaptureFailure) -> Int? in
            bytes.count >= 6 || isAtEnd ? bytes.count : nil
        }
        expect(count, equals: 8)
        reader.skip(1)
        var block = CaptureBlock()
        #expect(try reader.next(into: &block, format: .jsonl))
        expect(String(decoding: block.bytes[0..<block.end], as: UTF8.self), equals: "bc\ndef\n")
        #expect(block.isLast)
        #expect(try !reader.next(into: &block, format: .jsonl))
    }
}

/// The memory in which records are read.
@Suite struct CaptureBlockTests {
    @Test(
        "the last line lacks its newline, or does not",
        arguments: [
            ("", false), ("x", true), ("\n", false), ("x\n", false), ("\nx", true),
        ])
    func finalNewline(text: String, lacks: Bool) {
        var block = CaptureBlock()
        block.bytes = Array(text.utf8) + [0, 0]
        block.end = text.utf8.count
        expect(block.lacksFinalNewline, equals: lacks)
    }

    @Test("a cleared block has room, and gives back what a long record took") func clearing() {
        var block = CaptureBlock()
        block.end = 5
        block.isLast = true
        block.clear(room: 1000)
        #expect(block.end == 0 && !block.isLast)
        let count = block.bytes.count
        #expect(count >= 1000)
        block.bytes += Array(repeating: 1, count: count)
        block.clear(room: 1000)
        // Twice of what is needed is kept, and one byte more is not.
        expect(block.bytes.count, equals: 2 * count)
        block.bytes.append(1)
        block.clear(room: 1000)
        expect(block.bytes.count, equals: count)
    }
}
