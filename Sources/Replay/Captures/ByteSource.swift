/// Where the bytes of a capture come from, decoded.
protocol ByteSource: AnyObject {
    /// Reads some bytes behind those that are there.
    ///
    /// - Parameters:
    ///   - bytes: A buffer.
    ///   - range: The part of it to fill; not empty.
    /// - Returns: How many bytes were read; 0 at the end.
    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int
}
