internal import CLibrary
internal import Documents

/// A source of the decoded bytes of a capture.
protocol ByteSource: AnyObject {
    /// Reads some bytes behind those that are there.
    ///
    /// - Parameters:
    ///   - bytes: A buffer.
    ///   - range: The part of it to fill; not empty.
    /// - Returns: The number of bytes that were read; 0 at the end.
    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int
}

/// The bytes of a file or of standard input, as they are.
final class FileSource: ByteSource, Sendable {
    let path: String
    /// The length in bytes when it was opened; `nil` for a pipe. If fewer bytes are found, somebody cut the file.
    let length: Int?
    private let descriptor: Int32

    /// Opens a regular file, or standard input as `-`, which may be a pipe; so may what a shell hands over open, as
    /// `/dev/fd/63`.
    init(path: String) throws(CaptureFailure) {
        self.path = path
        let isOpen = path == "-" || path == "/dev/stdin" || path.hasPrefix("/dev/fd/")
        // SAFETY: the path is a string that lives through the call. Without O_NONBLOCK, opening a pipe would wait.
        unsafe descriptor =
            path == "-" ? STDIN_FILENO : open(path, O_RDONLY | (isOpen ? 0 : O_NONBLOCK) | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: Self.reason) }
        // A folder is refused when it is read.
        var status = stat()
        // SAFETY: the system fills in the status.
        let kind = unsafe fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        length = kind == S_IFREG ? Int(status.st_size) : nil
        let isKnown = kind == S_IFREG || kind == S_IFDIR || (isOpen && kind == S_IFIFO)
        guard path == "-" || isKnown else { throw .notRegular(path: path) }
    }

    /// Opens what is spooled; it is read by offsets only.
    ///
    /// - Parameter path: The path that failures name.
    init(_ spool: SpoolFile, path: String) throws(CaptureFailure) {
        (self.path, length) = (path, spool.size)
        do throws(FileFailure) {
            descriptor = try spool.duplicate()
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    deinit {
        if descriptor > STDIN_FILENO { close(descriptor) }
    }

    /// Reads some bytes behind those that were read before.
    ///
    /// - Throws: ``CaptureFailure``, also where the file ends before the length that it had.
    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        precondition(range.upperBound <= bytes.count, "the range lies inside the buffer")
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the range was checked to lie inside the buffer.
                unsafe SystemCall.readBytes(
                    descriptor, buffer.baseAddress.map { unsafe $0 + range.lowerBound }, range.count)
            }
            if count > 0 { return count }
            if count == 0 {
                try checkEnd(at: Int(lseek(descriptor, 0, SEEK_CUR)))
                return 0
            }
            if errno != EINTR { throw .unreadable(path: path, reason: Self.reason) }
        }
    }

    /// Fills a part of a buffer with the bytes from an offset of the file on; several threads may do so at a time.
    ///
    /// - Parameters:
    ///   - bytes: A buffer.
    ///   - range: The part of it to fill.
    ///   - offset: The offset of the bytes in the file, which is no pipe.
    /// - Returns: The number of bytes that were read: fewer only where the file ends.
    /// - Throws: ``CaptureFailure``, also where the file ends before the length that it had.
    func read(
        into bytes: inout [UInt8], range: Range<Int>, at offset: Int
    ) throws(CaptureFailure) -> Int {
        precondition(range.upperBound <= bytes.count, "the range lies inside the buffer")
        var done = 0
        while done < range.count {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                // SAFETY: the range was checked to lie inside the buffer, and what was done is less than its length.
                unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + range.lowerBound + done }, range.count - done,
                    off_t(offset + done))
            }
            if count == 0 {
                try checkEnd(at: offset + done)
                break
            }
            if count > 0 { done += count } else if errno != EINTR { throw .unreadable(path: path, reason: Self.reason) }
        }
        return done
    }

    // A file without its end would look like a capture that never had it.
    private func checkEnd(at end: Int) throws(CaptureFailure) {
        if let length, end < length { throw .cut(path: path, found: max(0, end), length: length) }
    }

    private static var reason: String { FileFailure(errno).description }
}

/// A source of which some bytes were read already.
final class StartedSource: ByteSource {
    private let source: any ByteSource
    private var start: ArraySlice<UInt8>

    init(_ source: any ByteSource, start: [UInt8]) {
        self.source = source
        self.start = start[...]
    }

    func read(into bytes: inout [UInt8], range: Range<Int>) throws(CaptureFailure) -> Int {
        guard !start.isEmpty else { return try source.read(into: &bytes, range: range) }
        let count = min(start.count, range.count)
        bytes.replaceSubrange(range.lowerBound..<range.lowerBound + count, with: start.prefix(count))
        start.removeFirst(count)
        return count
    }
}
