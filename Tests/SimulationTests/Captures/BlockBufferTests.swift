import Testing

@testable import Simulation

/// How the window over a capture is filled.
@Suite struct BlockBufferTests {
    // Hands out bytes in pieces of one length, as pipes do.
    private final class Dripping: ByteSource {
        private let piece: Int
        private var left: Int

        init(_ count: Int, piece: Int) {
            (left, self.piece) = (count, piece)
        }

        func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
            let count = min(piece, left, range.count)
            left -= count
            return count
        }
    }

    @Test("a long record is looked at few times, whatever the pieces it comes in", arguments: [1, 4096, 65_536])
    func whatIsThereIsDoubled(piece: Int) throws {
        let count = piece * 1000
        var buffer = BlockBuffer(Dripping(count, piece: piece), path: "pipe")
        var refills = 0
        while !buffer.isAtEnd {
            try buffer.refill(line: 1)
            refills += 1
        }
        #expect(buffer.unconsumed.count == count)
        #expect(refills <= 12)
    }

    @Test func whatWasConsumedMakesRoom() throws {
        var buffer = BlockBuffer(Dripping(1000, piece: 10), path: "pipe")
        try buffer.refill(line: 1)
        #expect(buffer.unconsumed == 0..<10)
        buffer.consume(to: 7)
        try buffer.refill(line: 1)
        #expect(buffer.unconsumed == 0..<13)
        #expect(buffer.consumedCount == 7)
    }
}
