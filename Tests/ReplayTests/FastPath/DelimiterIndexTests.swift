import Testing

@testable import Replay
@testable import TestSupport

/// The index of a block's delimiters is what looking at byte after byte finds, whatever compares them.
@Suite struct DelimiterIndexTests {
    // Bytes that matter, and bytes that differ from one of them in a bit.
    private static let alphabet: [UInt8] =
        Array("\n\r\",\\ab{}:\t".utf8) + [0, 0x1F, 0x20, 0x7F, 0x80, 0x8A, 0xA2, 0xDC, 0xFF]

    private static func block(seed: UInt64, length: Int) -> [UInt8] {
        var chance = Chance(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < length {
            // Separators are rare by chance alone.
            bytes += chance.happens(20) ? Array("\",\"".utf8) : [chance.pick(alphabet)]
        }
        return Array(bytes.prefix(length))
    }

    private static func offsets(_ bytes: [UInt8], _ isIncluded: (Int) -> Bool) -> [UInt32] {
        bytes.indices.filter(isIncluded).map(UInt32.init)
    }

    @Test(arguments: VectorInstructions.allCases) func isThatOfEachByte(instructions: VectorInstructions) {
        var index = DelimiterIndex(instructions: instructions)
        for length in Array(0...200) + [4096, 10_000] {
            let bytes = Self.block(seed: UInt64(length), length: length)
            // Bytes behind the block must not matter.
            let memory = bytes + [UInt8](repeating: UInt8(ascii: "\""), count: DelimiterIndex.padding)
            let newlines = Self.offsets(bytes) { bytes[$0] == UInt8(ascii: "\n") }

            index.clear()
            index.index(memory.span, end: length, isText: true)
            let found = Found(index)
            // Memory for delimiters may end before the block does.
            #expect(newlines.starts(with: found.delimiters) && (length > 4000 || found.delimiters == newlines))
            let returns = Self.offsets(bytes) { bytes[$0] == UInt8(ascii: "\r") }
            #expect(returns.starts(with: found.irregular) && (length > 4000 || found.irregular == returns))

            index.clear()
            index.index(memory.span, end: length, isText: false)
            let objects = Found(index)
            let delimiters = Self.offsets(bytes) { offset in
                bytes[offset] == UInt8(ascii: "\n") || memory[offset...].starts(with: Array("\",\"".utf8))
            }
            #expect(delimiters.starts(with: objects.delimiters) && (length > 1500 || objects.delimiters == delimiters))
            let quotes = newlines.map { end in
                UInt32(bytes[..<Int(end)].count { $0 == UInt8(ascii: "\"") })
            }
            #expect(quotes.starts(with: objects.quotes))
            let irregular = Self.offsets(bytes) { offset in
                bytes[offset] < 0x20 && bytes[offset] != UInt8(ascii: "\n") || bytes[offset] == UInt8(ascii: "\\")
            }
            #expect(irregular.starts(with: objects.irregular) && (length > 1500 || objects.irregular == irregular))
        }
    }

    @Test("where memory for delimiters ends, no irregular byte is missing before the last delimiter")
    func aFullListIsCutForAll() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 100_000)
        let memory = bytes + [UInt8](repeating: 0, count: DelimiterIndex.padding)
        for instructions in VectorInstructions.allCases {
            var index = DelimiterIndex(instructions: instructions)
            index.index(memory.span, end: bytes.count, isText: true)
            let found = Found(index)
            #expect(found.delimiters.count > 12_000 && found.delimiters.count < bytes.count)
            #expect(found.delimiters == Array(0..<UInt32(found.delimiters.count)))
        }
    }

    private struct Found {
        let delimiters, quotes, irregular: [UInt32]

        init(_ index: DelimiterIndex) {
            delimiters = Array(index.delimiters.prefix(index.counts.delimiters))
            quotes = Array(index.quotes.prefix(index.counts.quotes))
            irregular = Array(index.irregular.prefix(index.counts.irregular))
        }
    }
}
