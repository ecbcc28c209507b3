/// Decodes one compressed format.
protocol ByteDecoder: AnyObject {
    /// Whether a member or frame was begun and not ended, so that the input must not end here.
    var isInside: Bool { get }

    /// What is thrown when the input is damaged or cut.
    var damaged: CaptureFailure { get }

    /// Decodes some bytes.
    ///
    /// - Parameters:
    ///   - input: The memory of the input.
    ///   - pending: The part of it that is to be decoded; what was is taken away.
    ///   - bytes: The memory of the output.
    ///   - range: The part of it to fill.
    /// - Returns: How many bytes were produced.
    func decode(
        _ input: [UInt8], _ pending: inout Range<Int>, into bytes: inout [UInt8], range: Range<Int>
    ) throws(CaptureFailure) -> Int
}
