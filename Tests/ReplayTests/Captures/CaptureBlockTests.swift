import Testing

@testable import Replay

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
        #expect(block.lacksFinalNewline == lacks)
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
        #expect(block.bytes.count == 2 * count)
        block.bytes.append(1)
        block.clear(room: 1000)
        #expect(block.bytes.count == count)
    }
}
