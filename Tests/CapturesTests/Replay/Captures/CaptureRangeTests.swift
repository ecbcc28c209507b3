import Testing

@testable import Figures
@testable import Replay
@testable import TestSupport

/// The parts of a file that workers read on their own.
@Suite struct CaptureRangeTests {
    struct Row: LabelledRow {
        let name: String
        let format: CaptureFormat
        /// Of each record all of its bytes, and what lies between it and the next one.
        let records: [String]
    }

    static let rows = [
        Row(name: "lines", format: .jsonl, records: ["{}\n", "{\"a\":1}\n", "\n", "{\"b\":2}"]),
        Row(name: "lines with a last newline", format: .jsonl, records: ["{}\r\n", "{\"a\":\"\\n\"}\r\n"]),
        Row(
            name: "device information", format: .info,
            records: [
                "--- a b ---\nip: 1\n--\n", "captured: c\nx: -\n  --- d\n captured:\ncaptured\n\ngetting e\n--x\n",
                "--- f g ---\nlong: \(String(repeating: "x", count: 3000))\n", "captured:\n", "--- ",
            ]),
        Row(name: "what comes before the first record", format: .info, records: ["getting a\nb: c\n", "--- d\n"]),
    ]

    // The blocks of all parts, and which of them are the last.
    private static func blocks(
        _ row: Row, mark: String, cuts: [Int], in folder: TemporaryFolder
    ) throws -> (texts: [String], isLast: [Bool]) {
        let bytes = Array((mark + row.records.joined()).utf8)
        let file = try FileSource(path: try folder.write(bytes, to: "capture"))
        let ends = [mark.utf8.count] + cuts.map { $0 + mark.utf8.count } + [bytes.count]
        var (block, texts, isLast) = (CaptureBlock(), [String](), [Bool]())
        for (start, end) in zip(ends, ends.dropFirst()) where start < end {
            let range = CaptureRange(
                file: file, format: row.format, part: start..<end, records: mark.utf8.count..<bytes.count)
            #expect(try range.read(into: &block) == nil)
            #expect(block.bytes.count >= block.end + CaptureLimits.blockPadding)
            texts.append(String(decoding: block.bytes[0..<block.end], as: UTF8.self))
            isLast.append(block.isLast && block.end > 0)
        }
        return (texts, isLast)
    }

    // The records that start in each part, by adding up their lengths.
    private static func expected(_ row: Row, cuts: [Int]) -> [String] {
        var starts: [(Int, String)] = []
        var position = 0
        for record in row.records {
            starts.append((position, record))
            position += record.utf8.count
        }
        let ends = [0] + cuts + [position]
        return zip(ends, ends.dropFirst()).filter { $0 < $1 }.map { start, end in
            starts.filter { start <= $0.0 && $0.0 < end }.map(\.1).joined()
        }
    }

    @Test("each record is in the part in which it starts", arguments: rows, ["", "\u{FEFF}"])
    func eachRecordIsInOnePart(_ row: Row, mark: String) throws {
        let folder = try TemporaryFolder()
        let count = row.records.joined().utf8.count
        for length in Array(1...40) + [100, 1000, 1025, 5000] {
            let cuts = Array(stride(from: length, to: count, by: length))
            let (texts, isLast) = try Self.blocks(row, mark: mark, cuts: cuts, in: folder)
            expect(texts, equals: Self.expected(row, cuts: cuts), "parts of \(length) bytes")
            expect(isLast.count(where: \.self), equals: 1, "parts of \(length) bytes")
            expect(isLast.lastIndex(of: true), equals: texts.lastIndex { !$0.isEmpty }, "parts of \(length) bytes")
        }
    }

    @Test("parts follow one another, and none is shorter than 64 bytes but the last")
    func partsFollowOneAnother() throws {
        let folder = try TemporaryFolder()
        let text = "\u{FEFF}" + String(repeating: "{}\n", count: 50)
        let path = try folder.write(Array(text.utf8), to: "capture")
        let file = try CaptureFile(path: path, blockBytes: 1)
        expect(file.ranges?.map(\.part), equals: [3..<67, 67..<131, 131..<153])
        try expect(CaptureFile(path: path, blockBytes: 100).ranges?.map(\.part), equals: [3..<103, 103..<153])
    }

    @Test("pipes and compressed captures are read one block after the other")
    func withoutParts() throws {
        let folder = try TemporaryFolder()
        let packed = try folder.write(PackedCapture.gzipMembers, to: "packed")
        #expect(try CaptureFile(path: packed).ranges == nil)
        let pipe = try SplitPipe(Array("{}\n".utf8), cuts: [])
        #expect(try CaptureFile(path: pipe.path).ranges == nil)
    }

    @Test("a record that is too long ends the replay behind those before it", arguments: [1, 3])
    func longRecord(jobs: Int) throws {
        let sound = #"{"time":"2020-07-23T00:00:00Z","device-id":"w4mmGFZkpz5oPz6w6gl1Cw==","flags":""}"# + "\n"
        let other = sound.replacing("T00:", with: "T01:")
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: CaptureLimits.recordBytes) + Array("\n".utf8)
        let bytes = Array((sound + "{\n" + other).utf8) + long + Array(sound.utf8)
        let replayed = try ReplayBench.replay([bytes]) { ($0.jobs, $0.skipsMalformed) = (jobs, true) }
        #expect(replayed.summary.figures == nil)
        #expect(replayed.kept == nil)
        expect(replayed.messages.count, equals: 2)
        expect(replayed.messages.first?.hasPrefix("1:2: "), equals: true)
        expect(replayed.messages.last?.contains("1:4: "), equals: true)
    }
}
