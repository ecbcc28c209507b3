import Testing

@testable import Replay
@testable import TestSupport

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
        #expect(reader.handedOut == text.utf8.count)
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
                #expect(texts.joined() == text)
                #expect(texts.dropLast().allSatisfy { $0.hasSuffix("\n") })
                #expect(isLast == Array(repeating: false, count: texts.count - 1) + [true])
            }
        }
        #expect(
            try Self.blocks(text, .jsonl, blockBytes: 4, piece: 100).texts == [
                "{}\n", "{\"a\":1}\n", "\n", "{\"b\":2}",
            ])
    }

    @Test func recordsOfDeviceInformationAreWhole() throws {
        let records = ["--- a b ---\nip: 1\n", "captured: c\nx: -\n  --- d\n\ngetting e\n", "--- f g ---"]
        for blockBytes in 1...80 {
            let (texts, _) = try Self.blocks(records.joined(), .info, blockBytes: blockBytes, piece: 7)
            #expect(texts.joined() == records.joined())
            #expect(texts.allSatisfy { $0.hasPrefix("--- a") || $0.hasPrefix("captured:") || $0.hasPrefix("--- f") })
        }
        // The rest at the end is one block.
        let (texts, _) = try Self.blocks(records.joined(), .info, blockBytes: 30, piece: 100)
        #expect(texts == [records[0], records[1] + records[2]])
    }

    @Test func whatIsPeekedAtIsHandedOut() throws {
        var reader = BlockReader(Dripping(Array("abc\ndef\n".utf8), piece: 2), path: "pipe", blockBytes: 4)
        let count = try reader.peek { (bytes: Span<UInt8>, isAtEnd: Bool) throws(CaptureFailure) -> Int? in
            bytes.count >= 6 || isAtEnd ? bytes.count : nil
        }
        #expect(count == 8)
        reader.skip(1)
        var block = CaptureBlock()
        #expect(try reader.next(into: &block, format: .jsonl))
        #expect(String(decoding: block.bytes[0..<block.end], as: UTF8.self) == "bc\ndef\n")
        #expect(block.isLast)
        #expect(try !reader.next(into: &block, format: .jsonl))
    }
}
