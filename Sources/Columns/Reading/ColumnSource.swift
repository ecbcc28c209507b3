/// The bytes that columns are read from.
package protocol ColumnSource: AnyObject {
    /// The number of bytes; `nil` for a pipe.
    var length: Int? { get }

    /// Fills a part of a buffer.
    ///
    /// - Parameters:
    ///   - bytes: The buffer.
    ///   - range: The part of it to fill.
    ///   - offset: The offset of the bytes in the input. A pipe is read from its start to its end, without gaps.
    /// - Returns: The number of bytes that were read: fewer only where the input ends.
    func read(into bytes: inout [UInt8], range: Range<Int>, at offset: Int) throws(ColumnFailure) -> Int
}

extension ColumnSource {
    // Bytes of a pipe that are read before more memory is taken for a length that nobody has checked.
    private static var firstBytes: Int { 1 << 16 }

    /// Reads bytes that have to be there.
    ///
    /// - Parameters:
    ///   - bytes: Takes them, in place of its content; its memory is used again.
    ///   - count: The number of bytes.
    ///   - offset: Their place in the input.
    func fill(_ bytes: inout [UInt8], count: Int, at offset: Int) throws(ColumnFailure) {
        if let length, offset > length - count { throw cut(at: length, missing: offset + count - length) }
        let first = length == nil ? min(count, max(Self.firstBytes, bytes.count)) : count
        // Nothing of the former content is kept.
        if bytes.count < first {
            bytes = [UInt8](repeating: 0, count: first)
        } else {
            bytes.resize(to: first, filling: 0)
        }
        var done = 0
        while done < count {
            if done == bytes.count { bytes.resize(to: min(count, 2 * done), filling: 0) }
            let read = try read(into: &bytes, range: done..<bytes.count, at: offset + done)
            done += read
            guard done == bytes.count else { throw cut(at: offset + done, missing: count - done) }
        }
    }

    private func cut(at offset: Int, missing: Int) -> ColumnFailure {
        ColumnFailure("the input ends here; at least \(missing) bytes more belong to it", at: offset)
    }
}

/// Columns in memory.
package final class ColumnBytes: ColumnSource {
    private let bytes: [UInt8]
    package let length: Int?

    /// - Parameters:
    ///   - bytes: All bytes of the input.
    ///   - isPipe: True to read them as a pipe, which has no length and is read once.
    package init(_ bytes: [UInt8], isPipe: Bool = false) {
        (self.bytes, length) = (bytes, isPipe ? nil : bytes.count)
    }

    package func read(into bytes: inout [UInt8], range: Range<Int>, at offset: Int) throws(ColumnFailure) -> Int {
        let part = self.bytes.dropFirst(offset).prefix(range.count)
        bytes.replaceSubrange(range.lowerBound..<range.lowerBound + part.count, with: part)
        return part.count
    }
}
