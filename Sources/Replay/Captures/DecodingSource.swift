/// Decoded bytes of a compressed source.
final class DecodingSource: ByteSource {
    private let compressed: any ByteSource
    private let decoder: any ByteDecoder
    private var input: [UInt8]
    private var pending: Range<Int>

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - compressed: The bytes to decode.
    ///   - start: Those of them that were read already.
    ///   - decoder: The decoder of the bytes.
    init(_ compressed: any ByteSource, start: [UInt8], decoder: any ByteDecoder) {
        self.compressed = compressed
        self.decoder = decoder
        input = start
        pending = 0..<start.count
    }

    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        precondition(range.upperBound <= bytes.count, "the range lies inside the buffer")
        while true {
            // A decoder may hold bytes back, so it is asked before more input is read.
            if decoder.isInside || !pending.isEmpty {
                let produced = try decoder.decode(input, &pending, into: &bytes, range: range)
                if produced > 0 { return produced }
            }
            if pending.isEmpty, try !fill() {
                guard !decoder.isInside else { throw decoder.damaged }
                return 0
            }
        }
    }

    private func fill() throws(CaptureFailure) -> Bool {
        if input.count < CaptureLimits.blockBytes {
            input = Array(repeating: 0, count: CaptureLimits.blockBytes)
        }
        pending = 0..<(try compressed.read(into: &input, range: 0..<input.count))
        return !pending.isEmpty
    }
}

/// Decodes one compressed format.
protocol ByteDecoder: AnyObject {
    /// True if a member or frame was begun and not ended, so that the input must not end here.
    var isInside: Bool { get }

    /// The failure that is thrown if the input is damaged or cut.
    var damaged: CaptureFailure { get }

    /// Decodes some bytes.
    ///
    /// - Parameters:
    ///   - input: The memory of the input.
    ///   - pending: The part of it that is to be decoded; what was is taken away.
    ///   - bytes: The memory of the output.
    ///   - range: The part of it to fill.
    /// - Returns: The number of bytes that were produced.
    func decode(
        _ input: [UInt8], _ pending: inout Range<Int>, into bytes: inout [UInt8], range: Range<Int>
    ) throws(CaptureFailure) -> Int
}
